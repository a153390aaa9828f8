/* SPDX-License-Identifier: MIT */
/*
 * Names of keys, indexes and foreign keys. Joined by "_" two of them may come out equal, or equal
 * to a table's: indexes and tables share the names of a schema. Then all that are not tables get a
 * hash of what they are made of, so that a name does not depend on which was made first.
 */
#include <stdio.h>
#include <xxhash.h>

#include "sinks/pg_ddl.h"

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

static struct pg_name finish(struct buf *text, const struct parts *p, bool ambiguous)
{
    if (ambiguous) {
        struct buf exact;
        buf_init(&exact, BUF_NO_LIMIT);
        parts_text(&exact, p, '\0');
        buf_addf(text, "_%08x", (unsigned)(XXH64(exact.p, exact.len, 0) & 0xffffffff));
        buf_release(&exact);
    }
    struct pg_name name = pg_name_fit(buf_view(text), NULL);
    buf_release(text);
    return name;
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

static struct pg_name relation_name(const struct schema *s, const struct parts *p)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    parts_text(&text, p, '_');
    return finish(&text, p, count_called(s, buf_view(&text)) > 1);
}

struct pg_name pg_ddl_key_name(const struct schema *s, uint32_t table)
{
    struct parts p = key_parts(&s->tables[table]);
    return relation_name(s, &p);
}

struct pg_name pg_ddl_index_name(const struct schema *s, uint32_t table, uint32_t r)
{
    struct parts p = index_parts(&s->tables[table], r);
    return relation_name(s, &p);
}

static bool same_columns(const struct reference *a, const struct reference *b)
{
    return a->n == b->n && memcmp(a->columns, b->columns, a->n * sizeof *a->columns) == 0;
}

/* These are names within their table. */
struct pg_name pg_ddl_foreign_name(const struct table *t, uint32_t r)
{
    const struct reference *ref = &t->references[r];
    char suffix[32] = "_fkey";
    bool ambiguous = false;
    struct parts p = {t, ref->columns, ref->n, suffix};
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    parts_text(&text, &p, '_');
    for (uint32_t i = 0; i < t->nreferences; i++) {
        struct parts other = {t, t->references[i].columns, t->references[i].n, "_fkey"};
        if (!same_columns(&t->references[i], ref)) {
            ambiguous = ambiguous || reads_alike(&other, buf_view(&text));
        } else if (i < r) { /* over the same columns, to two tables */
            (void)snprintf(suffix, sizeof suffix, "_fkey%u", r);
        }
    }
    buf_clear(&text);
    parts_text(&text, &p, '_');
    return finish(&text, &p, ambiguous);
}
