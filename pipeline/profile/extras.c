/* SPDX-License-Identifier: MIT */
/*
 * Each place is a small array, searched by hash; after a name the one that followed it last time
 * is expected, so that most cost one comparison.
 */
#include "pipeline/profile/extras.h"

#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/base/memory.h"
#include "pipeline/base/utf8.h"
#include "pipeline/item/canon.h"

struct str extras_place_name(const struct schema *s, uint32_t place)
{
    return place < s->nentities ? s->entities[place] : s->tables[place - s->nentities].comment;
}

enum rc extras_init(struct extras *e, const struct schema *s, bool examples)
{
    *e = (struct extras){.n = s->nentities + s->ntables, .examples = examples};
    buf_init(&e->text, BUF_NO_LIMIT);
    e->places = calloc((size_t)e->n + 1, sizeof *e->places);
    return e->places ? RC_OK : RC_NOMEM;
}

static void drop(struct extra *x)
{
    memory_disown(&x->name);
    memory_disown(&x->example);
    free(x);
}

static void empty(struct extras_of *of)
{
    for (uint32_t i = 0; i < of->n; i++)
        drop(of->v[i]);
    free(of->v);
    *of = (struct extras_of){0};
}

void extras_clear(struct extras *e)
{
    for (uint32_t i = 0; e->places && i < e->n; i++)
        empty(&e->places[i]);
    e->any = false;
}

void extras_release(struct extras *e)
{
    extras_clear(e);
    free(e->places);
    buf_release(&e->text);
    *e = (struct extras){0};
}

void extras_move(struct extras *to, struct extras *from)
{
    struct extras_of *places = to->places;
    to->places = from->places;
    from->places = places;
    to->any = from->any;
    from->any = false;
    for (uint32_t i = 0; i < from->n; i++) {
        const struct extras_of *of = &to->places[i];
        from->places[i].limit = of->n == EXTRAS_MAX ? of->v[of->n - 1]->hash : of->limit;
    }
}

/* At most n bytes of it, whole characters. */
static struct str cut(struct str text, size_t n)
{
    if (text.n <= n)
        return text;
    while (n && ((unsigned char)text.p[n] & 0xC0) == 0x80)
        n--;
    return str_make(text.p, n);
}

static uint64_t total(const struct extra *x)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < PROFILE_KINDS; k++)
        n += x->counts[k];
    return n;
}

/* Finds the name, or where it would be: *at. */
static bool find(const struct extras_of *of, uint64_t hash, struct str name, uint32_t *at)
{
    uint32_t low = 0, high = of->n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        const struct extra *x = of->v[mid];
        int c = x->hash < hash ? -1 : x->hash > hash ? 1 : str_cmp(x->name, name);
        if (c == 0) {
            *at = mid;
            return true;
        }
        if (c < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    *at = low;
    return false;
}

/* The last one has to go. */
static void give_way(struct extras_of *of)
{
    struct extra *last = of->v[--of->n];
    of->others += total(last);
    of->gave_way++;
    for (uint32_t i = 0; i < of->n; i++) {
        if (of->v[i]->guess == last)
            of->v[i]->guess = NULL;
    }
    if (of->guess == last)
        of->guess = NULL;
    drop(last);
}

/* Finds or makes the entry of a name. *out is NULL if it has no place. */
static enum rc have(struct extras_of *of, struct str name, struct extra **out)
{
    uint64_t hash = XXH3_64bits(name.p, name.n);
    uint32_t at = 0;
    *out = NULL;
    if (find(of, hash, name, &at)) {
        *out = of->v[at];
        return RC_OK;
    }
    if (at == EXTRAS_MAX || (of->limit && hash > of->limit))
        return RC_OK;
    if (!of->v)
        of->v = calloc(EXTRAS_MAX, sizeof(struct extra *));
    struct extra *x = of->v ? calloc(1, sizeof *x) : NULL;
    if (!x || !memory_own(&x->name, name)) {
        free(x);
        return RC_NOMEM;
    }
    if (of->n == EXTRAS_MAX)
        give_way(of);
    memmove(of->v + at + 1, of->v + at, (of->n - at) * sizeof(struct extra *));
    x->hash = hash;
    of->v[at] = x;
    of->n++;
    *out = x;
    return RC_OK;
}

static bool before(const struct extra_place *a, const struct extra_place *b)
{
    return a->segment < b->segment || (a->segment == b->segment && a->item < b->item);
}

static enum rc keep_example(struct extras *e, struct extra *x, const struct val *v,
                            struct extra_place at)
{
    if (!e->examples || (x->example.n && !before(&at, &x->at)))
        return RC_OK;
    buf_clear(&e->text);
    canon_ddb(&e->text, v);
    x->at = at;
    return !e->text.rc && memory_own(&x->example, cut(buf_view(&e->text), EXTRAS_EXAMPLE))
               ? RC_OK
               : RC_NOMEM;
}

enum rc extras_count(struct extras *e, uint32_t place, const struct row *row,
                     struct extra_place at)
{
    struct extras_of *of = &e->places[place];
    struct extra **guess = &of->guess;
    e->any |= row->nextra > 0;
    for (uint32_t i = 0; i < row->nextra; i++) {
        const struct member *m = &row->extra[i];
        struct extra *x = *guess;
        if (!x || !str_eq(x->name, m->name)) {
            uint32_t gave_way = of->gave_way;
            if (have(of, cut(m->name, EXTRAS_NAME), &x))
                return RC_NOMEM;
            /* the name before may have had to go, and its guess with it */
            if (gave_way != of->gave_way)
                guess = &of->guess;
            if (!x) {
                of->others++;
                continue;
            }
            *guess = x;
        }
        guess = &x->guess;
        x->counts[m->val.kind]++;
        if (!x->example.n || at.segment < x->at.segment || at.item < x->at.item) {
            if (keep_example(e, x, &m->val, at))
                return RC_NOMEM;
        }
    }
    return RC_OK;
}

enum rc extras_add(struct extras *e, uint32_t place, const struct extra *from)
{
    struct extra *x = NULL;
    if (place >= e->n)
        return RC_OK;
    e->any = true;
    if (from->name.n && have(&e->places[place], cut(from->name, EXTRAS_NAME), &x))
        return RC_NOMEM;
    if (!x) {
        e->places[place].others += total(from);
        return RC_OK;
    }
    for (unsigned k = 0; k < PROFILE_KINDS; k++)
        x->counts[k] += from->counts[k];
    if (!e->examples || !from->example.n || (x->example.n && !before(&from->at, &x->at)))
        return RC_OK;
    x->at = from->at;
    return memory_own(&x->example, from->example) ? RC_OK : RC_NOMEM;
}

enum rc extras_merge(struct extras *e, const struct extras *from)
{
    enum rc rc = RC_OK;
    for (uint32_t p = 0; from->any && p < from->n; p++) {
        const struct extras_of *of = &from->places[p];
        for (uint32_t i = 0; !rc && i < of->n; i++)
            rc = extras_add(e, p, of->v[i]);
        if (!rc && of->others)
            rc = extras_add(e, p, &(struct extra){.counts = {of->others}});
    }
    return rc;
}
