/* SPDX-License-Identifier: MIT */
#include "sinks/dynamodb/throttle/index.h"

#include <xxhash.h>

/* The value that says where in the index the item's entry is, or was if there is none any more. */
static const struct val *index_key(const struct dynamodb_index *index, const struct change *c)
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
static bool range_of(const struct dynamodb_table *table, size_t index, const struct change *c,
                     uint32_t *range)
{
    const struct val *v = index_key(&table->indexes[index], c);
    if (v)
        *range = (uint32_t)XXH3_64bits_withSeed(v->u.s.p, v->u.s.n, index);
    return v != NULL;
}

static size_t indexes_of(const struct throttle_indexes *b)
{
    return b->table ? b->table->n_indexes : 0;
}

bool throttle_index_open(const struct throttle_indexes *b, const struct change *c,
                         int64_t now_us)
{
    uint32_t range = 0;
    for (size_t i = 0; b->ranges.n && i < indexes_of(b); i++) {
        if (range_of(b->table, i, c, &range) && !throttle_range_open(&b->ranges, range, now_us))
            return false;
    }
    return true;
}

int64_t throttle_index_turn(struct throttle_indexes *b, const struct change *c,
                            struct index_turn *turn, int64_t now_us)
{
    int64_t at = now_us;
    if (turn->ticket)
        return throttle_range_turn(&b->ranges, turn->range, &turn->ticket, now_us);
    for (size_t i = 0; b->ranges.n && at <= now_us && !turn->ticket && i < indexes_of(b); i++) {
        if (range_of(b->table, i, c, &turn->range))
            at = throttle_range_turn(&b->ranges, turn->range, &turn->ticket, now_us);
    }
    return at;
}

enum index_verdict throttle_index_throttled(struct throttle_indexes *b, struct str index,
                                            const struct change *c, uint64_t key,
                                            int64_t now_us)
{
    uint32_t range = 0;
    for (size_t i = 0; i < indexes_of(b); i++) {
        if (!str_eq(b->table->indexes[i].name, index) || !range_of(b->table, i, c, &range))
            continue;
        bool paced = throttle_range_throttled(&b->ranges, range, key, now_us);
        return paced ? INDEX_BRAKED : INDEX_NOTED;
    }
    return INDEX_UNKNOWN;
}

void throttle_index_succeeded(struct throttle_indexes *b, const struct change *c,
                              int64_t now_us)
{
    uint32_t range = 0;
    for (size_t i = 0; b->ranges.n && i < indexes_of(b); i++) {
        if (range_of(b->table, i, c, &range))
            throttle_range_succeeded(&b->ranges, range, now_us);
    }
}
