/* SPDX-License-Identifier: MIT */
/*
 * Every file is opened once here and its first bytes are looked at, so that a wrong path or an
 * unknown content is told before anything is touched. A pipe cannot be opened again: what was
 * read of it is put back and it is kept open.
 */
#include "pipeline/source/files/find/inputs.h"

#include <stdlib.h>

#include "pipeline/source/files/find/export_folder.h"
#include "pipeline/source/files/find/export_manifest.h"
#include "pipeline/source/files/find/folder.h"
#include "pipeline/source/files/find/workbench.h"
#include "pipeline/source/files/format/item_form.h"

void inputs_init(struct inputs *ins, const struct origin *origin)
{
    *ins = (struct inputs){.origin = origin};
    arena_init(&ins->arena, 16 << 10);
    buf_init(&ins->tables, 1 << 16);
}

void inputs_release(struct inputs *ins)
{
    for (size_t i = 0; i < ins->n; i++)
        inflate_free(ins->opened[i]);
    free(ins->opened);
    free(ins->list);
    arena_release(&ins->arena);
    buf_release(&ins->tables);
    inputs_init(ins, ins->origin);
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

/* *workbench: it may hold several tables. */
static enum rc guess(struct input *in, struct inflate *f, bool *workbench, struct err *err)
{
    struct buf head;
    bool all;
    buf_init(&head, FORMAT_HEAD);
    enum rc rc = read_head(in, f, &head, &all, err);
    in->packing = inflate_packing(f);
    struct str text = buf_view(&head);
    if (str_starts(text, STR("\xef\xbb\xbf"))) {
        in->skip = 3;
        text = str_from(text, 3);
    }
    if (!rc)
        rc = format_guess(text, all, in->path, &in->format, err);
    if (!rc && in->form == DECODER_TEXT)
        rc = item_form(text, in->path, in->format, &in->form, err);
    *workbench = in->format == FORMAT_DOCUMENT && in->facts.again && workbench_begins(text);
    /* an empty data file of an export is read all the same: its MD5 is checked */
    if (!rc && in->listed && in->format == FORMAT_EMPTY)
        in->format = FORMAT_LINES;
    if (!rc && !in->facts.again)
        rc = inflate_unread(f, buf_view(&head), err);
    buf_release(&head);
    return rc;
}

static enum rc look(struct input *in, struct inflate **kept, bool *workbench, struct err *err)
{
    struct inflate *f = NULL;
    enum rc rc = inflate_open(in, FORMAT_HEAD, &f, err);
    if (!rc)
        rc = guess(in, f, workbench, err);
    if (rc || in->facts.again) {
        inflate_free(f);
        f = NULL;
    }
    *kept = f;
    return rc;
}

static enum rc add_file(struct inputs *ins, const char *path,
                        const struct export_manifest_file *listed, struct str table,
                        struct err *err)
{
    bool workbench = false;
    enum rc rc = make_room(ins, err);
    if (rc)
        return rc;
    struct input *in = &ins->list[ins->n];
    *in = (struct input){
        .origin = ins->origin, .stop = ins->stop, .form = ins->form, .part = ins->part};
    in->path = arena_cstr(&ins->arena, str_of(path));
    if (!in->path)
        return err_nomem(err);
    if (listed) {
        in->listed = true;
        in->items = listed->items;
        memcpy(in->md5, listed->md5, sizeof in->md5);
    }
    rc = input_look(in, err); /* this comes first, for opening a pipe waits for its writer */
    if (!rc)
        rc = look(in, &ins->opened[ins->n], &workbench, err);
    if (!rc && (workbench || table.n))
        rc = workbench_look(in, table, &ins->arena, &ins->tables, err);
    if (!rc)
        ins->n++;
    return rc;
}

enum rc inputs_add_file(struct inputs *ins, const char *path,
                        const struct export_manifest_file *listed, struct err *err)
{
    return add_file(ins, path, listed, (struct str){0}, err);
}

/* FILE#TABLE, where there is no file of the whole name. RC_NONE: it is nothing of that kind. */
static enum rc add_table(struct inputs *ins, const char *path, struct err *err)
{
    struct bytes_facts facts;
    const char *hash = strrchr(path, '#');
    struct err ignored = {0};
    if (!hash || hash == path || !hash[1] ||
        !ins->origin->ops->look(ins->origin, path, &facts, &ignored))
        return RC_NONE;
    const char *file = arena_cstr(&ins->arena, str_make(path, (size_t)(hash - path)));
    if (!file)
        return err_nomem(err);
    enum rc rc = ins->origin->ops->look(ins->origin, file, &facts, &ignored);
    return rc || facts.folder ? RC_NONE : add_file(ins, file, NULL, str_of(hash + 1), err);
}

enum rc inputs_leave_out(struct inputs *ins, const char *path, struct err *err)
{
    if (ins->left_out++ == 0)
        ins->left_out_name = arena_cstr(&ins->arena, str_of(path));
    return ins->left_out_name ? RC_OK : err_nomem(err);
}

/* An export may be named by one of its manifests; n is the length of its folder's path. */
static bool is_manifest(const char *path, size_t *n)
{
    static const char *const NAMES[] = {"/manifest-summary.json", "/manifest-files.json"};
    struct str s = str_of(path);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        *n = s.n - strlen(NAMES[i]);
        if (str_ends(s, str_of(NAMES[i])))
            return true;
    }
    return false;
}

static enum rc add_export(struct inputs *ins, struct str folder, struct err *err)
{
    const char *own = arena_cstr(&ins->arena, folder);
    return own ? export_add(ins, own, err) : err_nomem(err);
}

/* The word is what a model may call it: FILE#TABLE is the table, all else the last of the path. */
static enum rc note_part(struct inputs *ins, const char *path, struct err *err)
{
    struct str s = str_of(path);
    ins->part = NULL;
    if (str_is(s, "-"))
        return RC_OK;
    while (s.n > 1 && s.p[s.n - 1] == '/')
        s.n--;
    for (size_t i = s.n; i-- > 0;) {
        if (s.p[i] == '/') {
            s = str_from(s, i + 1);
            break;
        }
    }
    size_t hash = str_find(s, STR("#"), 0), dot = str_find(s, STR("."), 1);
    struct source_part *part = ARENA_NEW(&ins->arena, struct source_part);
    enum { PTR = sizeof(void *) };
    const struct source_part **v =
        arena_push(&ins->arena, ins->parts, ins->nparts, &ins->cap_parts, 8, PTR);
    if (!part || !v)
        return err_nomem(err);
    part->name = arena_dup(&ins->arena, hash + 1 < s.n ? str_from(s, hash + 1) : s);
    if (hash == s.n && dot < s.n)
        part->stem = arena_dup(&ins->arena, str_make(s.p, dot));
    ins->parts = v;
    v[ins->nparts++] = ins->part = part;
    return part->name.p ? RC_OK : err_nomem(err);
}

enum rc inputs_add(struct inputs *ins, const char *path, struct err *err)
{
    struct bytes_facts facts;
    size_t n = 0;
    enum rc rc = note_part(ins, path, err);
    if (!rc && is_manifest(path, &n))
        return add_export(ins, str_make(path, n), err);
    if (!rc)
        rc = add_table(ins, path, err);
    if (rc != RC_NONE)
        return rc;
    rc = ins->origin->ops->look(ins->origin, path, &facts, err);
    if (!rc && facts.folder)
        return folder_add(ins, path, err);
    return inputs_add_file(ins, path, NULL, err);
}
