/* SPDX-License-Identifier: MIT */
/*
 * Open tables of hashes with counts; when one is full its limit is halved and half of it goes. Each
 * shard has a lock of its own, so that workers rarely meet.
 */
#include "pipeline/row/key_repeats.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/base/json.h"

enum { SHARDS = 16, FIRST = 256, EXAMPLE = 200 };

struct one_key {
    uint64_t hash; /* 0: none */
    uint64_t rows;
};

struct key_repeats_table {
    struct one_key *v; /* owned; cap is a power of two, or 0 */
    size_t n, cap;
    atomic_uint halved; /* hashes with so many leading zeros are kept; grows under the lock */
    struct buf example; /* the smallest key that came twice */
};

struct key_repeats_shard {
    pthread_mutex_t mu;
    struct key_repeats_table *tables; /* lock: mu. By table */
};

static size_t entities(const struct schema *s)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->ntables; i++)
        n += s->tables[i].kind == TABLE_ENTITY && s->tables[i].nkey;
    return n ? n : 1;
}

enum rc key_repeats_init(struct key_repeats *k, const struct schema *schema, size_t keys,
                         struct err *err)
{
    *k = (struct key_repeats){.schema = schema, .most = keys / entities(schema) / SHARDS};
    if (k->most < FIRST / 2)
        k->most = FIRST / 2;
    k->shards = calloc(SHARDS, sizeof *k->shards);
    if (!k->shards)
        return err_nomem(err);
    for (int i = 0; i < SHARDS; i++)
        (void)pthread_mutex_init(&k->shards[i].mu, NULL);
    for (int i = 0; i < SHARDS; i++) {
        struct key_repeats_table *t = calloc((size_t)schema->ntables + 1, sizeof *t);
        if (!t)
            return err_nomem(err);
        k->shards[i].tables = t;
        for (uint32_t n = 0; n < schema->ntables; n++)
            buf_init(&t[n].example, EXAMPLE);
    }
    return RC_OK;
}

void key_repeats_release(struct key_repeats *k)
{
    for (int i = 0; k->shards && i < SHARDS; i++) {
        struct key_repeats_table *t = k->shards[i].tables;
        for (uint32_t n = 0; t && n < k->schema->ntables; n++) {
            free(t[n].v);
            buf_release(&t[n].example);
        }
        free(t);
        (void)pthread_mutex_destroy(&k->shards[i].mu);
    }
    free(k->shards);
    *k = (struct key_repeats){0};
}

static bool wanted(const struct key_repeats_table *t, uint64_t hash)
{
    unsigned halved = atomic_load_explicit(&t->halved, memory_order_relaxed);
    return halved == 0 || hash >> (64 - halved) == 0;
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

/* Texts and numbers are their own bytes, all else is spelt. */
static uint64_t cell_hash(enum col_type type, const struct datum *cell, uint64_t seed)
{
    if (cell->state == DATUM_VALUE && (type == COL_TEXT || type == COL_NUMERIC))
        return XXH3_64bits_withSeed(cell->u.text.p, cell->u.text.n, seed);
    if (cell->state == DATUM_VALUE && type == COL_BIGINT)
        return XXH3_64bits_withSeed(&cell->u.i, sizeof cell->u.i, seed);
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    datum_json(&b, type, cell);
    uint64_t hash = XXH3_64bits_withSeed(b.p, b.len, seed);
    buf_release(&b);
    return hash;
}

static void show(struct key_repeats_table *of, const struct table *t, const struct row *row)
{
    struct buf text;
    buf_init(&text, EXAMPLE);
    spell(&text, t, row);
    if (!text.rc)
        keep_example(of, buf_view(&text));
    buf_release(&text);
}

enum rc key_repeats_add(struct key_repeats *k, const struct row *row)
{
    const struct table *t = &k->schema->tables[row->table];
    uint64_t hash = 1;
    bool again = false;
    if (row->extract != UINT32_MAX || t->kind != TABLE_ENTITY || !t->nkey)
        return RC_OK;
    for (uint32_t i = 0; i < t->nkey; i++)
        hash = cell_hash(t->columns[t->key[i]].type, &row->cells[t->key[i]], hash);
    struct key_repeats_shard *s = &k->shards[hash >> 32 & (SHARDS - 1)];
    if (!wanted(&s->tables[row->table], hash))
        return RC_OK;
    (void)pthread_mutex_lock(&s->mu);
    enum rc rc = add_hash(&s->tables[row->table], k->most, hash ? hash : 1, &again);
    if (again)
        show(&s->tables[row->table], t, row);
    (void)pthread_mutex_unlock(&s->mu);
    return rc;
}

static uint64_t repeats_of(const struct key_repeats_table *t)
{
    uint64_t again = 0;
    for (size_t i = 0; i < t->cap; i++)
        again += t->v[i].hash ? t->v[i].rows - 1 : 0;
    return again << t->halved;
}

void key_repeats_line(const struct key_repeats *k, uint32_t table, bool example,
                      struct buf *out)
{
    uint64_t again = 0;
    bool about = false;
    struct str such = {0};
    for (int i = 0; i < SHARDS; i++) {
        const struct key_repeats_table *t = &k->shards[i].tables[table];
        again += repeats_of(t);
        about = about || t->halved;
        if (t->example.len && (!such.n || str_cmp(buf_view(&t->example), such) < 0))
            such = buf_view(&t->example);
    }
    if (!again)
        return;
    buf_addf(out, "table \"%.*s\": %s%llu row%s a key that another row has",
             STR_FMT(k->schema->tables[table].name), about ? "about " : "",
             (unsigned long long)again, again == 1 ? " has" : "s have");
    if (example && such.n)
        buf_addf(out, ", such as %.*s", STR_FMT(such));
}
