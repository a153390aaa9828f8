/* SPDX-License-Identifier: MIT */
/*
 * First the sums of row hashes in buckets, one pass over each side; only where buckets differ
 * a second pass over both for the keys in them.
 */
#include "cmd/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/recheck.h"

enum { HUNT_ROWS = 1000000 };

struct compare {
    struct side_table of;
    struct comparison *out;
    uint64_t named, kept;
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

static enum rc sum_up(const struct compare *c, struct side *side, struct tally *sums,
                      struct err *err)
{
    return side_walk(side, &c->of, &(struct side_each){add_sum, sums}, err);
}

struct hunt_ctx {
    struct tally_hunt *hunt;
    enum tally_side side;
};

static enum rc add_hunt(void *ctx, struct str key, struct str line, struct err *err)
{
    struct hunt_ctx *h = ctx;
    return tally_hunt_add(h->hunt, h->side, key, line, err);
}

void compare_name(const struct table *t, struct str key, const char *what)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    if (t->nkey) {
        tally_key_text(&text, key);
    } else {
        buf_add_str(&text, key);
    }
    (void)printf("%.*s: %s: %s\n", STR_FMT(t->name), what, buf_cstr(&text));
    buf_release(&text);
}

const char *compare_word(enum tally_finding what)
{
    static const char *const WORDS[] = {
        [TALLY_ONLY_A] = "missing", [TALLY_ONLY_B] = "extra", [TALLY_DIFFERS] = "different"};
    return WORDS[what];
}

static bool name_key(void *ctx, const struct tally_found *found)
{
    struct compare *c = ctx;
    if (c->out->again && recheck_keep(c->out->again, c->of.index, found)) {
        c->kept++;
        return true;
    }
    c->out->differing++;
    if (c->named++ < COMPARE_NAMED)
        compare_name(table_of(c), found->key, compare_word(found->what));
    return true;
}

static void tell_found(struct compare *c, const struct tally_hunt *hunt)
{
    uint64_t before = c->out->differing;
    const struct table *t = table_of(c);
    c->named = c->kept = 0;
    tally_hunt_each(hunt, name_key, c);
    if (c->named > COMPARE_NAMED) {
        (void)printf("%.*s: %" PRIu64 " keys more\n", STR_FMT(t->name),
                     c->named - COMPARE_NAMED);
    }
    if (tally_hunt_left(hunt)) {
        (void)printf("%.*s: %zu of %d buckets were not looked into\n", STR_FMT(t->name),
                     tally_hunt_left(hunt), TALLY_BUCKETS);
    }
    /* sums differ: never called equal */
    if (tally_hunt_left(hunt) || (c->out->differing == before && !c->kept))
        c->out->differing++;
}

static enum rc hunt(struct compare *c, struct side *a, struct side *b, const struct tally *sums,
                    struct err *err)
{
    struct hunt_ctx h = {tally_hunt_new(&sums[0], &sums[1], HUNT_ROWS), TALLY_A};
    struct side_each each = {add_hunt, &h};
    if (!h.hunt)
        return err_nomem(err);
    enum rc rc = side_walk(a, &c->of, &each, err);
    h.side = TALLY_B;
    if (rc == RC_OK)
        rc = side_walk(b, &c->of, &each, err);
    if (rc == RC_OK)
        tell_found(c, h.hunt);
    tally_hunt_free(h.hunt);
    return rc;
}

/* Its rows are all missing: naming them would say less. */
static void tell_lacking(struct compare *c, const char *lacks)
{
    c->out->tables++;
    c->out->differing++;
    (void)printf("%-32.*s %s\n", STR_FMT(table_of(c)->name), lacks);
}

static enum rc compare_table(struct compare *c, struct side *a, struct side *b, struct err *err)
{
    struct tally *sums = calloc(2, sizeof *sums);
    if (!sums)
        return err_nomem(err);
    tally_init(&sums[0]);
    tally_init(&sums[1]);
    enum rc rc = sum_up(c, a, &sums[0], err);
    if (rc == RC_OK)
        rc = sum_up(c, b, &sums[1], err);
    if (rc == RC_OK && b->lacks) {
        tell_lacking(c, b->lacks);
    } else if (rc == RC_OK) {
        bool same = tally_differing(&sums[0], &sums[1]) == 0;
        c->out->tables++;
        c->out->rows += sums[1].rows;
        if (!c->out->quiet) {
            (void)printf("%-32.*s %14" PRIu64 " rows  %s\n", STR_FMT(table_of(c)->name),
                         sums[1].rows, same ? "equal" : "DIFFERENT");
        }
        if (!same)
            rc = hunt(c, a, b, sums, err);
    }
    free(sums);
    return rc;
}

/* Items that became no rows cannot be found by rows: they are counted on both sides. */
static void compare_count(struct comparison *out, const char *what, uint64_t a, uint64_t b)
{
    if (a == b)
        return;
    (void)printf("%s: the source has %" PRIu64 ", the sink %" PRIu64 "\n", what, a, b);
    if (out->again) {
        out->changed++; /* a live table: they may have changed since, and have no row to ask for */
    } else {
        out->differing++;
    }
}

static enum rc compare_left(struct side *a, struct side *b, struct comparison *out,
                            struct err *err)
{
    struct side_left x = {0}, y = {0};
    if (!a->ops->left || !b->ops->left)
        return RC_OK;
    enum rc rc = a->ops->left(a, &x, err);
    if (rc == RC_OK)
        rc = b->ops->left(b, &y, err);
    if (rc != RC_OK)
        return rc;
    out->rejected = x.rejected;
    out->unrouted = x.unrouted;
    compare_count(out, "rejected items", x.rejected, y.rejected);
    compare_count(out, "unrouted items", x.unrouted, y.unrouted);
    return RC_OK;
}

enum rc compare_sides(const struct schema *schema, struct side *a, struct side *b,
                      struct comparison *out, struct err *err)
{
    struct compare c = {.out = out};
    c.of = (struct side_table){schema, 0, a->folds_nulls || b->folds_nulls};
    enum rc rc = RC_OK;
    for (; rc == RC_OK && c.of.index < schema->ntables; c.of.index++)
        rc = compare_table(&c, a, b, err);
    return rc == RC_OK ? compare_left(a, b, out, err) : rc;
}
