/* SPDX-License-Identifier: MIT */
/* Folders for tests, and what a finished one holds as text that can be compared. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sinks/zst.h"
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
    if (fs_read(path, &b, &err) != RC_OK)
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

static void read_file(struct lines *l, const char *path)
{
    struct zst_reader r;
    struct err err = {0};
    struct str line;
    zst_reader_init(&r);
    enum rc rc = zst_reader_open(&r, path, UINT64_MAX, &err);
    while (!rc && (rc = zst_reader_line(&r, &line, &err)) == RC_OK)
        add_line(l, line);
    if (rc != RC_END)
        add_line(l, str_of(err.msg));
    zst_reader_release(&r);
}

char *fix_lines(const char *out, const char *folder)
{
    char dir[FS_PATH], path[FS_PATH];
    struct fs_list list = {0};
    struct err err;
    struct lines lines = {0};
    struct buf text;
    fs_path(dir, "%s/%s", out, folder);
    (void)!fs_list(dir, &list, &err);
    for (size_t i = 0; i < list.n; i++) {
        fs_path(path, "%s/%s", dir, list.names[i]);
        read_file(&lines, path);
    }
    if (lines.n)
        qsort(lines.p, lines.n, sizeof *lines.p, by_text);
    buf_init(&text, BUF_NO_LIMIT);
    for (size_t i = 0; i < lines.n; i++) {
        buf_puts(&text, lines.p[i]);
        buf_putc(&text, '\n');
        free(lines.p[i]);
    }
    free(lines.p);
    fs_list_release(&list);
    char *result = strdup(buf_cstr(&text));
    buf_release(&text);
    return result;
}

char *fix_everything(const char *out)
{
    static const char *const FOLDERS[] = {"item", "%2E.%2Fchild", "owner",   "owner_conflict",
                                          "link", "rejects",      "unrouted"};
    char path[FS_PATH];
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    for (size_t i = 0; i < sizeof FOLDERS / sizeof FOLDERS[0]; i++) {
        char *text = fix_lines(out, FOLDERS[i]);
        buf_addf(&b, "== %s\n%s", FOLDERS[i], text);
        free(text);
    }
    fs_path(path, "%s/manifest.json", out);
    char *manifest = fix_read(path);
    const char *items = strstr(manifest, "\"items\"");
    const char *end = items ? strstr(items, ",\n\"tables\"") : NULL;
    if (end)
        buf_addf(&b, "== %.*s\n", (int)(end - items), items);
    const char *conflicts = strstr(manifest, "\"conflicts\"");
    buf_puts(&b, conflicts ? conflicts : "no manifest\n");
    free(manifest);
    char *result = strdup(buf_cstr(&b));
    buf_release(&b);
    return result;
}
