/* SPDX-License-Identifier: MIT */
/* A dot parts two members of a path; a backslash takes the next character as it is. */
#include "pipeline/model/path.h"

#include <string.h>

static enum rc add_member(struct str text, struct arena *a, struct path *out)
{
    char *p = arena_alloc(a, text.n + 1);
    size_t n = 0;
    if (!p)
        return RC_NOMEM;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\\' && ++i == text.n)
            return RC_USAGE;
        p[n++] = text.p[i];
    }
    p[n] = '\0';
    if (n == 0)
        return RC_USAGE;
    out->members[out->n++] = str_make(p, n);
    return RC_OK;
}

enum rc path_parse(struct str text, struct arena *a, struct path *out)
{
    size_t most = 1, start = 0;
    enum rc rc = RC_OK;
    for (size_t i = 0; i < text.n; i++)
        most += text.p[i] == '.';
    *out = (struct path){.members = arena_array(a, most, sizeof *out->members)};
    if (!out->members)
        return RC_NOMEM;
    for (size_t i = 0; !rc && i < text.n; i++) {
        if (text.p[i] == '\\') {
            i++;
        } else if (text.p[i] == '.') {
            rc = add_member(str_make(text.p + start, i - start), a, out);
            start = i + 1;
        }
    }
    if (!rc)
        rc = add_member(str_make(text.p + start, text.n - start), a, out);
    return rc;
}

static const struct val *member_of(const struct member *members, uint32_t n, struct str name)
{
    for (uint32_t i = 0; i < n; i++) {
        if (str_eq(members[i].name, name))
            return &members[i].val;
    }
    return NULL;
}

const struct val *path_find(const struct item *item, const struct path *path)
{
    const struct val *v = NULL;
    const struct member *members = item->members;
    uint32_t n = item->n;
    for (uint32_t i = 0; i < path->n; i++) {
        v = member_of(members, n, path->members[i]);
        bool map = v && v->kind == VAL_M;
        if (!v || (!map && i + 1 < path->n))
            return NULL;
        members = map ? v->u.members : NULL;
        n = map ? v->n : 0;
    }
    return v;
}

void path_print(const struct path *path, struct buf *out)
{
    for (uint32_t i = 0; i < path->n; i++) {
        if (i)
            buf_putc(out, '.');
        for (size_t k = 0; k < path->members[i].n; k++) {
            char c = path->members[i].p[k];
            if (c == '.' || c == '\\')
                buf_putc(out, '\\');
            buf_putc(out, c);
        }
    }
}

void path_print_all(const struct paths *paths, struct buf *out)
{
    for (uint32_t i = 0; i < paths->n; i++) {
        if (i)
            buf_puts(out, ", ");
        path_print(&paths->v[i], out);
    }
}

bool path_eq(const struct path *a, const struct path *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!str_eq(a->members[i], b->members[i]))
            return false;
    }
    return true;
}

struct str path_join(struct arena *a, const struct path *path)
{
    size_t n = path->n ? path->n - 1 : 0;
    for (uint32_t i = 0; i < path->n; i++)
        n += path->members[i].n;
    char *p = arena_alloc(a, n + 1);
    if (!p)
        return (struct str){0};
    size_t at = 0;
    for (uint32_t i = 0; i < path->n; i++) {
        if (i)
            p[at++] = '_';
        if (path->members[i].n)
            memcpy(p + at, path->members[i].p, path->members[i].n);
        at += path->members[i].n;
    }
    p[n] = '\0';
    return str_make(p, n);
}
