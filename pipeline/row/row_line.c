/* SPDX-License-Identifier: MIT */
/*
 * A value ends where its brackets close; strings are skipped over, escapes included. Lines of a
 * table have their members in column order: one pass over the line and the names finds them all.
 */
#include "pipeline/row/row_line.h"

#include <stdlib.h>

#include "pipeline/base/json.h"
#include "pipeline/row/reduce/candidate.h"

/* Behind the string that begins at `at`. */
static size_t skip_string(struct str s, size_t at)
{
    for (at++; at < s.n && s.p[at] != '"'; at++) {
        if (s.p[at] == '\\')
            at++;
    }
    return at < s.n ? at + 1 : s.n;
}

/* Behind the value that begins at `at`. */
static size_t skip_value(struct str s, size_t at)
{
    size_t depth = 0;
    while (at < s.n) {
        char c = s.p[at];
        if (depth == 0 && (c == ',' || c == '}'))
            return at;
        if (c == '"') {
            at = skip_string(s, at);
            continue;
        }
        if (c == '{' || c == '[')
            depth++;
        if (c == '}' || c == ']')
            depth--;
        at++;
    }
    return at;
}

bool row_line_next(struct str line, size_t *at, struct str *name, struct str *value)
{
    size_t begin = *at + 1; /* behind '{' or ',' */
    if (begin >= line.n || line.p[begin] != '"')
        return false;
    size_t colon = skip_string(line, begin);
    if (colon >= line.n)
        return false;
    *name = str_make(line.p + begin, colon - begin);
    *at = skip_value(line, colon + 1);
    *value = str_make(line.p + colon + 1, *at - colon - 1);
    return true;
}

void row_line_fold(struct str line, struct buf *out)
{
    size_t at = 0;
    struct str name, value;
    bool first = true;
    buf_clear(out);
    buf_putc(out, '{');
    while (row_line_next(line, &at, &name, &value)) {
        if (str_is(value, "null"))
            continue;
        if (!first)
            buf_putc(out, ',');
        first = false;
        buf_add_str(out, name);
        buf_putc(out, ':');
        buf_add_str(out, value);
    }
    buf_putc(out, '}');
}

enum rc row_line_init(struct row_line *r, const struct table *t, struct err *err)
{
    *r = (struct row_line){.table = t};
    buf_init(&r->text, BUF_NO_LIMIT);
    r->names = calloc((size_t)t->ncolumns + 1, sizeof *r->names);
    r->cells = calloc((size_t)t->ncolumns + 1, sizeof *r->cells);
    enum rc rc = r->names && r->cells ? RC_OK : err_nomem(err);
    size_t need = 0;
    for (uint32_t i = 0; i < t->ncolumns; i++)
        need += 6 * t->columns[i].name.n + 3;
    if (!rc && !buf_grow(&r->text, need + 1)) /* names stay where they are */
        rc = err_nomem(err);
    for (uint32_t i = 0; i < t->ncolumns && !rc; i++) {
        size_t at = r->text.len;
        json_add_string(&r->text, t->columns[i].name);
        buf_putc(&r->text, ':');
        r->names[i] = str_make(r->text.p + at, r->text.len - at);
    }
    if (rc)
        row_line_release(r);
    return rc;
}

void row_line_release(struct row_line *r)
{
    free(r->names);
    free(r->cells);
    buf_release(&r->text);
    *r = (struct row_line){0};
}

/* The column of the member that `rest` begins with, looked for from `from` on; n: none. */
static uint32_t column_of(const struct row_line *r, struct str rest, uint32_t from)
{
    while (from < r->table->ncolumns && !str_starts(rest, r->names[from]))
        from++;
    return from;
}

/* Fills cells from a line that is another's, or has its members in another order. */
static void split_any(struct row_line *r, struct str line)
{
    size_t at = 0;
    struct str name, value;
    while (row_line_next(line, &at, &name, &value)) {
        size_t begin = (size_t)(name.p - line.p);
        uint32_t col = column_of(r, str_from(line, begin), 0);
        if (col < r->table->ncolumns)
            r->cells[col] = value;
    }
}

static bool split_canonical(struct row_line *r, struct str line)
{
    uint32_t n = r->table->ncolumns, col = 0;
    if (line.n < 2 || line.p[0] != '{')
        return false;
    size_t at = 1;
    while (at < line.n && line.p[at] != '}') {
        col = column_of(r, str_from(line, at), col);
        if (col == n)
            return false;
        at += r->names[col].n;
        size_t end = skip_value(line, at);
        if (end >= line.n)
            return false;
        r->cells[col++] = str_make(line.p + at, end - at);
        at = end + (line.p[end] == ',');
    }
    return at + 1 == line.n;
}

bool row_line_split(struct row_line *r, struct str line)
{
    for (uint32_t i = 0; i < r->table->ncolumns; i++)
        r->cells[i] = (struct str){0};
    if (split_canonical(r, line))
        return true;
    split_any(r, line);
    return false;
}

bool row_line_key(const struct row_line *r, struct buf *key)
{
    bool whole = r->table->nkey != 0;
    for (uint32_t i = 0; i < r->table->nkey; i++) {
        struct str cell = r->cells[r->table->key[i]];
        candidate_key_add(key, cell.p ? cell : STR("null"));
        whole = whole && cell.p;
    }
    return whole;
}

void row_line_join(const struct row_line *r, const struct str *cells, struct buf *line)
{
    buf_putc(line, '{');
    bool first = true;
    for (uint32_t i = 0; i < r->table->ncolumns; i++) {
        if (!cells[i].p)
            continue;
        if (!first)
            buf_putc(line, ',');
        first = false;
        buf_add_str(line, r->names[i]);
        buf_add_str(line, cells[i]);
    }
    buf_putc(line, '}');
}
