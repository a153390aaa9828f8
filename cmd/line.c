/* SPDX-License-Identifier: MIT */
/*
 * Only for text that this program wrote: compact, valid, member names without escapes beyond
 * what JSON demands. Values are skipped by bracket depth, strings honoured.
 */
#include "cmd/line.h"

#include "pipeline/base/json.h"
#include "pipeline/run/candidate.h"

/* The index behind the string that begins at `at`. */
static size_t skip_string(struct str s, size_t at)
{
    for (at++; at < s.n && s.p[at] != '"'; at++)
        at += s.p[at] == '\\';
    return at < s.n ? at + 1 : s.n;
}

static size_t skip_value(struct str s, size_t at)
{
    int depth = 0;
    while (at < s.n) {
        char c = s.p[at];
        if (c == '"') {
            at = skip_string(s, at);
            continue;
        }
        if (depth == 0 && (c == ',' || c == '}'))
            return at;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        at++;
    }
    return at;
}

bool line_next(struct str line, size_t *at, struct str *name, struct str *value)
{
    size_t i = *at + 1; /* behind '{' or ',' */
    if (i >= line.n || line.p[i] != '"')
        return false;
    size_t end = skip_string(line, i);
    *name = str_make(line.p + i, end - i);
    size_t start = end + 1;
    if (start > line.n)
        return false;
    *at = skip_value(line, start);
    *value = str_make(line.p + start, *at - start);
    return true;
}

static bool is_named(struct str quoted, struct str name, struct buf *scratch)
{
    buf_clear(scratch);
    json_add_string(scratch, name);
    return str_eq(quoted, buf_view(scratch));
}

void line_key(const struct table *t, struct str line, struct buf *key)
{
    struct buf scratch;
    buf_init(&scratch, BUF_NO_LIMIT);
    buf_clear(key);
    if (t->nkey == 0)
        buf_add_str(key, line);
    for (uint32_t k = 0; k < t->nkey; k++) {
        size_t at = 0;
        struct str name, value, found = STR("null");
        while (line_next(line, &at, &name, &value)) {
            if (is_named(name, t->columns[t->key[k]].name, &scratch))
                found = value;
        }
        candidate_key_add(key, found);
    }
    if (scratch.rc != RC_OK)
        key->rc = scratch.rc;
    buf_release(&scratch);
}

void line_fold(struct str line, struct buf *out)
{
    size_t at = 0;
    struct str name, value;
    bool first = true;
    buf_clear(out);
    buf_putc(out, '{');
    while (line_next(line, &at, &name, &value)) {
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
