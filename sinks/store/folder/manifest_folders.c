/* SPDX-License-Identifier: MIT */
/*
 * A manifest is read with suspicion: a name that is no single path component is left out, so
 * that a forged one cannot point elsewhere.
 */
#include "sinks/store/folder/manifest_folders.h"

#include <stdlib.h>

#include <yyjson.h>

#include "sinks/store/store.h"

static void add(struct fs_list *list, yyjson_val *of)
{
    const char *name = yyjson_get_str(yyjson_obj_get(of, "folder"));
    if (name && name[0] && name[0] != '.' && !strchr(name, '/'))
        list->names[list->n] = strdup(name);
    if (list->names[list->n])
        list->n++;
}

static enum rc collect(yyjson_val *root, bool stayed, struct fs_list *list, struct err *err)
{
    yyjson_val *tables = yyjson_obj_get(root, "tables"), *t;
    list->names = calloc(yyjson_arr_size(tables) + 3, sizeof *list->names);
    if (!list->names)
        return err_nomem(err);
    size_t i, n;
    yyjson_arr_foreach(tables, i, n, t)
    {
        if (!stayed || yyjson_obj_get(t, "run"))
            add(list, t);
    }
    if (stayed)
        return RC_OK;
    add(list, yyjson_obj_get(root, "rejects"));
    add(list, yyjson_obj_get(root, "unrouted"));
    return RC_OK;
}

static enum rc read_folders(const char *out, bool stayed, struct fs_list *folders,
                            struct err *err)
{
    char path[FS_PATH];
    struct buf text;
    *folders = (struct fs_list){0};
    fs_path(path, "%s/manifest.json", out);
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = fs_read(path, &text, err);
    if (!rc)
        rc = store_manifest_check(&text, path, err);
    if (!rc) {
        yyjson_doc *doc = yyjson_read(text.p, text.len, 0);
        rc = collect(yyjson_doc_get_root(doc), stayed, folders, err);
        yyjson_doc_free(doc);
    }
    buf_release(&text);
    return rc;
}

enum rc manifest_folders(const char *out, struct fs_list *folders, struct err *err)
{
    return read_folders(out, false, folders, err);
}

enum rc manifest_stayed(const char *run, struct fs_list *folders, struct err *err)
{
    return read_folders(run, true, folders, err);
}
