/* SPDX-License-Identifier: MIT */
/*
 * A folder is walked depth first, entries sorted by bytes, so that the order is the same on
 * every machine.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "pipeline/source/files/origin.h"

enum { DEPTH_MAX = 32 };

struct walk {
    enum rc (*found)(void *ctx, const char *name, struct err *err);
    void *ctx;
};

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static enum rc walk_folder(const struct walk *w, const char *folder, int depth,
                           struct err *err);

static enum rc walk_path(const struct walk *w, const char *path, int depth, struct err *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return err_errno(err, RC_USAGE, errno, "cannot look at \"%s\"", path);
    if (S_ISDIR(st.st_mode))
        return walk_folder(w, path, depth + 1, err);
    return S_ISREG(st.st_mode) ? w->found(w->ctx, path, err) : RC_OK;
}

static enum rc walk_entry(const struct walk *w, const char *folder, const char *name, int depth,
                          struct err *err)
{
    struct buf path;
    buf_init(&path, BUF_NO_LIMIT);
    buf_addf(&path, "%s%s%s", folder, str_ends(str_of(folder), STR("/")) ? "" : "/", name);
    enum rc rc = buf_check(&path, err);
    if (!rc)
        rc = walk_path(w, buf_cstr(&path), depth, err);
    buf_release(&path);
    return rc;
}

static enum rc walk_folder(const struct walk *w, const char *folder, int depth, struct err *err)
{
    struct dirent **entries = NULL;
    if (depth > DEPTH_MAX) {
        return err_set(err, RC_USAGE, "\"%s\": folders lie too deep (a loop of links?)",
                       folder);
    }
    int n = scandir(folder, &entries, not_hidden, by_bytes);
    if (n < 0)
        return err_errno(err, RC_USAGE, errno, "cannot list \"%s\"", folder);
    enum rc rc = RC_OK;
    for (int i = 0; i < n; i++) {
        if (!rc)
            rc = walk_entry(w, folder, entries[i]->d_name, depth, err);
        free(entries[i]);
    }
    free(entries);
    return rc;
}

enum rc origin_walk_local(const struct origin *o, const char *folder,
                          enum rc (*found)(void *ctx, const char *name, struct err *err),
                          void *ctx, struct err *err)
{
    (void)o;
    struct walk w = {found, ctx};
    return walk_folder(&w, folder, 0, err);
}
