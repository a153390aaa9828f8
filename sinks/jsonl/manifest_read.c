/* SPDX-License-Identifier: MIT */
/*
 * A manifest can be edited by anyone: names that are no single path component are refused,
 * and each file is checked against its size, row count and sha256 while it is read.
 */
#include "sinks/jsonl/manifest_read.h"

#include <stdlib.h>

#include <yyjson.h>

static struct str text(yyjson_val *obj, const char *name)
{
    yyjson_val *v = yyjson_obj_get(obj, name);
    return str_make(yyjson_get_str(v), yyjson_get_len(v));
}

static uint64_t num(yyjson_val *obj, const char *name)
{
    return yyjson_get_uint(yyjson_obj_get(obj, name));
}

static bool component(struct str name)
{
    return name.n && name.p[0] != '.' && !memchr(name.p, '/', name.n) &&
           !memchr(name.p, '\0', name.n);
}

static enum rc read_table(yyjson_val *v, struct jsonl_table_info *t, struct err *err)
{
    *t = (struct jsonl_table_info){
        .name = text(v, "name"),
        .folder = text(v, "folder"),
        .kind = text(v, "kind"),
        .stayed = yyjson_obj_get(v, "run") != NULL,
        .model_hash = text(yyjson_obj_get(v, "run"), "model_hash"),
        .options = text(yyjson_obj_get(v, "run"), "options"),
        .started_us = yyjson_get_sint(yyjson_obj_get(yyjson_obj_get(v, "run"), "started_us")),
        .rows = num(v, "rows"),
        .bytes = num(v, "bytes")};
    yyjson_val *files = yyjson_obj_get(v, "files"), *f;
    size_t i, n;
    t->files = calloc(yyjson_arr_size(files) + 1, sizeof *t->files);
    if (!t->files)
        return err_nomem(err);
    bool good = component(t->folder);
    yyjson_arr_foreach(files, i, n, f)
    {
        t->files[t->nfiles] = (struct jsonl_part_info){text(f, "name"), text(f, "sha256"),
                                                       num(f, "rows"), num(f, "bytes")};
        good = good && component(t->files[t->nfiles++].name);
    }
    return good ? RC_OK
                : err_set(err, RC_USAGE, "the manifest names a file outside its folder");
}

static enum rc read_counts(yyjson_val *obj, struct jsonl_count **out, size_t *n,
                           struct err *err)
{
    size_t i, max;
    yyjson_val *k, *v;
    *out = calloc(yyjson_obj_size(obj) + 1, sizeof **out);
    if (!*out)
        return err_nomem(err);
    yyjson_obj_foreach(obj, i, max, k, v)
    {
        (*out)[(*n)++] = (struct jsonl_count){str_make(yyjson_get_str(k), yyjson_get_len(k)),
                                              yyjson_get_uint(v)};
    }
    return RC_OK;
}

static void read_head(yyjson_val *root, struct jsonl_manifest *m)
{
    static const char *const ITEMS[CNT_FIXED] = {"read", "routed", "filtered", "unrouted",
                                                 "rejected"};
    m->version = text(root, "version");
    m->name = text(root, "name");
    m->model_hash = text(root, "model_hash");
    m->source = text(root, "source");
    m->options = text(root, "options");
    m->started_us = yyjson_get_sint(yyjson_obj_get(root, "started_us"));
    m->segments = (uint32_t)num(root, "segments");
    m->conflicts = num(root, "conflicts");
    m->missing_mirrors = num(root, "missing_mirrors");
    for (int i = 0; i < CNT_FIXED; i++)
        m->items[i] = num(yyjson_obj_get(root, "items"), ITEMS[i]);
}

static enum rc read_all(yyjson_val *root, struct jsonl_manifest *m, struct err *err)
{
    yyjson_val *tables = yyjson_obj_get(root, "tables"), *t;
    yyjson_val *rejects = yyjson_obj_get(root, "rejects");
    yyjson_val *unrouted = yyjson_obj_get(root, "unrouted");
    size_t i, n;
    read_head(root, m);
    m->tables = calloc(yyjson_arr_size(tables) + 1, sizeof *m->tables);
    enum rc rc = m->tables ? RC_OK : err_nomem(err);
    yyjson_arr_foreach(tables, i, n, t)
    {
        if (!rc)
            rc = read_table(t, &m->tables[m->ntables++], err);
    }
    if (!rc)
        rc = read_table(rejects, &m->rejects, err);
    if (!rc)
        rc = read_table(unrouted, &m->unrouted, err);
    if (!rc)
        rc = read_counts(yyjson_obj_get(rejects, "by_reason"), &m->reasons, &m->nreasons, err);
    if (!rc)
        rc = read_counts(yyjson_obj_get(unrouted, "by_type"), &m->types, &m->ntypes, err);
    return rc ? rc : read_counts(yyjson_obj_get(root, "notes"), &m->notes, &m->nnotes, err);
}

enum rc jsonl_manifest_read(struct store *store, struct jsonl_manifest **m, struct err *err)
{
    char path[FS_PATH];
    struct buf bytes;
    struct store_version version;
    struct jsonl_manifest *made = calloc(1, sizeof *made);
    if (!made)
        return err_nomem(err);
    made->store = store;
    store->ops->place(store, store_key(STORE_SHOWN, "manifest.json"), path);
    buf_init(&bytes, BUF_NO_LIMIT);
    enum rc rc = store->ops->manifest(store, &bytes, &version, err);
    if (!rc)
        rc = store_manifest_check(&bytes, path, err);
    if (!rc) {
        made->doc = yyjson_read(bytes.p, bytes.len, 0);
        rc = read_all(yyjson_doc_get_root(made->doc), made, err);
    }
    buf_release(&bytes);
    if (rc) {
        jsonl_manifest_free(made);
    } else {
        *m = made;
    }
    return rc;
}

void jsonl_manifest_free(struct jsonl_manifest *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->ntables; i++)
        free(m->tables[i].files);
    free(m->tables);
    free(m->rejects.files);
    free(m->unrouted.files);
    free(m->reasons);
    free(m->types);
    free(m->notes);
    yyjson_doc_free(m->doc);
    free(m);
}

const struct jsonl_table_info *jsonl_manifest_table(const struct jsonl_manifest *m,
                                                    struct str name)
{
    for (size_t i = 0; i < m->ntables; i++) {
        if (str_eq(m->tables[i].name, name))
            return &m->tables[i];
    }
    return NULL;
}

static void raise_to_last(const struct jsonl_table_info *t, uint32_t *last)
{
    static const struct str BEGIN = {"part-", 5}, END = {".jsonl.zst", 10};
    for (size_t i = 0; i < t->nfiles; i++) {
        struct str name = t->files[i].name;
        unsigned long long n = 0;
        if (!str_starts(name, BEGIN) || !str_ends(name, END))
            continue;
        name = str_make(name.p + BEGIN.n, name.n - BEGIN.n - END.n);
        /* a forged number must leave room for ours */
        if (str_uint(name, &n) && n <= UINT32_MAX / 2 && n > *last)
            *last = (uint32_t)n;
    }
}

uint32_t jsonl_manifest_last_file(const struct jsonl_manifest *m)
{
    uint32_t last = 0;
    for (size_t i = 0; i < m->ntables; i++)
        raise_to_last(&m->tables[i], &last);
    raise_to_last(&m->rejects, &last);
    raise_to_last(&m->unrouted, &last);
    return last;
}

void jsonl_lines_init(struct jsonl_lines *r, const struct jsonl_manifest *m,
                      const struct jsonl_table_info *table)
{
    *r = (struct jsonl_lines){.m = m, .table = table};
    zst_reader_init(&r->reader);
}

void jsonl_lines_release(struct jsonl_lines *r)
{
    zst_reader_release(&r->reader);
}

static enum rc open_file(struct jsonl_lines *r, struct err *err)
{
    char name[FS_PATH];
    const struct jsonl_part_info *f = &r->table->files[r->file];
    fs_path(name, "%.*s/%.*s", STR_FMT(r->table->folder), STR_FMT(f->name));
    r->rows = 0;
    r->open = true;
    return zst_reader_open(&r->reader, r->m->store, store_key(STORE_SHOWN, name), UINT64_MAX,
                           err);
}

static enum rc check_file(struct jsonl_lines *r, struct err *err)
{
    static const char HEX[] = "0123456789abcdef";
    const struct jsonl_part_info *f = &r->table->files[r->file];
    unsigned char sha[ZST_SHA];
    char hex[2 * ZST_SHA];
    zst_reader_sha(&r->reader, sha);
    for (size_t i = 0; i < ZST_SHA; i++) {
        hex[2 * i] = HEX[sha[i] >> 4];
        hex[2 * i + 1] = HEX[sha[i] & 15];
    }
    r->open = false;
    r->file++;
    if (!str_eq(f->sha256, str_make(hex, sizeof hex))) {
        return err_set(err, RC_SINK,
                       "\"%s\" is not the file of the manifest: its sha256 differs",
                       r->reader.path);
    }
    if (r->rows != f->rows) {
        return err_set(err, RC_SINK, "\"%s\" has %llu rows, the manifest says %llu",
                       r->reader.path, (unsigned long long)r->rows,
                       (unsigned long long)f->rows);
    }
    return RC_OK;
}

enum rc jsonl_lines_next(struct jsonl_lines *r, struct str *line, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc) {
        if (r->file >= r->table->nfiles)
            return RC_END;
        if (!r->open)
            rc = open_file(r, err);
        if (rc)
            break;
        rc = zst_reader_line(&r->reader, line, err);
        if (!rc) {
            r->rows++;
            return RC_OK;
        }
        if (rc == RC_END)
            rc = check_file(r, err);
    }
    return rc;
}
