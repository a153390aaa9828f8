/* SPDX-License-Identifier: MIT */
/* A value ends where its brackets close; strings are skipped over, escapes included. */
#include "pipeline/run/rowtext.h"

#include <stdlib.h>

#include "pipeline/base/json.h"
#include "pipeline/run/candidate.h"

enum rc rowtext_init(struct rowtext *r, const struct table *t, struct err *err)
{
    *r = (struct rowtext){.table = t};
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
        rowtext_release(r);
    return rc;
}

void rowtext_release(struct rowtext *r)
{
    free(r->names);
    free(r->cells);
    buf_release(&r->text);
    *r = (struct rowtext){0};
}

/* Behind the string that begins at `at`. */
static size_t skip_string(struct str s, size_t at)
{
    for (at++; at < s.n && s.p[at] != '"'; at++) {
        if (s.p[at] == '\\')
            at++;
    }
    return at + 1;
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

bool rowtext_split(struct rowtext *r, struct str line)
{
    uint32_t n = r->table->ncolumns, col = 0;
    for (uint32_t i = 0; i < n; i++)
        r->cells[i] = (struct str){0};
    if (line.n < 2 || line.p[0] != '{')
        return false;
    size_t at = 1;
    while (at < line.n && line.p[at] != '}') {
        while (col < n && !str_starts(str_from(line, at), r->names[col]))
            col++;
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

bool rowtext_key(const struct rowtext *r, struct buf *key)
{
    for (uint32_t i = 0; i < r->table->nkey; i++) {
        struct str cell = r->cells[r->table->key[i]];
        if (!cell.p)
            return false;
        candidate_key_add(key, cell);
    }
    return r->table->nkey != 0;
}

void rowtext_join(const struct rowtext *r, const struct str *cells, struct buf *line)
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
