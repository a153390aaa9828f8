/* SPDX-License-Identifier: MIT */
/* The data is a function of (segment, item), so that any two complete runs must agree. */
#include "tests/harness/jsonl_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#define COL(n, t)                                                                              \
    {                                                                                          \
        .name = {n, sizeof(n) - 1}, .type = (t)                                                \
    }
#define KEY(n, t)                                                                              \
    {                                                                                          \
        .name = {n, sizeof(n) - 1}, .type = (t), .not_null = true, .key = true                 \
    }

static struct column item_columns[] = {KEY("id", COL_TEXT), COL("n", COL_NUMERIC),
                                       COL("note", COL_TEXT)};
static struct column child_columns[] = {KEY("id", COL_TEXT), KEY("ordinal", COL_BIGINT),
                                        COL("value", COL_TEXT)};
static struct column owner_columns[] = {KEY("owner", COL_TEXT), COL("mail", COL_TEXT),
                                        COL("city", COL_TEXT)};
static struct column conflict_columns[] = {
    KEY("owner", COL_TEXT), COL("attribute", COL_TEXT), COL("kept", COL_JSONB),
    COL("lost", COL_JSONB), COL("count", COL_BIGINT),   COL("source_key", COL_TEXT)};
static struct column link_columns[] = {KEY("a", COL_TEXT), KEY("b", COL_TEXT)};

static uint32_t first_key[] = {0}, two_keys[] = {0, 1};
static uint32_t owner_carried[] = {0, 1, 2};

#define NAMED(n)                                                                               \
    {                                                                                          \
        n, sizeof(n) - 1                                                                       \
    }
static struct table tables[FIX_TABLES] = {
    [FIX_ITEM] = {.name = NAMED("item"),
                  .columns = item_columns,
                  .ncolumns = 3,
                  .key = first_key,
                  .nkey = 1,
                  .parent = UINT32_MAX},
    [FIX_CHILD] = {.name = NAMED("../child"),
                   .kind = TABLE_CHILD,
                   .columns = child_columns,
                   .ncolumns = 3,
                   .key = two_keys,
                   .nkey = 2,
                   .parent = FIX_ITEM},
    [FIX_OWNER] = {.name = NAMED("owner"),
                   .kind = TABLE_EXTRACT,
                   .columns = owner_columns,
                   .ncolumns = 3,
                   .key = first_key,
                   .nkey = 1,
                   .parent = UINT32_MAX},
    [FIX_CONFLICT] = {.name = NAMED("owner_conflict"),
                      .kind = TABLE_CONFLICT,
                      .columns = conflict_columns,
                      .ncolumns = 6,
                      .parent = UINT32_MAX},
    [FIX_LINK] = {.name = NAMED("link"),
                  .columns = link_columns,
                  .ncolumns = 2,
                  .key = two_keys,
                  .nkey = 2,
                  .parent = UINT32_MAX},
};
static struct extract extracts[] = {
    {.into = FIX_OWNER,
     .conflict = FIX_CONFLICT,
     .rule = EXTRACT_MAJORITY,
     .columns = owner_carried,
     .ncolumns = 3},
};
static struct str notes[] = {NAMED("null folded: item.note")};

const struct schema fix_schema = {.name = NAMED("fix"),
                                  .tables = tables,
                                  .ntables = FIX_TABLES,
                                  .extracts = extracts,
                                  .nextracts = 1,
                                  .notes = notes,
                                  .nnotes = 1};

enum { PAGE_ROWS = 4096, TEXT = 64 };

/* What one page becomes. */
struct page_rows {
    struct batch batch;
    struct row rows[PAGE_ROWS];
    struct datum cells[PAGE_ROWS][3];
    struct reject rejects[PAGE_ROWS];
    char text[PAGE_ROWS * 4][TEXT];
    size_t ntext;
};

static struct datum PRINTF_LIKE(2, 3) words(struct page_rows *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *to = p->text[p->ntext++];
    int n = vsnprintf(to, TEXT, fmt, ap);
    va_end(ap);
    struct datum d = {.state = DATUM_VALUE};
    d.u.text = str_make(to, (size_t)n);
    return d;
}

static struct row *new_row(struct page_rows *p, uint32_t table)
{
    struct row *r = &p->rows[p->batch.nrows];
    *r = (struct row){.table = table,
                      .extract = UINT32_MAX,
                      .cells = p->cells[p->batch.nrows],
                      .order_type = COL_TEXT};
    memset(p->cells[p->batch.nrows], 0, sizeof p->cells[0]);
    p->batch.nrows++;
    return r;
}

static void make_item(struct page_rows *p, uint32_t seg, uint32_t i)
{
    if (i % 11 == 3) {
        struct reject *r = &p->rejects[p->batch.nrejects++];
        struct datum raw = words(p, "{\"PK\":{\"S\":\"%u-%u\"}}", seg, i);
        *r = (struct reject){.kind = i % 2 ? REJECT_ITEM : REJECT_UNROUTED,
                             .raw = raw.u.text,
                             .entity = STR("Thing"),
                             .reason = i % 2 ? "cast" : "unrouted",
                             .detail = STR("why"),
                             .position = i};
        return;
    }
    struct row *r = new_row(p, FIX_ITEM);
    r->cells[0] = words(p, "s%u-i%06u", seg, i);
    r->cells[1] = words(p, "%u.5", i + 1);
    if (i % 3 == 0)
        r->cells[2] = words(p, "note \"%u\" of %u", i, seg);
    struct datum id = r->cells[0];
    for (unsigned k = 0; k < i % 3; k++) {
        struct row *c = new_row(p, FIX_CHILD);
        c->cells[0] = id;
        c->cells[1] = (struct datum){.state = DATUM_VALUE};
        c->cells[1].u.i = k;
        c->cells[2] = words(p, "v%u.%u", i, k);
    }
    struct row *o = new_row(p, FIX_OWNER);
    o->extract = 0;
    o->source_key = id.u.text;
    o->cells[0] = words(p, "owner%u", i % 7);
    if (i % 5)
        o->cells[1] = words(p, "m%u@x", i % 4 == 0 ? i % 3 : 9);
    o->cells[2] = words(p, "city%u", i % 7);
}

static void count_page(const struct page_rows *p, uint32_t items, uint64_t *c)
{
    c[CNT_READ] += items;
    c[CNT_ROUTED] += items - p->batch.nrejects;
    for (size_t i = 0; i < p->batch.nrejects; i++)
        c[p->rejects[i].kind == REJECT_ITEM ? CNT_REJECTED : CNT_UNROUTED]++;
    for (size_t i = 0; i < p->batch.nrows; i++) {
        if (p->rows[i].extract == UINT32_MAX)
            c[CNT_FIXED + p->rows[i].table]++;
    }
}

/* Waits for the commit as the worker loop does. */
static enum rc settle(struct sink_worker *w, enum rc rc, enum commit_outcome outcome,
                      struct err *err)
{
    while (!rc && outcome == COMMIT_UNDER_WAY) {
        struct pollfd fds[2];
        size_t n = sink_worker_fds(w, fds, 2);
        (void)poll(fds, (nfds_t)n, 60000);
        rc = sink_worker_step(w, &outcome, err);
    }
    return rc;
}

struct progress {
    const struct fix_run *run;
    struct fix_result *result;
    struct sink_worker *w;
    struct page_rows *page;
    bool stop;
};

static enum rc commit(struct progress *p, struct mark *m, uint64_t *counters, struct err *err)
{
    enum commit_outcome outcome = COMMIT_DONE;
    enum rc rc = p->w->ops->commit(p->w, m, 1, &outcome, err);
    rc = settle(p->w, rc, outcome, err);
    memset(counters, 0, sizeof(uint64_t) * schema_counters(&fix_schema));
    p->result->commits++;
    p->stop = p->run->stop_after && p->result->commits >= p->run->stop_after;
    return rc;
}

static enum rc add_page(struct progress *p, uint32_t segment, uint32_t at, uint64_t *counters,
                        struct err *err)
{
    struct page_rows *rows = p->page;
    rows->batch =
        (struct batch){.segment = segment, .rows = rows->rows, .rejects = rows->rejects};
    rows->ntext = 0;
    uint32_t end = at + p->run->page < p->run->items ? at + p->run->page : p->run->items;
    for (uint32_t i = at; i < end; i++)
        make_item(rows, segment, i);
    count_page(rows, end - at, counters);
    return p->w->ops->rows(p->w, &rows->batch, err);
}

static enum rc work_segment(struct progress *p, struct sink *s, uint32_t segment,
                            struct err *err)
{
    uint64_t counters[CNT_FIXED + FIX_TABLES + 1] = {0};
    char resume[32];
    struct claim claim;
    enum rc rc = s->ops->claim(s, segment, &claim, err);
    if (rc || claim.state != CLAIM_MINE)
        return rc;
    unsigned at = 0;
    if (claim.resume.n)
        (void)sscanf(claim.resume.p, "%u", &at);
    for (uint32_t pages = 0; !rc && !p->stop;) {
        rc = add_page(p, segment, at, counters, err);
        at += p->run->page;
        pages++;
        bool done = at >= p->run->items;
        if (rc || (!done && pages % p->run->pages))
            continue;
        int n = snprintf(resume, sizeof resume, "%u", at);
        struct mark m = {.segment = segment,
                         .epoch = claim.epoch,
                         .done = done,
                         .resume = str_make(resume, (size_t)n),
                         .counters = counters};
        rc = commit(p, &m, counters, err);
        if (done)
            break;
        if (p->stop && p->run->dirty && !rc)
            rc = add_page(p, segment, at, counters, err);
    }
    return rc;
}

static enum rc work(const struct fix_run *run, struct sink *s, struct fix_result *out,
                    bool *stopped, struct err *err)
{
    enum rc rc = RC_OK;
    uint32_t workers = run->workers ? run->workers : 1;
    struct progress p = {.run = run, .result = out, .page = malloc(sizeof *p.page)};
    if (!p.page)
        return err_nomem(err);
    for (uint32_t w = 0; w < workers && !rc && !p.stop; w++) {
        p.w = s->ops->worker(s, w, err);
        if (!p.w) {
            rc = err->rc;
            break;
        }
        for (uint32_t seg = w; seg < run->segments && !rc && !p.stop; seg += workers)
            rc = work_segment(&p, s, seg, err);
        p.w->ops->close(p.w);
    }
    *stopped = p.stop;
    free(p.page);
    return rc;
}

struct jsonl_options fix_options(const char *out)
{
    return (struct jsonl_options){
        .out = out, .level = 3, .part_mb = 256, .open_parts = 16, .commit_mb = 16};
}

enum rc fix_export(const struct fix_run *run, struct fix_result *out, struct err *err)
{
    struct sink *s = NULL;
    const struct jsonl_options usual = fix_options(run->out);
    struct jsonl_options opts = run->opts;
    opts.out = run->out;
    opts.level = opts.level ? opts.level : usual.level;
    opts.part_mb = opts.part_mb ? opts.part_mb : usual.part_mb;
    opts.open_parts = opts.open_parts ? opts.open_parts : usual.open_parts;
    opts.commit_mb = opts.commit_mb ? opts.commit_mb : usual.commit_mb;
    *out = (struct fix_result){.report = {.tables = NULL}};
    out->report.tables = out->tables;
    struct run_info info = {
        .schema = &fix_schema,
        .model_hash = str_of(run->model ? run->model : "m"),
        .source_identity = str_of(run->source ? run->source : "s"),
        .source_text = STR("fixture"),
        .options = STR("none"),
        .now_us = run->now_us ? run->now_us : 1700000000000000,
        .segments = run->segments,
        .workers = run->workers,
        .restart = run->restart,
        .resumable = !run->stdin_like,
        .version = "test",
    };
    struct verdict v = {0};
    bool stopped = false;
    enum rc rc = jsonl_open(&opts, &s, err);
    if (rc)
        return rc;
    s->watch = run->watch;
    rc = s->ops->open(s, &info, &out->state, err);
    if (!rc && !out->state.complete)
        rc = work(run, s, out, &stopped, err);
    if (!rc && !stopped)
        rc = s->ops->finish(s, &v, &out->report, err);
    if (!rc && !stopped && !run->no_publish)
        rc = s->ops->publish(s, &v, &out->report, err);
    s->ops->close(s);
    return rc;
}
