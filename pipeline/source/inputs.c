/* SPDX-License-Identifier: MIT */
/*
 * Every file is opened once here and its first bytes are looked at, so that a wrong path or an
 * unknown content is told before anything is touched. A pipe cannot be opened again: what was
 * read of it is put back and the descriptor kept.
 */
#include "pipeline/source/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "pipeline/source/folder.h"
#include "pipeline/source/manifest.h"

void inputs_init(struct inputs *ins)
{
    *ins = (struct inputs){0};
    arena_init(&ins->arena, 16 << 10);
}

void inputs_release(struct inputs *ins)
{
    for (size_t i = 0; i < ins->n; i++)
        inflate_free(ins->opened[i]);
    free(ins->opened);
    free(ins->list);
    arena_release(&ins->arena);
    inputs_init(ins);
}

/* Room for one more; the entries stay where they are only until the next call. */
static enum rc make_room(struct inputs *ins, struct err *err)
{
    if (ins->n < ins->cap)
        return RC_OK;
    size_t cap = ins->cap ? ins->cap * 2 : 16;
    struct input *list = realloc(ins->list, cap * sizeof *list);
    if (list)
        ins->list = list;
    struct inflate **opened = realloc(ins->opened, cap * sizeof(struct inflate *));
    if (opened)
        ins->opened = opened;
    if (!list || !opened)
        return err_nomem(err);
    ins->cap = cap;
    return RC_OK;
}

/* The first bytes, unpacked. *all: there are no more. */
static enum rc read_head(const struct input *in, struct inflate *f, struct buf *head, bool *all,
                         struct err *err)
{
    enum rc rc = RC_OK;
    *all = false;
    while (!rc && head->len < FORMAT_HEAD) {
        size_t got;
        if (!buf_room(head, FORMAT_HEAD - head->len))
            return buf_check(head, err);
        rc = inflate_read(f, head->p + head->len, FORMAT_HEAD - head->len, &got, err);
        head->len += got;
        if (rc == RC_AGAIN)
            rc = input_stopped(in, err);
    }
    *all = rc == RC_END;
    return *all ? RC_OK : rc;
}

static enum rc guess(struct input *in, struct inflate *f, struct err *err)
{
    struct buf head;
    bool all;
    buf_init(&head, FORMAT_HEAD);
    in->packing = inflate_packing(f);
    enum rc rc = read_head(in, f, &head, &all, err);
    struct str text = buf_view(&head);
    if (str_starts(text, STR("\xef\xbb\xbf"))) {
        in->skip = 3;
        text = str_from(text, 3);
    }
    if (!rc)
        rc = format_guess(text, all, in->path, &in->format, err);
    /* an empty data file of an export is read all the same: its MD5 is checked */
    if (!rc && in->listed && in->format == FORMAT_EMPTY)
        in->format = FORMAT_LINES;
    if (!rc && !in->regular)
        rc = inflate_unread(f, buf_view(&head), err);
    buf_release(&head);
    return rc;
}

static enum rc look(struct input *in, struct inflate **kept, struct err *err)
{
    struct inflate *f = NULL;
    enum rc rc = inflate_open(in, FORMAT_HEAD, &f, err);
    if (!rc)
        rc = guess(in, f, err);
    if (rc || in->regular) {
        inflate_free(f);
        f = NULL;
    }
    *kept = f;
    return rc;
}

/* The kind is needed before the file is opened to be read: a pipe is waited for. */
static enum rc stat_path(struct input *in, struct err *err)
{
    struct stat st;
    int bad = strcmp(in->path, "-") == 0 ? fstat(0, &st) : stat(in->path, &st);
    if (bad)
        return err_errno(err, RC_USAGE, errno, "cannot open \"%s\"", in->path);
    if (S_ISDIR(st.st_mode))
        return err_set(err, RC_USAGE, "\"%s\" is a folder", in->path);
    input_note(in, &st);
    if (strcmp(in->path, "-") == 0) { /* even a file: its offset is shared with others */
        in->regular = false;
        in->size = 0;
    }
    return RC_OK;
}

enum rc inputs_add_file(struct inputs *ins, const char *path,
                        const struct manifest_file *listed, struct err *err)
{
    enum rc rc = make_room(ins, err);
    if (rc)
        return rc;
    struct input *in = &ins->list[ins->n];
    *in = (struct input){.path = arena_cstr(&ins->arena, str_of(path)), .stop = ins->stop};
    if (!in->path)
        return err_nomem(err);
    if (listed) {
        in->listed = true;
        in->items = listed->items;
        memcpy(in->md5, listed->md5, sizeof in->md5);
    }
    rc = stat_path(in, err);
    if (!rc)
        rc = look(in, &ins->opened[ins->n], err);
    if (!rc)
        ins->n++;
    return rc;
}

enum rc inputs_leave_out(struct inputs *ins, const char *path, struct err *err)
{
    if (ins->left_out++ == 0)
        ins->left_out_name = arena_cstr(&ins->arena, str_of(path));
    return ins->left_out_name ? RC_OK : err_nomem(err);
}

enum rc inputs_add(struct inputs *ins, const char *path, struct err *err)
{
    struct stat st;
    if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return folder_add(ins, path, err);
    return inputs_add_file(ins, path, NULL, err);
}
