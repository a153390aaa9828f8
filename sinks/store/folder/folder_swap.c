/* SPDX-License-Identifier: MIT */
/*
 * Showing a result: folder by folder the new one changes places with the old, the manifest
 * last. The plan lists the folders with their inodes; so a repetition after a crash knows, of
 * each, on which side it is. The old folders end up in the run's own, which is removed with it.
 *
 * The lock keeps other runs away, so that the manifest can be another than the one to be
 * replaced only if somebody put it there by hand. That is looked at once, before the first
 * folder is moved; a swap that was begun is completed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <xxhash.h>
#include <yyjson.h>

#include "pipeline/base/json.h"
#include "sinks/store/folder/folder_private.h"
#include "sinks/store/folder/manifest_folders.h"
#include "sinks/store/fs_at.h"

/* *inode is 0 if there is nothing. What cannot be looked at may be there: that is an error. */
static enum rc look_up(const char *path, uint64_t *inode, struct err *err)
{
    struct stat st;
    *inode = 0;
    if (fs_at_stat(path, &st) == 0) {
        *inode = (uint64_t)st.st_ino;
    } else if (errno != ENOENT) {
        return err_errno(err, RC_TRANSIENT, errno, "cannot look at \"%s\"", path);
    }
    return RC_OK;
}

enum rc folder_manifest(struct store *s, struct buf *text, struct store_version *version,
                        struct err *err)
{
    char path[FS_PATH];
    size_t before = text->len;
    *version = (struct store_version){{0}};
    folder_place(s, store_key(STORE_SHOWN, "manifest.json"), path);
    enum rc rc = fs_read(path, text, err);
    if (!rc) {
        (void)snprintf(version->tag, sizeof version->tag, "%016" PRIx64,
                       XXH3_64bits(text->p + before, text->len - before));
    }
    return rc;
}

static enum rc plan_folder(struct store *s, const char *name, bool first, struct buf *plan,
                           struct err *err)
{
    char dir[FS_PATH];
    uint64_t inode = 0;
    folder_place(s, store_key(STORE_NEW, name), dir);
    enum rc rc = look_up(dir, &inode, err);
    if (!rc && !inode) {
        rc = fs_mkdirs(dir, err);
        if (!rc)
            rc = look_up(dir, &inode, err);
    }
    if (!rc)
        rc = fs_sync_dir(dir, err);
    if (rc)
        return rc;
    buf_addf(plan, "%s{\"i\":%" PRIu64 ",\"d\":", first ? "" : ",", inode);
    json_add_string(plan, str_of(name));
    buf_putc(plan, '}');
    return RC_OK;
}

enum rc folder_swap_plan(struct store *s, const struct store_swap *what, struct buf *plan,
                         struct err *err)
{
    char path[FS_PATH];
    enum rc rc = RC_OK;
    buf_putc(plan, '[');
    for (size_t i = 0; i < what->nfolders && !rc; i++)
        rc = plan_folder(s, what->folders[i], i == 0, plan, err);
    buf_putc(plan, ']');
    folder_place(s, store_key(STORE_RUN, "manifest.json"), path);
    if (!rc)
        rc = fs_replace(path, what->manifest, err);
    folder_place(s, store_key(STORE_NEW, ""), path);
    if (!rc)
        rc = fs_sync_dir(path, err);
    folder_of(s)->planned = !rc;
    folder_of(s)->from = what->from;
    return rc ? rc : buf_check(plan, err);
}

enum rc folder_plan_read(struct folder_plan *p, struct str text, struct err *err)
{
    *p = (struct folder_plan){0};
    if (!text.n)
        return RC_OK;
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    yyjson_val *list = yyjson_doc_get_root(doc), *v;
    p->doc = doc;
    p->v = calloc(yyjson_arr_size(list) + 1, sizeof *p->v);
    if (!doc || !p->v) {
        folder_plan_release(p);
        return err_nomem(err);
    }
    size_t i, n;
    yyjson_arr_foreach(list, i, n, v)
    {
        const char *dir = yyjson_get_str(yyjson_obj_get(v, "d"));
        p->v[p->n++] =
            (struct folder_exchange){dir ? dir : "", yyjson_get_uint(yyjson_obj_get(v, "i"))};
    }
    return RC_OK;
}

bool folder_plan_has(const struct folder_plan *p, const char *dir)
{
    for (size_t i = 0; i < p->n; i++) {
        if (strcmp(p->v[i].dir, dir) == 0)
            return true;
    }
    return false;
}

void folder_plan_release(struct folder_plan *p)
{
    yyjson_doc_free(p->doc);
    free(p->v);
    *p = (struct folder_plan){0};
}

/* Where nothing is shown yet one call does, which every file system knows. */
static enum rc move_in(const char *from, const char *to, bool shown, struct err *err)
{
    if (shown)
        return fs_exchange(from, to, err);
    return fs_at_rename(from, to) == 0
               ? RC_OK
               : err_errno(err, RC_TRANSIENT, errno,
                           "cannot move the finished output to \"%s\"", to);
}

static enum rc show(struct store *s, const struct folder_exchange *e, struct err *err)
{
    char from[FS_PATH], to[FS_PATH];
    uint64_t waiting = 0, shown = 0;
    folder_place(s, store_key(STORE_NEW, e->dir), from);
    folder_place(s, store_key(STORE_SHOWN, e->dir), to);
    enum rc rc = look_up(to, &shown, err);
    if (!rc && shown == e->inode)
        return RC_OK;
    if (!rc)
        rc = look_up(from, &waiting, err);
    if (!rc && waiting == e->inode)
        return move_in(from, to, shown != 0, err);
    if (rc)
        return rc;
    (void)err_set(err, RC_SINK, "the finished folder \"%s\" is gone", from);
    return err_hint(err, "--restart exports again from the beginning");
}

static bool has_name(const struct fs_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->names[i], name) == 0)
            return true;
    }
    return false;
}

/* Folders of the last run that this one does not have, and does not leave as they are. Where the
   new manifest is shown already there is nothing left to do. */
static enum rc retire(struct store *s, const struct folder_plan *plan, struct err *err)
{
    struct fs_list old = {0}, stayed = {0};
    char from[FS_PATH], to[FS_PATH];
    folder_place(s, store_key(STORE_RUN, ""), from);
    enum rc rc = manifest_stayed(from, &stayed, err);
    if (!rc)
        rc = manifest_folders(folder_of(s)->out, &old, err);
    for (size_t i = 0; i < old.n && !rc; i++) {
        folder_place(s, store_key(STORE_SHOWN, old.names[i]), from);
        folder_place(s, store_key(STORE_NEW, old.names[i]), to);
        bool kept = folder_plan_has(plan, old.names[i]) || has_name(&stayed, old.names[i]);
        if (!kept && fs_at_rename(from, to) != 0 && errno != ENOENT)
            rc = err_errno(err, RC_TRANSIENT, errno, "cannot move \"%s\"", from);
    }
    fs_list_release(&old);
    fs_list_release(&stayed);
    return rc == RC_NONE ? RC_OK : rc;
}

static enum rc show_manifest(struct store *s, struct err *err)
{
    char from[FS_PATH], to[FS_PATH];
    folder_place(s, store_key(STORE_RUN, "manifest.json"), from);
    folder_place(s, store_key(STORE_SHOWN, "manifest.json"), to);
    if (fs_at_rename(from, to) != 0 && errno != ENOENT)
        return err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", to);
    return fs_sync_dir(folder_of(s)->out, err);
}

static enum rc still_there(struct folder_store *f, bool *yes, struct err *err)
{
    struct store_version now;
    struct buf text;
    *yes = true;
    if (!f->planned)
        return RC_OK;
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = folder_manifest(&f->base, &text, &now, err);
    buf_release(&text);
    rc = rc == RC_NONE ? RC_OK : rc;
    *yes = !rc && strcmp(now.tag, f->from.tag) == 0;
    f->planned = !*yes;
    return rc;
}

/* Both sides of all exchanges: the manifest may not outlive a folder that it speaks of. */
static enum rc sync_sides(struct store *s, struct err *err)
{
    char path[FS_PATH];
    folder_place(s, store_key(STORE_NEW, ""), path);
    enum rc rc = fs_sync_dir(folder_of(s)->out, err);
    return rc ? rc : fs_sync_dir(path, err);
}

static enum rc follow(struct store *s, const struct folder_plan *plan, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; i < plan->n && !rc; i++) {
        rc = show(s, &plan->v[i], err);
        store_point(s, "publish:folder");
    }
    if (!rc)
        rc = retire(s, plan, err);
    if (!rc)
        rc = sync_sides(s, err);
    store_point(s, "publish:retired");
    if (!rc)
        rc = show_manifest(s, err);
    store_point(s, "publish:manifest");
    return rc;
}

enum rc folder_swap(struct store *s, struct str plan, bool *won, struct err *err)
{
    struct folder_plan p;
    enum rc rc = folder_plan_read(&p, plan, err);
    if (rc)
        return rc;
    rc = still_there(folder_of(s), won, err);
    if (!rc && *won)
        rc = follow(s, &p, err);
    folder_plan_release(&p);
    return rc;
}
