/* SPDX-License-Identifier: MIT */
/*
 * Names of keys, indexes and foreign keys. Joined by "_" two of them may come out equal, or equal
 * to a table's: indexes and tables share the names of a schema. Then all that are not tables get a
 * hash of what they are made of, so that a name does not depend on which was made first.
 */
#include <stdio.h>
#include <xxhash.h>

#include "sinks/postgres/ddl/ddl.h"

/* What a name is made of. */
struct parts {
    const struct table *table;
    const uint32_t *columns;
    uint32_t n;
    const char *suffix;
};

static size_t parts_length(const struct parts *p)
{
    size_t n = p->table->name.n + strlen(p->suffix);
    for (uint32_t i = 0; i < p->n; i++)
        n += 1 + p->table->columns[p->columns[i]].name.n;
    return n;
}

static void parts_text(struct buf *b, const struct parts *p, char between)
{
    buf_add_str(b, p->table->name);
    for (uint32_t i = 0; i < p->n; i++) {
        buf_putc(b, between);
        buf_add_str(b, p->table->columns[p->columns[i]].name);
    }
    buf_puts(b, p->suffix);
}

static bool reads_alike(const struct parts *p, struct str text)
{
    struct buf b;
    if (parts_length(p) != text.n)
        return false;
    buf_init(&b, BUF_NO_LIMIT);
    parts_text(&b, p, '_');
    bool same = str_eq(buf_view(&b), text);
    buf_release(&b);
    return same;
}

static void add_hash(struct buf *text, const struct parts *p)
{
    struct buf exact;
    buf_init(&exact, BUF_NO_LIMIT);
    parts_text(&exact, p, '\0');
    buf_addf(text, "_%08x", (unsigned)(XXH64(exact.p, exact.len, 0) & 0xffffffff));
    buf_release(&exact);
}

static struct parts key_parts(const struct table *t)
{
    return (struct parts){t, NULL, 0, "_pkey"};
}

static struct parts index_parts(const struct table *t, uint32_t r)
{
    return (struct parts){t, t->references[r].columns, t->references[r].n, "_idx"};
}

/* How many tables, keys and indexes of the schema would be called that. */
static uint32_t count_called(const struct schema *s, struct str text)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->ntables; i++) {
        const struct table *t = &s->tables[i];
        struct parts key = key_parts(t);
        n += str_eq(t->name, text);
        n += t->nkey > 0 && reads_alike(&key, text);
        for (uint32_t r = 0; r < t->nreferences; r++) {
            struct parts index = index_parts(t, r);
            n += !pg_ddl_index_served(t, r) && reads_alike(&index, text);
        }
    }
    return n;
}

/* Names whole, before they are fitted. */

static void relation_text(struct buf *b, const struct schema *s, const struct parts *p)
{
    parts_text(b, p, '_');
    if (count_called(s, buf_view(b)) > 1)
        add_hash(b, p);
}

static bool same_columns(const struct reference *a, const struct reference *b)
{
    return a->n == b->n && memcmp(a->columns, b->columns, a->n * sizeof *a->columns) == 0;
}

/* These are names within their table. */
static void foreign_text(struct buf *b, const struct table *t, uint32_t r)
{
    const struct reference *ref = &t->references[r];
    char suffix[32] = "_fkey";
    bool ambiguous = false;
    struct parts p = {t, ref->columns, ref->n, suffix};
    parts_text(b, &p, '_');
    for (uint32_t i = 0; i < t->nreferences; i++) {
        struct parts other = {t, t->references[i].columns, t->references[i].n, "_fkey"};
        if (!same_columns(&t->references[i], ref)) {
            ambiguous = ambiguous || reads_alike(&other, buf_view(b));
        } else if (i < r) { /* over the same columns, to two tables */
            (void)snprintf(suffix, sizeof suffix, "_fkey%u", r);
        }
    }
    buf_clear(b);
    parts_text(b, &p, '_');
    if (ambiguous)
        add_hash(b, &p);
}

static struct pg_name fitted(struct buf *text)
{
    struct pg_name name = pg_name_fit(buf_view(text), NULL);
    buf_release(text);
    return name;
}

struct pg_name pg_ddl_key_name(const struct schema *s, uint32_t table)
{
    struct parts p = key_parts(&s->tables[table]);
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    relation_text(&text, s, &p);
    return fitted(&text);
}

struct pg_name pg_ddl_index_name(const struct schema *s, uint32_t table, uint32_t r)
{
    struct parts p = index_parts(&s->tables[table], r);
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    relation_text(&text, s, &p);
    return fitted(&text);
}

struct pg_name pg_ddl_foreign_name(const struct table *t, uint32_t r)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    foreign_text(&text, t, r);
    return fitted(&text);
}

/* ---- names that were cut ------------------------------------------------------------------- */

/* One line, whatever the name holds. */
static void add_plain(struct buf *b, struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        buf_putc(b, (unsigned char)name.p[i] < ' ' ? '?' : name.p[i]);
}

static void tell(struct buf *b, const char *before, const char *what, struct str name)
{
    bool cut = false;
    struct pg_name fit = pg_name_fit(name, &cut);
    if (!cut)
        return;
    buf_addf(b, "%s%s \"", before, what);
    add_plain(b, name);
    buf_puts(b, "\" is longer than 63 bytes: \"");
    add_plain(b, str_make(fit.text, fit.n));
    buf_puts(b, "\"\n");
}

static void tell_made(struct buf *b, const char *before, const struct schema *s, uint32_t table)
{
    const struct table *t = &s->tables[table];
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    if (t->nkey > 0 && t->kind != TABLE_CONFLICT) {
        struct parts key = key_parts(t);
        relation_text(&text, s, &key);
        tell(b, before, "key", buf_view(&text));
    }
    for (uint32_t r = 0; r < t->nreferences; r++) {
        struct parts index = index_parts(t, r);
        buf_clear(&text);
        relation_text(&text, s, &index);
        if (!pg_ddl_index_served(t, r))
            tell(b, before, "index", buf_view(&text));
        buf_clear(&text);
        foreign_text(&text, t, r);
        if (pg_ddl_can_refer(s, table, r))
            tell(b, before, "foreign key", buf_view(&text));
    }
    buf_release(&text);
}

void pg_ddl_tell_cut(struct buf *b, const char *before, const struct schema *s,
                     bool constraints)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        const struct table *t = &s->tables[i];
        tell(b, before, "table", t->name);
        for (uint32_t c = 0; c < t->ncolumns; c++)
            tell(b, before, "column", t->columns[c].name);
        if (constraints)
            tell_made(b, before, s, i);
    }
}
