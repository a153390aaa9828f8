/* SPDX-License-Identifier: MIT */
/*
 * First the sums of row hashes in buckets, one pass over each side; only where buckets differ
 * a second pass over both for the keys in them.
 */
#include "cmd/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/line.h"
#include "pipeline/run/tally.h"

enum { HUNT_ROWS = 1000000, MAX_NAMED = 20 };

struct compare {
    const struct schema *schema;
    uint32_t table;
    bool fold;
    struct buf key, folded;
    struct comparison *out;
    uint64_t named;
};

typedef enum rc each_row(void *ctx, struct str key, struct str line, struct err *err);

static enum rc walk(struct compare *c, struct side *side, each_row *each, void *ctx,
                    struct err *err)
{
    const struct table *t = &c->schema->tables[c->table];
    struct str line;
    enum rc rc = side->ops->start(side, c->table, err);
    while (rc == RC_OK && (rc = side->ops->next(side, &line, err)) == RC_OK) {
        if (c->fold && !side->folds_nulls) {
            line_fold(line, &c->folded);
            line = buf_view(&c->folded);
        }
        line_key(t, line, &c->key);
        if (c->key.rc != RC_OK || c->folded.rc != RC_OK)
            return err_nomem(err);
        rc = each(ctx, buf_view(&c->key), line, err);
    }
    return rc == RC_END ? RC_OK : rc;
}

static enum rc add_sum(void *ctx, struct str key, struct str line, struct err *err)
{
    (void)err;
    tally_add(ctx, key, line);
    return RC_OK;
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

static bool name_key(void *ctx, struct str key, enum tally_finding what)
{
    static const char *const WHAT[] = {
        [TALLY_ONLY_A] = "missing", [TALLY_ONLY_B] = "extra", [TALLY_DIFFERS] = "different"};
    struct compare *c = ctx;
    struct buf text;
    c->out->differing++;
    if (c->named++ >= MAX_NAMED)
        return true;
    buf_init(&text, (size_t)1 << 20);
    if (c->schema->tables[c->table].nkey) {
        tally_key_text(&text, key);
    } else {
        buf_add_str(&text, key);
    }
    (void)printf("%.*s: %s: %s\n", STR_FMT(c->schema->tables[c->table].name), WHAT[what],
                 buf_cstr(&text));
    buf_release(&text);
    return true;
}

static enum rc hunt(struct compare *c, struct side *a, struct side *b, const struct tally *sums,
                    struct err *err)
{
    struct hunt_ctx h = {tally_hunt_new(&sums[0], &sums[1], HUNT_ROWS), TALLY_A};
    if (!h.hunt)
        return err_nomem(err);
    enum rc rc = walk(c, a, add_hunt, &h, err);
    h.side = TALLY_B;
    if (rc == RC_OK)
        rc = walk(c, b, add_hunt, &h, err);
    if (rc == RC_OK) {
        uint64_t before = c->out->differing;
        tally_hunt_each(h.hunt, name_key, c);
        if (c->named > MAX_NAMED) {
            (void)printf("%.*s: %" PRIu64 " keys more\n",
                         STR_FMT(c->schema->tables[c->table].name), c->named - MAX_NAMED);
        }
        if (tally_hunt_left(h.hunt)) {
            (void)printf("%.*s: %zu of %d buckets were not looked into\n",
                         STR_FMT(c->schema->tables[c->table].name), tally_hunt_left(h.hunt),
                         TALLY_BUCKETS);
        }
        if (c->out->differing == before)
            c->out->differing++; /* sums differ: never called equal */
    }
    tally_hunt_free(h.hunt);
    return rc;
}

static enum rc compare_table(struct compare *c, struct side *a, struct side *b, struct err *err)
{
    struct tally *sums = calloc(2, sizeof *sums);
    if (!sums)
        return err_nomem(err);
    tally_init(&sums[0]);
    tally_init(&sums[1]);
    enum rc rc = walk(c, a, add_sum, &sums[0], err);
    if (rc == RC_OK)
        rc = walk(c, b, add_sum, &sums[1], err);
    if (rc == RC_OK) {
        bool same = tally_differing(&sums[0], &sums[1]) == 0;
        c->out->tables++;
        c->out->rows += sums[1].rows;
        if (!c->out->quiet) {
            (void)printf("%-32.*s %14" PRIu64 " rows  %s\n",
                         STR_FMT(c->schema->tables[c->table].name), sums[1].rows,
                         same ? "equal" : "DIFFERENT");
        }
        c->named = 0;
        if (!same)
            rc = hunt(c, a, b, sums, err);
    }
    free(sums);
    return rc;
}

enum rc compare_sides(const struct schema *schema, struct side *a, struct side *b,
                      struct comparison *out, struct err *err)
{
    struct compare c = {.schema = schema, .fold = a->folds_nulls || b->folds_nulls, .out = out};
    buf_init(&c.key, BUF_NO_LIMIT);
    buf_init(&c.folded, BUF_NO_LIMIT);
    enum rc rc = RC_OK;
    for (c.table = 0; rc == RC_OK && c.table < schema->ntables; c.table++)
        rc = compare_table(&c, a, b, err);
    buf_release(&c.key);
    buf_release(&c.folded);
    return rc;
}
