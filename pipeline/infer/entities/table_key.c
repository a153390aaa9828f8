/* SPDX-License-Identifier: MIT */
/*
 * A key stands in every item, is a string, a number or bytes, and no two items share it. Of all that
 * fits, names decide first (PK and SK, hash and range ..), then the order in which items are written.
 */
#include "pipeline/infer/entities/table_key.h"

#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 24, PLAIN_NAME = 32 };

struct candidate {
    struct str name;
    uint32_t *v; /* by item */
    uint32_t position;
    int hash, sort; /* how much the name says so */
    bool unique;
};

static const char *const HASHES[] = {"pk",        "hk",           "hash",    "hashkey",
                                     "partition", "partitionkey", "primary", "k1",
                                     "pkey",      "primarykey"};
static const char *const SORTS[] = {"sk",   "rk",          "range",     "rangekey",
                                    "sort", "sortkey",     "secondary", "k2",
                                    "skey", "secondarykey"};
static const char *const SINGLES[] = {"id", "key", "k", "uuid", "guid"};

/* The name in lower case with letters and digits only. */
static struct str plain_name(struct str name, char out[PLAIN_NAME])
{
    size_t n = 0;
    for (size_t i = 0; i < name.n && n < PLAIN_NAME; i++) {
        char c = name.p[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            out[n++] = c;
    }
    return str_make(out, n);
}

static bool among(struct str name, const char *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (str_is(name, v[i]))
            return true;
    }
    return false;
}

#define COUNT(v) (sizeof(v) / sizeof *(v))

static void judge_name(struct candidate *c)
{
    char room[PLAIN_NAME];
    struct str name = plain_name(c->name, room);
    c->hash = among(name, HASHES, COUNT(HASHES))     ? 3
              : among(name, SINGLES, COUNT(SINGLES)) ? 2
              : str_ends(name, STR("id"))            ? 1
                                                     : 0;
    c->sort = among(name, SORTS, COUNT(SORTS)) ? 3 : 0;
}

static bool fills(struct infer_design *d, struct candidate *c)
{
    c->v = infer_new(d, d->nitems, sizeof *c->v);
    for (uint32_t i = 0; c->v && i < d->nitems; i++) {
        const struct val *v = item_get(&d->items[i], c->name);
        if (!v || (v->kind != VAL_S && v->kind != VAL_N && v->kind != VAL_B))
            return false;
        c->v[i] = infer_text(d, v->u.s);
    }
    return c->v != NULL;
}

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* No two items have the same values of both; b may be NULL. */
static bool unique(struct infer_design *d, const uint32_t *a, const uint32_t *b)
{
    uint64_t *v = malloc(d->nitems * sizeof *v);
    if (!v) {
        d->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < d->nitems; i++)
        v[i] = (uint64_t)a[i] << 32 | (b ? b[i] : 0);
    qsort(v, d->nitems, sizeof *v, compare_pairs);
    bool same = false;
    for (uint32_t i = 1; i < d->nitems && !same; i++)
        same = v[i] == v[i - 1];
    free(v);
    return !same;
}

static uint32_t find_candidates(struct infer_design *d, struct candidate *v)
{
    uint32_t n = 0;
    const struct item *first = &d->items[0];
    for (uint32_t i = 0; i < first->n && n < CANDIDATES; i++) {
        v[n] = (struct candidate){.name = first->members[i].name, .position = i};
        if (!fills(d, &v[n]))
            continue;
        judge_name(&v[n]);
        v[n].unique = unique(d, v[n].v, NULL);
        n++;
    }
    return n;
}

/* The better pair is the one with better names, then the one that is written first. */
static bool find_pair(struct infer_design *d, const struct candidate *v, uint32_t n, int names,
                      uint32_t out[2])
{
    int best = -1000;
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            int score = (v[a].hash + v[b].sort) * 100 - (int)(v[a].position + v[b].position) -
                        (v[a].position > v[b].position);
            if (a == b || v[a].hash + v[b].sort < names || score <= best || v[a].sort == 3 ||
                v[b].hash == 3 || v[a].unique || !unique(d, v[a].v, v[b].v))
                continue;
            best = score;
            out[0] = a;
            out[1] = b;
        }
    }
    return best > -1000;
}

/* Named like a hash and a range key: though the first is unique by itself in these items. */
static bool named_pair(const struct candidate *v, uint32_t n, uint32_t out[2])
{
    uint32_t a = n;
    uint32_t b = n;
    for (uint32_t i = n; i-- > 0;) {
        a = v[i].hash == 3 || (v[i].hash == 2 && a == n) ? i : a;
        b = v[i].sort == 3 ? i : b;
    }
    out[0] = a;
    out[1] = b;
    return a < n && b < n && a != b;
}

static bool find_single(const struct candidate *v, uint32_t n, int names, uint32_t *out)
{
    int best = -1000;
    for (uint32_t i = 0; i < n; i++) {
        int score = v[i].hash * 100 - (int)v[i].position;
        if (v[i].unique && v[i].hash >= names && score > best) {
            best = score;
            *out = i;
        }
    }
    return best > -1000;
}

void table_key_find(struct infer_design *d)
{
    struct candidate v[CANDIDATES];
    uint32_t at[2] = {0, 0};
    if (d->nkey || !d->nitems)
        return;
    uint32_t n = find_candidates(d, v);
    bool pair = (named_pair(v, n, at) && unique(d, v[at[0]].v, v[at[1]].v)) ||
                find_pair(d, v, n, 3, at);
    bool single = !pair && find_single(v, n, 2, at);
    pair = pair || (!single && find_pair(d, v, n < 2 ? n : 2, 0, at));
    single = !pair && (single || find_single(v, n, 0, at));
    pair = pair || (!single && find_pair(d, v, n, 0, at));
    uint32_t nkey = pair ? 2 : single;
    for (uint32_t i = 0; i < nkey; i++)
        d->key[i] = v[at[i]].name;
    d->nkey = nkey;
}
