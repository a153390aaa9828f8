/* SPDX-License-Identifier: MIT */
/* An open table of hashes with counts; when it is full the limit is halved and half of it goes. */
#include "pipeline/row/key_repeats.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "pipeline/base/json.h"

enum { FIRST = 1024, EXAMPLE = 200 };

struct one_key {
    uint64_t hash; /* 0: none */
    uint64_t rows;
};

struct key_repeats_table {
    struct one_key *v; /* owned; cap is a power of two, or 0 */
    size_t n, cap;
    unsigned halved;    /* hashes with so many leading zeros are kept */
    struct buf example; /* the smallest key that came twice */
};

enum rc key_repeats_init(struct key_repeats *k, const struct schema *schema, size_t keys,
                         struct err *err)
{
    size_t entities = 0;
    for (uint32_t i = 0; i < schema->ntables; i++)
        entities += schema->tables[i].kind == TABLE_ENTITY && schema->tables[i].nkey;
    *k = (struct key_repeats){.schema = schema, .most = keys / (entities ? entities : 1)};
    if (k->most < FIRST / 2)
        k->most = FIRST / 2;
    buf_init(&k->key, BUF_NO_LIMIT);
    k->tables = calloc((size_t)schema->ntables + 1, sizeof *k->tables);
    if (!k->tables)
        return err_nomem(err);
    for (uint32_t i = 0; i < schema->ntables; i++)
        buf_init(&k->tables[i].example, EXAMPLE);
    return RC_OK;
}

void key_repeats_release(struct key_repeats *k)
{
    for (uint32_t i = 0; k->tables && i < k->schema->ntables; i++) {
        free(k->tables[i].v);
        buf_release(&k->tables[i].example);
    }
    free(k->tables);
    buf_release(&k->key);
    *k = (struct key_repeats){0};
}

static bool wanted(const struct key_repeats_table *t, uint64_t hash)
{
    return t->halved == 0 || hash >> (64 - t->halved) == 0;
}

/* Where the hash is, or would be. */
static struct one_key *place(struct one_key *v, size_t cap, uint64_t hash)
{
    size_t at = (size_t)hash & (cap - 1);
    while (v[at].hash && v[at].hash != hash)
        at = (at + 1) & (cap - 1);
    return &v[at];
}

/* Makes room for one more: twice as large, or half of the hashes go. */
static enum rc make_room(struct key_repeats_table *t, size_t most)
{
    size_t cap = t->cap ? t->cap : FIRST;
    if (t->v && t->n < cap / 2)
        return RC_OK;
    if (t->v && t->n >= most) {
        t->halved++;
    } else if (t->v) {
        cap *= 2;
    }
    struct one_key *v = calloc(cap, sizeof *v);
    if (!v)
        return RC_NOMEM;
    t->n = 0;
    for (size_t i = 0; i < t->cap; i++) {
        if (!t->v[i].hash || !wanted(t, t->v[i].hash))
            continue;
        *place(v, cap, t->v[i].hash) = t->v[i];
        t->n++;
    }
    free(t->v);
    t->v = v;
    t->cap = cap;
    return RC_OK;
}

static enum rc add_hash(struct key_repeats_table *t, size_t most, uint64_t hash, bool *again)
{
    *again = false;
    if (!wanted(t, hash))
        return RC_OK;
    enum rc rc = make_room(t, most);
    if (rc || !wanted(t, hash))
        return rc;
    struct one_key *one = place(t->v, t->cap, hash);
    *again = one->hash != 0;
    t->n += !*again;
    one->hash = hash;
    one->rows++;
    return RC_OK;
}

static void keep_example(struct key_repeats_table *t, struct str text)
{
    if (text.n >= EXAMPLE || (t->example.len && str_cmp(buf_view(&t->example), text) <= 0))
        return;
    buf_clear(&t->example);
    buf_add_str(&t->example, text);
}

/* The key as JSON. */
static void spell(struct buf *b, const struct table *t, const struct row *row)
{
    buf_clear(b);
    buf_putc(b, '{');
    for (uint32_t i = 0; i < t->nkey; i++) {
        const struct column *c = &t->columns[t->key[i]];
        buf_puts(b, i ? "," : "");
        json_add_string(b, c->name);
        buf_putc(b, ':');
        datum_json(b, c->type, &row->cells[t->key[i]]);
    }
    buf_putc(b, '}');
}

enum rc key_repeats_add(struct key_repeats *k, const struct row *row)
{
    const struct table *t = &k->schema->tables[row->table];
    bool again = false;
    if (row->extract != UINT32_MAX || t->kind != TABLE_ENTITY || !t->nkey)
        return RC_OK;
    spell(&k->key, t, row);
    if (k->key.rc)
        return RC_NOMEM;
    uint64_t hash = XXH3_64bits(k->key.p, k->key.len);
    struct key_repeats_table *of = &k->tables[row->table];
    enum rc rc = add_hash(of, k->most, hash ? hash : 1, &again);
    if (again)
        keep_example(of, buf_view(&k->key));
    return rc;
}

void key_repeats_line(const struct key_repeats *k, uint32_t table, bool example,
                      struct buf *out)
{
    const struct key_repeats_table *t = &k->tables[table];
    uint64_t again = 0;
    for (size_t i = 0; i < t->cap; i++)
        again += t->v[i].hash ? t->v[i].rows - 1 : 0;
    if (!again)
        return;
    struct str name = k->schema->tables[table].name;
    buf_addf(out, "table \"%.*s\": %s%llu row%s a key that another row has", STR_FMT(name),
             t->halved ? "about " : "", (unsigned long long)again << t->halved,
             again << t->halved == 1 ? " has" : "s have");
    if (example && t->example.len)
        buf_addf(out, ", such as %.*s", (int)t->example.len, t->example.p);
}
