/* SPDX-License-Identifier: MIT */
/*
 * Each side is read once, and the hashes of its rows are summed in buckets. Only where buckets
 * differ both sides are read a second time, for the keys in them.
 */
#include "pipeline/compare/differences.h"

#include <stdlib.h>

enum { SEARCH_ROWS = 1000000 }; /* whose keys are held in memory at once */

struct compare {
    const struct compare_sides *sides;
    struct rows_table of;
    struct comparison *out;
    uint64_t named, kept; /* keys of this table: told, left to the recheck */
};

static const struct table *table_of(const struct compare *c)
{
    return &c->of.schema->tables[c->of.index];
}

static enum rc add_sum(void *ctx, struct str key, struct str line, struct err *err)
{
    (void)err;
    tally_add(ctx, key, line);
    return RC_OK;
}

static enum rc sum_up(const struct compare *c, struct rows_reader *side, struct tally *sums,
                      struct err *err)
{
    return rows_walk(side, &c->of, &(struct rows_each){add_sum, sums}, err);
}

struct search_ctx {
    struct tally_search *search;
    enum tally_side side;
};

static enum rc add_to_search(void *ctx, struct str key, struct str line, struct err *err)
{
    struct search_ctx *s = ctx;
    return tally_search_add(s->search, s->side, key, line, err);
}

enum compare_finding compare_finding_of(enum tally_finding what)
{
    static const enum compare_finding FINDINGS[] = {[TALLY_ONLY_A] = COMPARE_MISSING,
                                                    [TALLY_ONLY_B] = COMPARE_EXTRA,
                                                    [TALLY_DIFFERS] = COMPARE_DIFFERENT};
    return FINDINGS[what];
}

static bool name_key(void *ctx, const struct tally_found *found)
{
    struct compare *c = ctx;
    const struct compare_report *r = c->sides->report;
    if (c->sides->again && recheck_keep(c->sides->again, c->of.index, found)) {
        c->kept++;
        return true;
    }
    c->out->differing++;
    if (c->named++ < COMPARE_NAMED)
        r->key(r->ctx, table_of(c), found->key, compare_finding_of(found->what));
    return true;
}

static void tell_found(struct compare *c, const struct tally_search *search)
{
    const struct compare_report *r = c->sides->report;
    uint64_t before = c->out->differing;
    size_t skipped = tally_search_skipped(search);
    c->named = c->kept = 0;
    tally_search_each(search, name_key, c);
    if (c->named > COMPARE_NAMED)
        r->unnamed(r->ctx, table_of(c), c->named - COMPARE_NAMED);
    if (skipped)
        r->unsearched(r->ctx, table_of(c), skipped);
    /* The sums differ, so the table must not pass for equal, even if no key was found. */
    if (skipped || (c->out->differing == before && !c->kept))
        c->out->differing++;
}

static enum rc search_table(struct compare *c, const struct tally *sums, struct err *err)
{
    struct search_ctx s = {tally_search_new(&sums[TALLY_A], &sums[TALLY_B], SEARCH_ROWS),
                           TALLY_A};
    struct rows_each each = {add_to_search, &s};
    if (!s.search)
        return err_nomem(err);
    enum rc rc = rows_walk(c->sides->source, &c->of, &each, err);
    s.side = TALLY_B;
    if (!rc)
        rc = rows_walk(c->sides->sink, &c->of, &each, err);
    if (!rc)
        tell_found(c, s.search);
    tally_search_free(s.search);
    return rc;
}

static enum rc find_in_table(struct compare *c, const struct tally *sums, struct err *err)
{
    const struct compare_report *r = c->sides->report;
    c->out->tables++;
    if (c->sides->sink->lacks) { /* that says more than a list of all rows as missing would */
        c->out->differing++;
        r->lacking(r->ctx, table_of(c), c->sides->sink->lacks);
        return RC_OK;
    }
    bool equal = tally_differing(&sums[TALLY_A], &sums[TALLY_B]) == 0;
    c->out->rows += sums[TALLY_B].rows;
    if (r->table)
        r->table(r->ctx, table_of(c), sums[TALLY_B].rows, equal);
    return equal ? RC_OK : search_table(c, sums, err);
}

static enum rc compare_table(struct compare *c, struct err *err)
{
    struct tally *sums = calloc(2, sizeof *sums);
    if (!sums)
        return err_nomem(err);
    tally_init(&sums[TALLY_A]);
    tally_init(&sums[TALLY_B]);
    enum rc rc = sum_up(c, c->sides->source, &sums[TALLY_A], err);
    if (!rc)
        rc = sum_up(c, c->sides->sink, &sums[TALLY_B], err);
    if (!rc)
        rc = find_in_table(c, sums, err);
    free(sums);
    return rc;
}

/* Items that became no rows have no key to be found by, so numbers and sums are compared. */
static void compare_items(struct compare *c, enum compare_items which,
                          const struct tally_sum *source, const struct tally_sum *sink)
{
    const struct compare_report *r = c->sides->report;
    if (tally_sum_same(source, sink))
        return;
    if (source->rows == sink->rows) {
        r->other_items(r->ctx, which);
    } else {
        r->items(r->ctx, which, source->rows, sink->rows);
    }
    if (c->sides->again) {
        c->out->changed++; /* a live table's items change, and these cannot be read again */
    } else {
        c->out->differing++;
    }
}

static enum rc compare_rowless(struct compare *c, struct err *err)
{
    struct rows_reader *a = c->sides->source, *b = c->sides->sink;
    struct rowless_items x = {0}, y = {0};
    if (!a->ops->rowless || !b->ops->rowless)
        return RC_OK;
    enum rc rc = a->ops->rowless(a, &x, err);
    if (!rc)
        rc = b->ops->rowless(b, &y, err);
    if (rc)
        return rc;
    c->out->rejected = x.rejected;
    c->out->unrouted = x.unrouted;
    x.rejected_content.rows = x.rejected;
    y.rejected_content.rows = y.rejected;
    x.unrouted_content.rows = x.unrouted;
    y.unrouted_content.rows = y.unrouted;
    compare_items(c, COMPARE_REJECTED, &x.rejected_content, &y.rejected_content);
    compare_items(c, COMPARE_UNROUTED, &x.unrouted_content, &y.unrouted_content);
    return RC_OK;
}

static bool next_count(struct str *text, struct str *name, struct str *number)
{
    const char *tab = text->n ? memchr(text->p, '\t', text->n) : NULL;
    const char *end = tab ? memchr(tab, '\n', text->n - (size_t)(tab - text->p)) : NULL;
    if (!end)
        return false;
    *name = str_make(text->p, (size_t)(tab - text->p));
    *number = str_make(tab + 1, (size_t)(end - tab) - 1);
    *text = str_from(*text, (size_t)(end - text->p) + 1);
    return true;
}

/* What the other text says of the name; none is 0. */
static struct str count_of(struct str text, struct str name)
{
    struct str other, number;
    while (next_count(&text, &other, &number)) {
        if (str_eq(other, name))
            return number;
    }
    return STR("0");
}

static void tell_counts(struct compare *c, struct str source, struct str sink)
{
    const struct compare_report *r = c->sides->report;
    struct str name, number, rest = source;
    while (next_count(&rest, &name, &number)) {
        struct str other = count_of(sink, name);
        if (!str_eq(number, other)) {
            c->out->differing++;
            r->count(r->ctx, name, number, other);
        }
    }
    rest = sink;
    while (next_count(&rest, &name, &number)) {
        if (str_is(count_of(source, name), "0") && !str_is(number, "0")) {
            c->out->differing++;
            r->count(r->ctx, name, STR("0"), number);
        }
    }
}

/* A live table counts other items at another time: there the rows alone tell. */
static enum rc compare_counts(struct compare *c, struct err *err)
{
    struct rows_reader *a = c->sides->source, *b = c->sides->sink;
    struct buf x, y;
    if (!a->ops->counts || !b->ops->counts || c->sides->again)
        return RC_OK;
    buf_init(&x, BUF_NO_LIMIT);
    buf_init(&y, BUF_NO_LIMIT);
    enum rc rc = a->ops->counts(a, &x, err);
    if (!rc)
        rc = b->ops->counts(b, &y, err);
    if (!rc)
        rc = buf_check(&x, err);
    if (!rc)
        rc = buf_check(&y, err);
    if (!rc)
        tell_counts(c, buf_view(&x), buf_view(&y));
    buf_release(&x);
    buf_release(&y);
    return rc;
}

enum rc compare_sides(const struct compare_sides *sides, struct comparison *out,
                      struct err *err)
{
    struct compare c = {.sides = sides, .out = out};
    c.of = (struct rows_table){sides->schema, 0,
                               sides->source->folds_nulls || sides->sink->folds_nulls};
    enum rc rc = RC_OK;
    for (; !rc && c.of.index < sides->schema->ntables; c.of.index++)
        rc = compare_table(&c, err);
    if (!rc)
        rc = compare_rowless(&c, err);
    /* numbers of what is known to differ would only repeat it */
    return !rc && !out->differing ? compare_counts(&c, err) : rc;
}
