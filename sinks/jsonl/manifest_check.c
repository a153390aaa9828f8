/* SPDX-License-Identifier: MIT */
/*
 * What readers find by looking into the folders must be what the manifest speaks of, so a part that
 * it does not name is as bad as one that is missing (which the reader of lines tells).
 */
#include <stdlib.h>

#include "sinks/jsonl/manifest_read.h"

static enum rc unnamed(const struct jsonl_manifest *m, const char *name, struct err *err)
{
    char place[FS_PATH];
    m->store->ops->place(m->store, store_key(STORE_SHOWN, name), place);
    (void)err_set(err, RC_SINK, "the manifest does not name \"%s\"", place);
    return err_hint(err,
                    "a run that was cut short while it was shown is completed by running it "
                    "again; else somebody put it there");
}

static int by_name(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static enum rc check_names(const struct jsonl_manifest *m, const struct jsonl_table_info *t,
                           const struct fs_list *list, const struct str *names, struct err *err)
{
    char folder[FS_PATH];
    for (size_t i = 0; i < list->n; i++) {
        struct str name = str_of(list->names[i]);
        if (bsearch(&name, names, t->nfiles, sizeof name, by_name))
            continue;
        fs_path(folder, "%.*s/%s", STR_FMT(t->folder), list->names[i]);
        return unnamed(m, folder, err);
    }
    return RC_OK;
}

static enum rc check_folder(const struct jsonl_manifest *m, const struct jsonl_table_info *t,
                            struct err *err)
{
    char folder[FS_PATH];
    struct fs_list list = {0};
    struct str *names = calloc(t->nfiles + 1, sizeof *names);
    if (!names)
        return err_nomem(err);
    for (size_t i = 0; i < t->nfiles; i++)
        names[i] = t->files[i].name;
    qsort(names, t->nfiles, sizeof *names, by_name);
    fs_path(folder, "%.*s", STR_FMT(t->folder));
    enum rc rc = m->store->ops->list(m->store, store_key(STORE_SHOWN, folder), &list, err);
    if (!rc)
        rc = check_names(m, t, &list, names, err);
    fs_list_release(&list);
    free(names);
    return rc;
}

static enum rc check_sums(const struct jsonl_table_info *t, struct err *err)
{
    uint64_t rows = 0, bytes = 0;
    for (size_t i = 0; i < t->nfiles; i++) {
        rows += t->files[i].rows;
        bytes += t->files[i].bytes;
    }
    if (rows == t->rows && bytes == t->bytes)
        return RC_OK;
    return err_set(err, RC_SINK,
                   "the manifest says that \"%.*s\" has %llu rows and %llu bytes, but of its "
                   "files %llu and %llu",
                   STR_FMT(t->folder), (unsigned long long)t->rows,
                   (unsigned long long)t->bytes, (unsigned long long)rows,
                   (unsigned long long)bytes);
}

static bool is_named(const struct jsonl_manifest *m, const char *name)
{
    struct str folder = str_of(name);
    for (size_t i = 0; i < m->ntables; i++) {
        if (str_eq(m->tables[i].folder, folder))
            return true;
    }
    return str_eq(m->rejects.folder, folder) || str_eq(m->unrouted.folder, folder);
}

/* A folder that holds parts and is of no table. Other files are nobody's rows. */
static enum rc check_others(const struct jsonl_manifest *m, struct err *err)
{
    struct fs_list all = {0};
    enum rc rc = m->store->ops->list(m->store, store_key(STORE_SHOWN, ""), &all, err);
    for (size_t i = 0; i < all.n && !rc; i++) {
        struct fs_list list = {0};
        struct err no_folder;
        if (all.names[i][0] == '.' || is_named(m, all.names[i]) ||
            m->store->ops->list(m->store, store_key(STORE_SHOWN, all.names[i]), &list,
                                &no_folder))
            continue;
        for (size_t k = 0; k < list.n && !rc; k++) {
            if (strncmp(list.names[k], "part-", 5) == 0)
                rc = unnamed(m, all.names[i], err);
        }
        fs_list_release(&list);
    }
    fs_list_release(&all);
    return rc;
}

static enum rc check_head(const struct jsonl_manifest *m, struct err *err)
{
    const uint64_t *n = m->items;
    if (n[CNT_READ] != n[CNT_ROUTED] + n[CNT_FILTERED] + n[CNT_UNROUTED] + n[CNT_REJECTED]) {
        return err_set(err, RC_SINK, "the manifest's items do not add up to the %llu read",
                       (unsigned long long)n[CNT_READ]);
    }
    return m->started_us > 0 ? RC_OK
                             : err_set(err, RC_SINK, "the manifest says no time of its run");
}

enum rc jsonl_manifest_check(const struct jsonl_manifest *m, struct err *err)
{
    enum rc rc = check_head(m, err);
    for (size_t i = 0; i < m->ntables + 2 && !rc; i++) {
        const struct jsonl_table_info *t = i < m->ntables    ? &m->tables[i]
                                           : i == m->ntables ? &m->rejects
                                                             : &m->unrouted;
        rc = check_sums(t, err);
        if (!rc)
            rc = check_folder(m, t, err);
    }
    return rc ? rc : check_others(m, err);
}
