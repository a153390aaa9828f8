/* SPDX-License-Identifier: MIT */
/*
 * Each rule looks at one thing first; what it leaves open is decided by the smallest source
 * key, then by the bytes of the value. `owner` without an owner is `first`.
 */
#include "pipeline/row/reduce/reduce.h"

#include "pipeline/item/decimal.h"

struct reduce_value reduce_of(const struct candidate *c, struct str value)
{
    unsigned seen = 0;
    if (c->order_kind != ORDER_NONE)
        seen = str_is(c->order, "1") ? REDUCE_SEEN_1 : REDUCE_SEEN_0;
    return (struct reduce_value){
        .value = value,
        .count = 1,
        .min_source = c->source,
        .max_source = c->source,
        .order_kind = c->order_kind,
        .order = c->order,
        .order_source = c->source,
        .seen = seen,
    };
}

/* Positive: a is later. */
static int order_compare(const struct reduce_value *a, const struct reduce_value *b)
{
    if (a->order_kind != b->order_kind)
        return a->order_kind > b->order_kind ? 1 : -1;
    if (a->order_kind == ORDER_NONE)
        return 0;
    return a->order_kind == ORDER_NUMBER ? decimal_cmp(a->order, b->order)
                                         : str_cmp(a->order, b->order);
}

void reduce_fold(struct reduce_value *into, const struct reduce_value *more)
{
    int later = order_compare(more, into);
    if (later > 0 || (later == 0 && str_cmp(more->order_source, into->order_source) < 0)) {
        into->order_kind = more->order_kind;
        into->order = more->order;
        into->order_source = more->order_source;
    }
    if (str_cmp(more->min_source, into->min_source) < 0)
        into->min_source = more->min_source;
    if (str_cmp(more->max_source, into->max_source) > 0)
        into->max_source = more->max_source;
    into->count += more->count;
    into->owner = into->owner || more->owner;
    into->seen |= more->seen;
}

static int latest(const struct reduce_value *a, const struct reduce_value *b)
{
    int r = order_compare(b, a);
    return r ? r : str_cmp(a->order_source, b->order_source);
}

static int by_rule(enum extract_rule rule, const struct reduce_value *a,
                   const struct reduce_value *b)
{
    switch (rule) {
    case EXTRACT_OWNER:
        return (int)b->owner - (int)a->owner;
    case EXTRACT_FIRST:
        return 0;
    case EXTRACT_LAST:
        return str_cmp(b->max_source, a->max_source);
    case EXTRACT_LATEST:
        return latest(a, b);
    case EXTRACT_MAJORITY:
        return a->count == b->count ? 0 : a->count > b->count ? -1 : 1;
    case EXTRACT_MIRROR:
        return (int)(b->seen & REDUCE_SEEN_0) - (int)(a->seen & REDUCE_SEEN_0);
    }
    return 0;
}

bool reduce_abstains(const struct reduce_value *v)
{
    return !v->owner && str_is(v->value, "null");
}

int reduce_compare(enum extract_rule rule, const struct reduce_value *a,
                   const struct reduce_value *b)
{
    int r = (int)reduce_abstains(a) - (int)reduce_abstains(b);
    if (r == 0)
        r = by_rule(rule, a, b);
    if (r == 0)
        r = str_cmp(a->min_source, b->min_source);
    return r ? r : str_cmp(a->value, b->value);
}
