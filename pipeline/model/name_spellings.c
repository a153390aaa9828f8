/* SPDX-License-Identifier: MIT */
/*
 * The inverse of name_snake. An underscore of a column may stand for any bytes, so only a name
 * without one can be listed: letters and digits, where each run of letters is written small or
 * large as a whole, the first one also with a large first letter; anything else would begin a
 * word. A name that is not in snake form is matched by itself alone.
 */
#include "pipeline/model/model.h"

enum { MAX_SPELLINGS = 24 };

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_snake(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!is_lower(s.p[i]) && !(s.p[i] >= '0' && s.p[i] <= '9') && s.p[i] != '_')
            return false;
    }
    return true;
}

static size_t run_end(struct str s, size_t at)
{
    while (at < s.n && is_lower(s.p[at]))
        at++;
    return at;
}

/* Adds every name of the list once more, with the letters from `at` to `end` made large. */
static enum rc enlarge(struct arena *a, struct names *list, uint32_t n, size_t at, size_t end)
{
    for (uint32_t i = 0; i < n; i++) {
        char *copy = arena_cstr(a, list->v[i]);
        if (!copy)
            return RC_NOMEM;
        for (size_t k = at; k < end; k++)
            copy[k] = (char)(copy[k] - 'a' + 'A');
        list->v[list->n++] = str_make(copy, list->v[i].n);
    }
    return RC_OK;
}

enum rc name_spellings(struct arena *a, struct str column, struct names *out)
{
    *out = (struct names){arena_array(a, MAX_SPELLINGS, sizeof *out->v), 0};
    if (!out->v)
        return RC_NOMEM;
    out->v[out->n++] = column;
    if (!is_snake(column))
        return RC_OK;
    if (column.n && memchr(column.p, '_', column.n))
        return RC_NONE;
    enum rc rc = RC_OK;
    for (size_t at = 0; !rc && at < column.n; at++) {
        size_t end = run_end(column, at);
        uint32_t n = out->n;
        if (end == at)
            continue;
        if (3 * n > MAX_SPELLINGS)
            return RC_NONE;
        if (at == 0 && end > 1)
            rc = enlarge(a, out, n, 0, 1);
        if (!rc)
            rc = enlarge(a, out, n, at, end);
        at = end;
    }
    return rc;
}
