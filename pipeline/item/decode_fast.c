/* SPDX-License-Identifier: MIT */
/*
 * One pass over the text. Each function takes the place it is to read from and returns the
 * place behind what it read, or NULL if that is not of the common spelling: escapes, faults
 * of any kind, depth beyond the limit. The members of a map are gathered on a stack, as their
 * number shows only at the end, and copied to the arena in one piece.
 */
#include "pipeline/item/decode_fast.h"

#include <stdlib.h>

#include "pipeline/base/bytescan.h"
#include "pipeline/base/memory.h"
#include "pipeline/base/utf8.h"
#include "pipeline/item/decode_check.h"
#include "pipeline/item/known_names.h"

enum {
    STACK_START = 64,
    STACK_KEEP = 1 << 14,
    SCRATCH_KEEP = 1 << 20,
    MANY = 64 /* members from which on looking through all of them for a name costs too much */
};

void decode_fast_init(struct decode_fast *q)
{
    *q = (struct decode_fast){0};
}

static void release_stacks(struct decode_fast *q)
{
    free(q->members);
    free(q->vals);
    q->members = NULL;
    q->vals = NULL;
    q->nmembers = q->capmembers = q->nvals = q->capvals = 0;
}

void decode_fast_release(struct decode_fast *q)
{
    release_stacks(q);
    free(q->known);
    arena_release(&q->scratch);
    decode_fast_init(q);
}

static bool more_members(struct decode_fast *q)
{
    struct member *p = memory_double(q->members, &q->capmembers, STACK_START, sizeof *p);
    q->members = p ? p : q->members;
    return p != NULL;
}

static bool more_vals(struct decode_fast *q)
{
    struct val *p = memory_double(q->vals, &q->capvals, STACK_START, sizeof *p);
    q->vals = p ? p : q->vals;
    return p != NULL;
}

static const char *take_word(const char *p, const char *end, const char *word, size_t n)
{
    return (size_t)(end - p) >= n && memcmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *take_bool(const char *p, const char *end, bool *out)
{
    p = decode_fast_blanks(p, end);
    *out = p < end && *p == 't';
    return *out ? take_word(p, end, "true", 4) : take_word(p, end, "false", 5);
}

static const char *take_value(struct decode_fast *q, const char *p, int depth, struct val *out);

/* Moves what was gathered since `base` to the arena. */
static bool keep_vals(struct decode_fast *q, size_t base, struct val *out)
{
    size_t n = q->nvals - base;
    out->n = (uint32_t)n;
    out->u.list = arena_alloc(q->arena, n * sizeof *out->u.list);
    if (out->u.list && n)
        memcpy(out->u.list, q->vals + base, n * sizeof *out->u.list);
    q->nvals = base;
    return out->u.list != NULL;
}

static bool keep_members(struct decode_fast *q, size_t base, struct member **out,
                         uint32_t *count)
{
    size_t n = q->nmembers - base;
    *count = (uint32_t)n;
    *out = arena_alloc(q->arena, n * sizeof **out);
    if (*out && n)
        memcpy(*out, q->members + base, n * sizeof **out);
    q->nmembers = base;
    return *out != NULL;
}

/* Elements up to the closing bracket; of a list (element VAL_MISSING) or of a set. */
static const char *take_elements(struct decode_fast *q, const char *p, enum val_kind element,
                                 int depth, struct val *out)
{
    size_t base = q->nvals;
    const char *next = decode_fast_take(p, q->end, ']');
    while (!next) {
        struct val v;
        if (element == VAL_MISSING) {
            p = take_value(q, p, depth + 1, &v);
        } else if ((p = decode_fast_take(p, q->end, '"'))) {
            p = decode_fast_scalar(q, p, element, &v);
        }
        if (!p || (q->nvals == q->capvals && !more_vals(q)))
            return NULL;
        q->vals[q->nvals++] = v;
        next = decode_fast_take(p, q->end, ']');
        if (!next && !(p = decode_fast_take(p, q->end, ',')))
            return NULL;
    }
    return keep_vals(q, base, out) ? next : NULL;
}

static const char *take_set(struct decode_fast *q, const char *p, struct val *out)
{
    enum val_kind element = out->kind == VAL_SS ? VAL_S : out->kind == VAL_NS ? VAL_N : VAL_B;
    p = take_elements(q, p, element, 0, out);
    struct decode_check w = {{0}, q->arena, &q->unused};
    return p && !decode_check_set(&w, out, 0) ? p : NULL;
}

/* A map in work. */
struct run {
    size_t base;      /* its first member on the stack */
    uint64_t seen[2]; /* names it has: see decode_fast_seen */
    bool doubt;       /* whether some name stands twice is to be asked when all are there */
    struct known_name **guess;
};

/* Is the name that of one of the members up to `end`? Where they are many that is left in doubt. */
static bool is_duplicate(const struct decode_fast *q, struct run *run, const struct member *end,
                         struct str name)
{
    const struct member *m = q->members + run->base;
    if (end - m >= MANY) {
        run->doubt = true;
        return false;
    }
    for (; m < end; m++) {
        if (m->name.n == name.n && memcmp(m->name.p, name.p, name.n) == 0)
            return true;
    }
    return false;
}

static bool all_differ(struct decode_fast *q, const struct run *run)
{
    uint32_t which = 0;
    enum rc rc = RC_OK;
    size_t n = q->nmembers - run->base;
    bool differ =
        decode_check_unique(q->members + run->base, (uint32_t)n, &q->scratch, &which, &rc);
    if (q->scratch.taken > SCRATCH_KEEP)
        arena_release(&q->scratch);
    arena_clear(&q->scratch);
    return differ && !rc;
}

/*
 * The closing quote of a plain value at p, where 32 bytes can be read, with at least two bytes behind
 * it; NULL if it is unusual.
 */
static inline const char *plain_value(const char *p, const char *end, enum val_kind kind,
                                      unsigned *high)
{
    if (kind == VAL_N)
        return decode_fast_short_number(p);
    size_t n = bytescan_block(p, high);
    if (n == 16)
        n += bytescan_block(p + 16, high);
    if (n < 32)
        return p[n] == '"' ? p + n : NULL;
    const char *stop = bytescan_plain(p + 32, end, high);
    return end - stop > 2 && *stop == '"' ? stop : NULL;
}

enum { RUN_ROOM = 64 }; /* what a step of the run below may look at */

/* A name that is not the expected one: its entry is found, and expected here from now on. NULL where
   it has none: it is long, its value is no S or N, or there are too many names. */
static struct known_name *unexpected(struct decode_fast *q, const char *p,
                                     struct known_name **guess)
{
    unsigned high = 0;
    uint64_t hash = 0;
    size_t n = bytescan_block(p, &high);
    if (n == 0 || n == 16 || high || !q->known)
        return NULL;
    enum val_kind kind = decode_fast_opening(p + n, q->end);
    struct str name = str_make(p, n);
    if (kind == VAL_MISSING || !decode_fast_hash(name, q->end, &hash))
        return NULL;
    struct known_name *k = known_names_find(q->known, name, kind, hash);
    if (k)
        *guess = k;
    return k;
}

/*
 * Takes members as long as they are short strings and numbers without blanks. Stops in front
 * of a member of another sort, or, *done, behind the last member of the map.
 */
static const char *take_run(struct decode_fast *q, const char *p, struct run *run, bool *done)
{
    const char *end = q->end;
    struct member *m = q->members + q->nmembers, *full = q->members + q->capmembers;
    while (end - p > RUN_ROOM && *p == '"' && m < full) {
        const char *name = p + 1;
        struct known_name *k = *run->guess;
        if ((!k || !known_here(k, name)) && !(k = unexpected(q, name, run->guess)))
            break;
        unsigned high = 0;
        const char *text = name + k->n + QUICK_OPENING;
        const char *stop = plain_value(text, end, k->kind, &high);
        if (!stop || high || stop[1] != '}' || (stop[2] != ',' && stop[2] != '}'))
            break;
        m->name = str_make(name, k->n);
        if (decode_fast_mark(run->seen, k->word, k->bit) && is_duplicate(q, run, m, m->name))
            break;
        m->val = (struct val){.kind = k->kind, .n = k->plain};
        m->val.u.s = str_make(text, (size_t)(stop - text));
        m++;
        run->guess = &k->next;
        p = stop + 2;
        *done = *p == '}';
        if (*done)
            break;
        p++;
    }
    q->nmembers = (size_t)(m - q->members);
    return p;
}

/* Any member, at its name. */
static const char *take_member(struct decode_fast *q, const char *p, struct run *run, int depth)
{
    struct member m;
    if (!(p = decode_fast_take(p, q->end, '"')) ||
        !(p = decode_fast_text(p, q->end, &m.name)) || m.name.n == 0 ||
        (decode_fast_seen(run->seen, m.name, q->end) &&
         is_duplicate(q, run, q->members + q->nmembers, m.name)))
        return NULL;
    if (!(p = decode_fast_take(p + 1, q->end, ':')) || !(p = take_value(q, p, depth, &m.val)))
        return NULL;
    if (q->nmembers == q->capmembers && !more_members(q))
        return NULL;
    q->members[q->nmembers++] = m;
    return p;
}

/* Members up to the closing brace; p is behind the opening one. */
static const char *take_members(struct decode_fast *q, const char *p, int depth,
                                struct member **members, uint32_t *count)
{
    struct run run = {.base = q->nmembers, .guess = &q->first[depth]};
    const char *next = decode_fast_take(p, q->end, '}');
    while (!next) {
        bool done = false;
        if (q->nmembers == q->capmembers && !more_members(q))
            return NULL;
        p = take_run(q, p, &run, &done);
        if (!done && !(p = take_member(q, p, &run, depth)))
            return NULL;
        next = decode_fast_take(p, q->end, '}');
        if (!next && !(p = decode_fast_take(p, q->end, ',')))
            return NULL;
    }
    if (run.doubt && !all_differ(q, &run))
        return NULL;
    return keep_members(q, run.base, members, count) ? next : NULL;
}

/* `{"TAG":` with or without blanks. */
static const char *take_tag(const char *p, const char *end, enum val_kind *kind)
{
    struct str tag;
    if (end - p > 5 && p[0] == '{' && p[1] == '"' && p[3] == '"' && p[4] == ':') {
        *kind = decode_check_tag(str_make(p + 2, 1));
        return *kind == VAL_MISSING ? NULL : p + 5;
    }
    if (!(p = decode_fast_take(p, end, '{')) || !(p = decode_fast_take(p, end, '"')) ||
        !(p = decode_fast_text(p, end, &tag)))
        return NULL;
    *kind = decode_check_tag(tag);
    return *kind == VAL_MISSING ? NULL : decode_fast_take(p + 1, end, ':');
}

/* What stands under a tag, up to but not including the brace that closes the value. */
static const char *take_payload(struct decode_fast *q, const char *p, int depth,
                                struct val *out)
{
    bool yes;
    switch (out->kind) {
    case VAL_S:
    case VAL_N:
    case VAL_B:
        p = decode_fast_take(p, q->end, '"');
        return p ? decode_fast_scalar(q, p, out->kind, out) : NULL;
    case VAL_BOOL:
        return take_bool(p, q->end, &out->u.boolean);
    case VAL_NULL:
        p = take_bool(p, q->end, &yes);
        return yes ? p : NULL;
    case VAL_M:
        if (depth >= ITEM_DEPTH_MAX || !(p = decode_fast_take(p, q->end, '{')))
            return NULL;
        return take_members(q, p, depth + 1, &out->u.members, &out->n);
    case VAL_L:
        if (depth >= ITEM_DEPTH_MAX || !(p = decode_fast_take(p, q->end, '[')))
            return NULL;
        return take_elements(q, p, VAL_MISSING, depth, out);
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        p = decode_fast_take(p, q->end, '[');
        return p ? take_set(q, p, out) : NULL;
    case VAL_MISSING:
        break;
    }
    return NULL;
}

static const char *take_value(struct decode_fast *q, const char *p, int depth, struct val *out)
{
    *out = (struct val){.kind = VAL_MISSING};
    p = take_tag(p, q->end, &out->kind);
    if (p)
        p = take_payload(q, p, depth, out);
    return p ? decode_fast_take(p, q->end, '}') : NULL;
}

/*
 * Behind `{"Item":{` if the text starts so and the first name in it is no type tag; behind
 * `{` if it starts with another name. NULL where it takes a second look to tell.
 */
static const char *take_opening(const char *p, const char *end, bool *wrapped)
{
    struct str name;
    *wrapped = false;
    const char *inside = decode_fast_take(p, end, '{');
    if (!inside || !(p = decode_fast_take(inside, end, '"')) ||
        !(p = decode_fast_text(p, end, &name)) || !str_eq(name, STR("Item")))
        return inside;
    *wrapped = true;
    if (!(p = decode_fast_take(p + 1, end, ':')) || !(inside = decode_fast_take(p, end, '{')) ||
        !(p = decode_fast_take(inside, end, '"')) || !decode_fast_text(p, end, &name))
        return NULL;
    return decode_check_tag(name) == VAL_MISSING ? inside : NULL;
}

/* A rare huge item must not cost its memory for ever. */
static void shrink(struct decode_fast *q)
{
    if (q->capmembers > STACK_KEEP || q->capvals > STACK_KEEP)
        release_stacks(q);
    q->nmembers = q->nvals = 0;
}

bool decode_fast_item(struct decode_fast *q, struct str raw, struct arena *a, struct item *out)
{
    bool wrapped;
    if (raw.n == 0)
        return false;
    if (!q->known)
        q->known = calloc(1, sizeof *q->known);
    q->end = raw.p + raw.n;
    q->arena = a;
    const char *p = take_opening(raw.p, q->end, &wrapped);
    if (p)
        p = take_members(q, p, 0, &out->members, &out->n);
    if (p && wrapped)
        p = decode_fast_take(p, q->end, '}');
    shrink(q);
    out->raw = raw;
    return p && decode_fast_blanks(p, q->end) == q->end;
}
