/* SPDX-License-Identifier: MIT */
/*
 * The folder is walked once. Data files are told by name here (a folder may hold anything), and
 * what is in them by content later. What is left out is counted.
 */
#include "pipeline/source/files/find/folder.h"

#include <stdlib.h>
#include <strings.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/files/find/export_folder.h"

struct names {
    const char **list;
    size_t n, cap;
};

struct found {
    struct arena arena;
    struct names files;
    struct names others;    /* whose names are not those of data files */
    struct names exports;   /* folders with a summary */
    const char *unfinished; /* a folder with other traces of an export, or NULL */
};

static enum rc add_name(struct names *names, const char *name, struct err *err)
{
    const char **list = memory_push(names->list, names->n, &names->cap, 16, sizeof *list);
    if (!list)
        return err_nomem(err);
    names->list = list;
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

/* A file of the walk; ctx is the struct found. */
static enum rc note_file(void *ctx, const char *path, struct err *err)
{
    struct found *f = ctx;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    bool summary = strcmp(name, "manifest-summary.json") == 0;
    bool trace = strcmp(name, "manifest-files.json") == 0 || strcmp(name, "_started") == 0;
    struct str kept = str_of(path);
    /* an export is known by its folder, another file by its own name */
    if (summary || trace)
        kept.n = slash ? (size_t)(slash - path) : 0;
    const char *own = arena_cstr(&f->arena, kept);
    if (!own)
        return err_nomem(err);
    if (summary)
        return add_name(&f->exports, own, err);
    if (trace) {
        if (!f->unfinished)
            f->unfinished = own;
        return RC_OK;
    }
    return add_name(kind_of(name) == NAME_OTHER ? &f->others : &f->files, own, err);
}

static enum rc several_exports(const struct found *f, const char *path, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s\" holds %zu exports", path, f->exports.n);
    return err_hint(err, "name one of them, such as \"%s\" or \"%s\"", f->exports.list[0],
                    f->exports.list[1]);
}

/* Beside the one export nothing may lie that would be left unread in silence. */
static enum rc add_export(struct inputs *ins, const struct found *f, const char *path,
                          struct err *err)
{
    const char *at = f->exports.list[0];
    struct str folder = str_of(at);
    enum rc rc = export_add(ins, at, err);
    for (size_t i = 0; i < f->files.n && !rc; i++) {
        struct str file = str_of(f->files.list[i]);
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
    err_clear(err); /* a packed file may hold something else than items */
    return inputs_leave_out(ins, path, err);
}

static enum rc no_data(const char *path, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s\" holds no data files", path);
    return err_hint(err, "names that end in .json, .jsonl or .ndjson are read, also with .gz "
                         "or .zst behind");
}

static enum rc add_found(struct inputs *ins, const struct found *f, const char *path,
                         struct err *err)
{
    if (f->exports.n == 1)
        return add_export(ins, f, path, err);
    if (f->exports.n > 1)
        return several_exports(f, path, err);
    if (f->unfinished) {
        (void)err_set(err, RC_USAGE, "\"%s\" is an export without \"manifest-summary.json\"",
                      f->unfinished);
        return err_hint(err, "wait until the export is complete, and copy all of it");
    }
    size_t before = ins->n;
    enum rc rc = RC_OK;
    origin_foretell(ins->origin, f->files.list, f->files.n);
    for (size_t i = 0; i < f->files.n && !rc; i++)
        rc = add_file(ins, f->files.list[i], err);
    for (size_t i = 0; i < f->others.n && !rc; i++)
        rc = inputs_leave_out(ins, f->others.list[i], err);
    return rc || ins->n > before ? rc : no_data(path, err);
}

enum rc folder_add(struct inputs *ins, const char *path, struct err *err)
{
    struct found f = {0};
    arena_init(&f.arena, 16 << 10);
    struct str s = str_of(path);
    while (s.n > 1 && s.p[s.n - 1] == '/')
        s.n--;
    const char *root = arena_cstr(&f.arena, s);
    enum rc rc =
        root ? ins->origin->ops->walk(ins->origin, root, note_file, &f, err) : err_nomem(err);
    if (!rc)
        rc = add_found(ins, &f, root, err);
    origin_foretell(ins->origin, NULL, 0);
    free(f.files.list);
    free(f.others.list);
    free(f.exports.list);
    arena_release(&f.arena);
    return rc;
}
