/* SPDX-License-Identifier: MIT */
#include "sinks/dynamodb/index_brake.h"

#include <xxhash.h>

/* The value that says where in the index the item's entry is, or was if there is none any more. */
static const struct val *index_key(const struct ddb_index *index, const struct change *c)
{
    if (!index->global || index->schema.n == 0)
        return NULL;
    for (uint32_t i = 0; i < c->ntargets; i++) {
        const struct setting *t = &c->targets[i];
        const struct val *v = t->new_ ? t->new_ : t->old;
        bool scalar = v && (v->kind == VAL_S || v->kind == VAL_N || v->kind == VAL_B);
        if (scalar && str_eq(t->path.members[0], index->schema.keys[0].name))
            return v;
    }
    return NULL;
}

/* The number of its partition: those of several indexes are told apart by the seed. */
static bool range_of(const struct ddb_table *table, size_t index, const struct change *c,
                     uint32_t *range)
{
    const struct val *v = index_key(&table->indexes[index], c);
    if (v)
        *range = (uint32_t)XXH3_64bits_withSeed(v->u.s.p, v->u.s.n, index);
    return v != NULL;
}

static size_t indexes_of(const struct index_brakes *b)
{
    return b->table ? b->table->n_indexes : 0;
}

bool index_brakes_open(const struct index_brakes *b, const struct change *c, int64_t now_us)
{
    uint32_t range = 0;
    for (size_t i = 0; b->brakes.n && i < indexes_of(b); i++) {
        if (range_of(b->table, i, c, &range) && !brakes_open(&b->brakes, range, now_us))
            return false;
    }
    return true;
}

int64_t index_brakes_turn(struct index_brakes *b, const struct change *c,
                          struct index_turn *turn, int64_t now_us)
{
    int64_t at = now_us;
    if (turn->ticket)
        return brakes_turn(&b->brakes, turn->range, &turn->ticket, now_us);
    for (size_t i = 0; b->brakes.n && at <= now_us && !turn->ticket && i < indexes_of(b); i++) {
        if (range_of(b->table, i, c, &turn->range))
            at = brakes_turn(&b->brakes, turn->range, &turn->ticket, now_us);
    }
    return at;
}

enum index_verdict index_brakes_throttled(struct index_brakes *b, struct str index,
                                          const struct change *c, uint64_t key, int64_t now_us)
{
    uint32_t range = 0;
    for (size_t i = 0; i < indexes_of(b); i++) {
        if (!str_eq(b->table->indexes[i].name, index) || !range_of(b->table, i, c, &range))
            continue;
        bool braked = brakes_throttled(&b->brakes, range, key, now_us);
        return braked ? INDEX_BRAKED : INDEX_NOTED;
    }
    return INDEX_UNKNOWN;
}

void index_brakes_succeeded(struct index_brakes *b, const struct change *c, int64_t now_us)
{
    uint32_t range = 0;
    for (size_t i = 0; b->brakes.n && i < indexes_of(b); i++) {
        if (range_of(b->table, i, c, &range))
            brakes_succeeded(&b->brakes, range, now_us);
    }
}
