/* SPDX-License-Identifier: MIT */
/*
 * A log that does not exist is an empty one: its process ended before it wrote. Names that
 * state_log_path would not print are not logs.
 */
#include "sinks/dynamodb/journal/logs.h"

#include <stdio.h>
#include <stdlib.h>

#include "sinks/store/record_log.h"

static bool read_name(const struct state *s, const char *text, struct log_name *out)
{
    struct str parts[3], rest = str_of(text);
    unsigned long long v[3];
    for (int i = 0; i < 3; i++) {
        size_t end = str_find(rest, i < 2 ? STR("-") : STR(".log"), 0);
        parts[i] = str_make(rest.p, end);
        if (!str_uint(parts[i], &v[i]) || v[i] > UINT32_MAX || end == rest.n)
            return false;
        rest = str_from(rest, end + 1);
    }
    *out = (struct log_name){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    char path[FS_PATH];
    state_log_path(s, out->pass, out->generation, out->worker, path);
    return str_ends(str_of(path), str_of(text));
}

static int cmp(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_age(const void *a, const void *b)
{
    const struct log_name *x = a, *y = b;
    int c = cmp(x->pass, y->pass);
    if (!c)
        c = cmp(x->generation, y->generation);
    return c ? c : cmp(x->worker, y->worker);
}

enum rc logs_find(struct logs *out, const struct state *s, uint32_t pass, struct err *err)
{
    char dir[FS_PATH];
    struct fs_list list = {0};
    *out = (struct logs){0};
    fs_path(dir, STATE_OWN "log", s->dir);
    enum rc rc = fs_list(dir, &list, err);
    if (rc)
        return rc == RC_NONE ? RC_OK : rc;
    struct log_name name, *v = calloc(list.n + 1, sizeof *v);
    for (size_t i = 0; i < list.n && v; i++) {
        if (read_name(s, list.names[i], &name) && (!pass || name.pass == pass))
            v[out->n++] = name;
    }
    fs_list_release(&list);
    if (!v)
        return err_nomem(err);
    qsort(v, out->n, sizeof *v, by_age);
    out->v = v;
    return RC_OK;
}

void logs_release(struct logs *l)
{
    free(l->v);
    *l = (struct logs){0};
}

enum rc logs_read(const struct state *s, struct log_name name,
                  enum rc (*each)(void *ctx, struct log_name name, const struct entry *e,
                                  struct err *err),
                  void *ctx, uint64_t *end, struct err *err)
{
    char path[FS_PATH];
    struct record_log_reader r;
    struct str json;
    struct entry e;
    state_log_path(s, name.pass, name.generation, name.worker, path);
    enum rc rc = record_log_open(&r, path, err);
    while (!rc && !(rc = record_log_next(&r, &json, err))) {
        while (!(rc = entry_next(&json, &e, err)) && !(rc = each(ctx, name, &e, err))) {
        }
        if (rc == RC_SINK)
            (void)err_context(err, "'%s' before byte %llu", path, (unsigned long long)r.end);
        rc = rc == RC_END ? RC_OK : rc;
    }
    if (end)
        *end = r.end;
    record_log_release(&r);
    return rc == RC_END || rc == RC_NONE ? RC_OK : rc;
}
