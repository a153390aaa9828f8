/* SPDX-License-Identifier: MIT */
/* Folders for tests, and what a finished one holds as text that can be compared. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sinks/jsonl/folder_status.h"
#include "sinks/store/folder/folder_store.h"
#include "sinks/store/zst.h"
#include "tests/harness/jsonl_fixture.h"

void fix_tmp(char path[256])
{
    /* in memory where possible: these tests sync a great deal */
    const char *tmp = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe) */
    (void)snprintf(path, 200, "/dev/shm/renorm-fix-XXXXXX");
    if (!mkdtemp(path)) {
        (void)snprintf(path, 200, "%s/renorm-fix-XXXXXX", tmp ? tmp : "/tmp");
        if (!mkdtemp(path))
            abort();
    }
    (void)rmdir(path);
}

void fix_remove(const char *path)
{
    struct err err;
    (void)!fs_remove(path, &err);
}

char *fix_read(const char *path)
{
    struct buf b;
    struct err err;
    buf_init(&b, BUF_NO_LIMIT);
    if (fs_read(path, &b, &err))
        buf_clear(&b);
    char *text = strdup(buf_cstr(&b));
    buf_release(&b);
    return text;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct lines {
    char **p;
    size_t n;
};

static void add_line(struct lines *l, struct str line)
{
    l->p = realloc(l->p, (l->n + 1) * sizeof *l->p);
    l->p[l->n] = strndup(line.p ? line.p : "", line.n);
    l->n++;
}

static void read_file(struct lines *l, struct store *store, const char *name)
{
    struct zst_reader r;
    struct err err = {0};
    struct str line;
    zst_reader_init(&r);
    enum rc rc = zst_reader_open(&r, store, store_key(STORE_SHOWN, name), UINT64_MAX, &err);
    while (!rc && !(rc = zst_reader_line(&r, &line, &err)))
        add_line(l, line);
    if (rc != RC_END)
        add_line(l, str_of(err.msg));
    zst_reader_release(&r);
}

static void add_lines(struct buf *text, struct store *store, const char *folder)
{
    char name[FS_PATH];
    struct fs_list list = {0};
    struct err err;
    struct lines lines = {0};
    (void)!store->ops->list(store, store_key(STORE_SHOWN, folder), &list, &err);
    for (size_t i = 0; i < list.n; i++) {
        fs_path(name, "%s/%s", folder, list.names[i]);
        read_file(&lines, store, name);
    }
    if (lines.n)
        qsort(lines.p, lines.n, sizeof *lines.p, by_text);
    for (size_t i = 0; i < lines.n; i++) {
        buf_puts(text, lines.p[i]);
        buf_putc(text, '\n');
        free(lines.p[i]);
    }
    free(lines.p);
    fs_list_release(&list);
}

static char *taken(struct buf *text)
{
    char *result = strdup(buf_cstr(text));
    buf_release(text);
    return result;
}

struct store *fix_look(const char *out)
{
    struct store *store = NULL;
    struct err err;
    if (folder_store_look(out, &store, &err))
        abort();
    return store;
}

enum rc fix_status(const char *out, struct jsonl_status *st, struct err *err)
{
    struct store *store = fix_look(out);
    enum rc rc = jsonl_status_read(store, st, err);
    store_close(store);
    return rc;
}

char *fix_lines(const char *out, const char *folder)
{
    struct buf text;
    struct store *store = fix_look(out);
    buf_init(&text, BUF_NO_LIMIT);
    add_lines(&text, store, folder);
    store_close(store);
    return taken(&text);
}

char *fix_everything_in(struct store *store)
{
    static const char *const FOLDERS[] = {"item", "%2E.%2Fchild", "owner",   "owner_conflict",
                                          "link", "rejects",      "unrouted"};
    struct buf b, manifest;
    struct store_version version;
    struct err err;
    buf_init(&b, BUF_NO_LIMIT);
    buf_init(&manifest, BUF_NO_LIMIT);
    for (size_t i = 0; i < sizeof FOLDERS / sizeof FOLDERS[0]; i++) {
        buf_addf(&b, "== %s\n", FOLDERS[i]);
        add_lines(&b, store, FOLDERS[i]);
    }
    (void)!store->ops->manifest(store, &manifest, &version, &err);
    const char *text = buf_cstr(&manifest);
    const char *items = strstr(text, "\"items\"");
    const char *end = items ? strstr(items, ",\n\"tables\"") : NULL;
    if (end)
        buf_addf(&b, "== %.*s\n", (int)(end - items), items);
    const char *conflicts = strstr(text, "\"conflicts\"");
    buf_puts(&b, conflicts ? conflicts : "no manifest\n");
    buf_release(&manifest);
    return taken(&b);
}

char *fix_everything(const char *out)
{
    struct store *store = fix_look(out);
    char *all = fix_everything_in(store);
    store_close(store);
    return all;
}
