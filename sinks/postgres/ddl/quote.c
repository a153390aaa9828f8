/* SPDX-License-Identifier: MIT */
/* The server would cut long names itself, in silence and into collisions; hence the hash. */
#include "sinks/postgres/ddl/quote.h"

#include <stdio.h>
#include <xxhash.h>

enum { KEPT = PG_NAME_MAX - 9 };

struct pg_name pg_name_fit(struct str name, bool *cut)
{
    struct pg_name out;
    memset(&out, 0, sizeof out);
    if (cut)
        *cut = name.n > PG_NAME_MAX;
    if (name.n <= PG_NAME_MAX) {
        if (name.n > 0)
            memcpy(out.text, name.p, name.n);
        out.n = name.n;
        return out;
    }
    size_t n = KEPT;
    /* a name is never cut inside a character */
    while (n > 0 && ((unsigned char)name.p[n] & 0xC0) == 0x80)
        n--;
    memcpy(out.text, name.p, n);
    unsigned hash = (unsigned)(XXH64(name.p, name.n, 0) & 0xffffffff);
    out.n = n + (size_t)snprintf(out.text + n, sizeof out.text - n, "_%08x", hash);
    return out;
}

static void add_quoted(struct buf *b, struct str s, char quote)
{
    buf_putc(b, quote);
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == quote)
            buf_putc(b, quote);
        buf_putc(b, s.p[i]);
    }
    buf_putc(b, quote);
}

void pg_add_ident(struct buf *b, struct str name)
{
    struct pg_name fit = pg_name_fit(name, NULL);
    add_quoted(b, str_make(fit.text, fit.n), '"');
}

void pg_add_qualified(struct buf *b, struct str schema, struct str name)
{
    pg_add_ident(b, schema);
    buf_putc(b, '.');
    pg_add_ident(b, name);
}

void pg_add_literal(struct buf *b, struct str text)
{
    add_quoted(b, text, '\'');
}
