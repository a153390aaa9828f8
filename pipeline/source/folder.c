/* SPDX-License-Identifier: MIT */
/*
 * The folder is walked once, depth first, entries sorted by bytes, so that the order is the same
 * on every machine. Data files are told by name here (a folder may hold anything), and what is
 * in them by content later. What is left out is counted.
 */
#include "pipeline/source/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#include "pipeline/source/export.h"

enum { DEPTH_MAX = 32 };

struct names {
    const char **list;
    size_t n, cap;
};

struct walk {
    struct arena arena;
    struct names files;
    struct names others;    /* whose names are not those of data files */
    struct names exports;   /* folders with a summary */
    const char *unfinished; /* a folder with other traces of an export, or NULL */
};

static enum rc add_name(struct names *names, const char *name, struct err *err)
{
    if (names->n == names->cap) {
        size_t cap = names->cap ? names->cap * 2 : 16;
        const char **list = realloc(names->list, cap * sizeof *list);
        if (!list)
            return err_nomem(err);
        names->list = list;
        names->cap = cap;
    }
    names->list[names->n++] = name;
    return RC_OK;
}

enum name_kind {
    NAME_OTHER,
    NAME_DATA,  /* must be items */
    NAME_PACKED /* only its packing is told: read if it holds items (some tools name them so) */
};

static bool ends_with(struct str s, const char *end)
{
    size_t n = strlen(end);
    return s.n >= n && strncasecmp(s.p + s.n - n, end, n) == 0;
}

static enum name_kind kind_of(const char *name)
{
    static const char *const ENDS[] = {".json", ".jsonl", ".ndjson"};
    static const char *const PACKS[] = {".gz", ".zst"};
    struct str s = str_of(name);
    bool packed = false;
    for (size_t i = 0; i < sizeof PACKS / sizeof PACKS[0] && !packed; i++) {
        packed = ends_with(s, PACKS[i]);
        s.n -= packed ? strlen(PACKS[i]) : 0;
    }
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        if (ends_with(s, ENDS[i]))
            return NAME_DATA;
    }
    return packed ? NAME_PACKED : NAME_OTHER;
}

static const char *join(struct arena *a, const char *folder, const char *name)
{
    struct str f = str_of(folder), n = str_of(name);
    bool slash = str_ends(f, STR("/"));
    char *p = arena_alloc(a, f.n + n.n + 2);
    if (!p)
        return NULL;
    memcpy(p, f.p, f.n);
    if (!slash)
        p[f.n++] = '/';
    memcpy(p + f.n, n.p, n.n + 1);
    return p;
}

static enum rc walk_file(struct walk *w, const char *folder, const char *name, const char *path,
                         struct err *err)
{
    if (strcmp(name, "manifest-summary.json") == 0)
        return add_name(&w->exports, folder, err);
    if (strcmp(name, "manifest-files.json") == 0 || strcmp(name, "_started") == 0) {
        if (!w->unfinished)
            w->unfinished = folder;
        return RC_OK;
    }
    return add_name(kind_of(name) == NAME_OTHER ? &w->others : &w->files, path, err);
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static enum rc walk_folder(struct walk *w, const char *folder, int depth, struct err *err);

static enum rc walk_entry(struct walk *w, const char *folder, const char *name, int depth,
                          struct err *err)
{
    struct stat st;
    const char *path = join(&w->arena, folder, name);
    if (!path)
        return err_nomem(err);
    if (stat(path, &st) != 0)
        return err_errno(err, RC_USAGE, errno, "cannot look at \"%s\"", path);
    if (S_ISDIR(st.st_mode))
        return walk_folder(w, path, depth + 1, err);
    return S_ISREG(st.st_mode) ? walk_file(w, folder, name, path, err) : RC_OK;
}

static enum rc walk_folder(struct walk *w, const char *folder, int depth, struct err *err)
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

static enum rc several_exports(const struct walk *w, const char *path, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s\" holds %zu exports", path, w->exports.n);
    return err_hint(err, "name one of them, such as \"%s\" or \"%s\"", w->exports.list[0],
                    w->exports.list[1]);
}

/* Beside the one export nothing may lie that would be left unread in silence. */
static enum rc add_export(struct inputs *ins, const struct walk *w, const char *path,
                          struct err *err)
{
    const char *at = w->exports.list[0];
    struct str folder = str_of(at);
    enum rc rc = export_add(ins, at, err);
    for (size_t i = 0; i < w->files.n && !rc; i++) {
        struct str file = str_of(w->files.list[i]);
        if (str_starts(file, folder) && file.p[folder.n] == '/')
            continue;
        rc = err_set(err, RC_USAGE, "\"%s\" holds an export and other data, such as \"%s\"",
                     path, file.p);
        (void)err_hint(err, "name the export alone: \"%s\"", at);
    }
    return rc;
}

static enum rc add_file(struct inputs *ins, const char *path, struct err *err)
{
    enum rc rc = inputs_add_file(ins, path, NULL, err);
    if (rc != RC_USAGE || kind_of(path) != NAME_PACKED)
        return rc;
    err_clear(err); /* packed, but no items */
    return inputs_leave_out(ins, path, err);
}

static enum rc no_data(const char *path, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s\" holds no data files", path);
    return err_hint(err, "names that end in .json, .jsonl or .ndjson are read, also with .gz "
                         "or .zst behind");
}

static enum rc add_found(struct inputs *ins, const struct walk *w, const char *path,
                         struct err *err)
{
    if (w->exports.n == 1)
        return add_export(ins, w, path, err);
    if (w->exports.n > 1)
        return several_exports(w, path, err);
    if (w->unfinished) {
        (void)err_set(err, RC_USAGE, "\"%s\" is an export without \"manifest-summary.json\"",
                      w->unfinished);
        return err_hint(err, "wait until the export is complete, and copy all of it");
    }
    size_t before = ins->n;
    enum rc rc = RC_OK;
    for (size_t i = 0; i < w->files.n && !rc; i++)
        rc = add_file(ins, w->files.list[i], err);
    for (size_t i = 0; i < w->others.n && !rc; i++)
        rc = inputs_leave_out(ins, w->others.list[i], err);
    return rc || ins->n > before ? rc : no_data(path, err);
}

enum rc folder_add(struct inputs *ins, const char *path, struct err *err)
{
    struct walk w = {0};
    arena_init(&w.arena, 16 << 10);
    struct str s = str_of(path);
    while (s.n > 1 && s.p[s.n - 1] == '/')
        s.n--;
    const char *root = arena_cstr(&w.arena, s);
    enum rc rc = root ? walk_folder(&w, root, 0, err) : err_nomem(err);
    if (!rc)
        rc = add_found(ins, &w, root, err);
    free(w.files.list);
    free(w.others.list);
    free(w.exports.list);
    arena_release(&w.arena);
    return rc;
}
