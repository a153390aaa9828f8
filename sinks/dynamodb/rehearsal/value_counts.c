/* SPDX-License-Identifier: MIT */
/*
 * A value is known by a 64-bit hash, so that long values cost nothing; only the head of its text
 * is kept. The table is searched from end to end: it is small, and its hashes lie side by side.
 * In a full table a new value takes the place of the rarest one and inherits its count, which is
 * then the most that the new one can have had before.
 */
#include "sinks/dynamodb/rehearsal/value_counts.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"
#include "pipeline/base/utf8.h"

enum { SLOTS = 256, HEAD = 96, BITS = 12, REGISTERS = 1 << BITS };

struct slot {
    uint64_t count, slack, units;
    enum val_kind kind;
    bool cut;
    uint8_t n; /* bytes of head */
    char head[HEAD];
};

struct value_counts {
    uint64_t values;
    uint32_t n;
    bool lost; /* values that are not in the table have been seen */
    uint64_t hashes[SLOTS];
    struct slot slots[SLOTS];
    uint8_t registers[REGISTERS];
};

struct value_counts *value_counts_new(void)
{
    return calloc(1, sizeof(struct value_counts));
}

void value_counts_free(struct value_counts *s)
{
    free(s);
}

static uint32_t find(const struct value_counts *s, uint64_t hash)
{
    uint32_t i = 0;
    while (i < s->n && s->hashes[i] != hash)
        i++;
    return i;
}

static uint32_t rarest(const struct value_counts *s)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < s->n; i++) {
        if (s->slots[i].count < s->slots[at].count)
            at = i;
    }
    return at;
}

/* The most that a value outside of the table can have. */
static uint64_t floor_of(const struct value_counts *s)
{
    return s->lost ? s->slots[rarest(s)].count : 0;
}

static void note_hash(struct value_counts *s, uint64_t hash)
{
    uint8_t *r = &s->registers[hash >> (64 - BITS)];
    uint8_t rank = 1;
    for (uint64_t rest = hash << BITS; rank <= 64 - BITS && !(rest >> 63); rest <<= 1)
        rank++;
    if (rank > *r)
        *r = rank;
}

static void fill_slot(struct slot *slot, const struct val *v)
{
    struct str head = v->u.s;
    slot->kind = v->kind;
    slot->cut = head.n > HEAD;
    if (slot->cut)
        head = v->kind == VAL_S ? utf8_cut(head, HEAD) : str_make(head.p, HEAD);
    slot->n = (uint8_t)head.n;
    if (head.n)
        memcpy(slot->head, head.p, head.n);
}

void value_counts_add(struct value_counts *s, const struct val *v, uint64_t units)
{
    uint64_t hash = XXH3_64bits_withSeed(v->u.s.p, v->u.s.n, (uint64_t)v->kind);
    uint32_t at = find(s, hash);
    s->values++;
    note_hash(s, hash);
    if (at == s->n) {
        uint64_t before = 0;
        if (s->n < SLOTS) {
            s->n++;
        } else {
            s->lost = true;
            at = rarest(s);
            before = s->slots[at].count;
        }
        s->hashes[at] = hash;
        s->slots[at].count = s->slots[at].slack = before;
        s->slots[at].units = 0;
        fill_slot(&s->slots[at], v);
    }
    s->slots[at].count++;
    s->slots[at].units += units;
}

uint64_t value_counts_values(const struct value_counts *s)
{
    return s->values;
}

/* The usual estimate from the mean of 2^-register; few values are counted by empty registers. */
uint64_t value_counts_distinct(const struct value_counts *s)
{
    double sum = 0, m = REGISTERS;
    uint32_t empty = 0;
    if (!s->lost)
        return s->n;
    for (uint32_t i = 0; i < REGISTERS; i++) {
        sum += ldexp(1, -(int)s->registers[i]);
        empty += s->registers[i] == 0;
    }
    double estimate = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    if (estimate <= 2.5 * m && empty)
        estimate = m * log(m / empty);
    uint64_t distinct = (uint64_t)llround(estimate);
    if (distinct < s->n)
        distinct = s->n;
    return distinct < s->values ? distinct : s->values;
}

/* ---- merging ---- */

struct entry {
    uint64_t hash;
    struct slot slot;
};

static int by_count(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->slot.count != y->slot.count)
        return x->slot.count > y->slot.count ? -1 : 1;
    int c = str_cmp(str_make(x->slot.head, x->slot.n), str_make(y->slot.head, y->slot.n));
    return c ? c : (x->hash > y->hash) - (x->hash < y->hash);
}

static struct entry entry_of(const struct value_counts *s, uint32_t i, uint64_t more)
{
    struct entry e = {s->hashes[i], s->slots[i]};
    e.slot.count += more;
    e.slot.slack += more;
    return e;
}

/* A value that one table lacks may have had as many there as its rarest. */
void value_counts_merge(struct value_counts *into, const struct value_counts *from)
{
    struct entry all[2 * SLOTS];
    uint64_t floor_into = floor_of(into), floor_from = floor_of(from);
    uint32_t n = 0;
    for (uint32_t i = 0; i < into->n; i++) {
        uint32_t at = find(from, into->hashes[i]);
        all[n] = entry_of(into, i, at == from->n ? floor_from : 0);
        if (at < from->n) {
            all[n].slot.count += from->slots[at].count;
            all[n].slot.slack += from->slots[at].slack;
            all[n].slot.units += from->slots[at].units;
        }
        n++;
    }
    for (uint32_t i = 0; i < from->n; i++) {
        if (find(into, from->hashes[i]) == into->n)
            all[n++] = entry_of(from, i, floor_into);
    }
    qsort(all, n, sizeof *all, by_count);
    into->lost = into->lost || from->lost || n > SLOTS;
    into->n = n < SLOTS ? n : SLOTS;
    into->values += from->values;
    for (uint32_t i = 0; i < into->n; i++) {
        into->hashes[i] = all[i].hash;
        into->slots[i] = all[i].slot;
    }
    for (uint32_t i = 0; i < REGISTERS; i++) {
        if (from->registers[i] > into->registers[i])
            into->registers[i] = from->registers[i];
    }
}

/* ---- for people ---- */

static void show(const struct slot *slot, char out[SPREAD_TEXT])
{
    struct buf b;
    struct str head = str_make(slot->head, slot->n);
    buf_init(&b, 1024);
    if (slot->kind == VAL_S) {
        json_add_string(&b, head);
    } else if (slot->kind == VAL_B) {
        base64_add(&b, head);
    } else {
        buf_add_str(&b, head);
    }
    size_t quote = slot->kind == VAL_S && b.len >= 2 ? 1 : 0;
    struct str all = str_make(b.p + quote, b.len - 2 * quote);
    bool cut = slot->cut || all.n > SPREAD_TEXT - 4;
    struct str shown = utf8_cut(all, SPREAD_TEXT - 4);
    if (shown.n)
        memcpy(out, shown.p, shown.n);
    memcpy(out + shown.n, cut ? "..." : "", cut ? 4 : 1);
    buf_release(&b);
}

uint32_t value_counts_top(const struct value_counts *s, struct value_counts_top *out,
                          uint32_t n)
{
    struct entry all[SLOTS];
    for (uint32_t i = 0; i < s->n; i++)
        all[i] = entry_of(s, i, 0);
    qsort(all, s->n, sizeof *all, by_count);
    n = n < s->n ? n : s->n;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (struct value_counts_top){
            .count = all[i].slot.count, .slack = all[i].slot.slack, .units = all[i].slot.units};
        show(&all[i].slot, out[i].text);
    }
    return n;
}
