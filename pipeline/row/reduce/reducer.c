/* SPDX-License-Identifier: MIT */
/*
 * The candidates' attributes are sorted by (key, column, value). A first pass takes, column by
 * column, the winner and writes the rows; where values disagree the winner is put aside, in
 * the same order. A second pass walks the sorted values again beside those winners and writes
 * what lost. So no key and no attribute ever has to fit into memory with all its copies.
 * Column 0 stands for the key itself: it says that the key exists, and whether it is owned.
 */
#include "pipeline/row/reduce/reducer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/json.h"
#include "pipeline/base/tmp_file.h"
#include "pipeline/row/reduce/sorter.h"
#include "pipeline/row/row_line.h"

/* A value that outlives the sorter's next step. */
struct held {
    struct buf bytes;
    struct reduce_value v;
    bool set;
};

struct reducer {
    const struct table *table;
    const struct table *conflict; /* NULL: disagreement is only counted */
    enum extract_rule rule;
    char tmp[4096];
    struct sorter *sorter;
    struct row_line text, conflict_text;
    struct buf key, line, scratch;
    struct held best;
    struct buf *cells; /* winners of the key in work, per column */
    bool *has;
    struct str *views;
    struct str *conflict_cells;
    FILE *winners; /* of attributes that disagree: column, kept, key and value */
    bool owned;    /* the key in work has an owner */
    uint64_t distinct;
    uint32_t column;
    struct reducer_totals totals;
    const struct reducer_out *out;
};

uint32_t reducer_leader(const struct schema *schema, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (schema->extracts[i].into == schema->extracts[index].into)
            return i;
    }
    return index;
}

static enum rc init(struct reducer *r, const struct schema *schema, const struct extract *ex,
                    size_t memory, struct err *err)
{
    r->table = &schema->tables[ex->into];
    r->conflict = ex->conflict == UINT32_MAX ? NULL : &schema->tables[ex->conflict];
    r->rule = ex->rule;
    buf_init(&r->key, BUF_NO_LIMIT);
    buf_init(&r->line, BUF_NO_LIMIT);
    buf_init(&r->scratch, BUF_NO_LIMIT);
    buf_init(&r->best.bytes, BUF_NO_LIMIT);
    size_t n = (size_t)r->table->ncolumns + 1;
    r->cells = calloc(n, sizeof *r->cells);
    r->has = calloc(n, sizeof *r->has);
    r->views = calloc(n, sizeof *r->views);
    r->sorter = sorter_new(r->tmp, memory);
    if (!r->cells || !r->has || !r->views || !r->sorter)
        return err_nomem(err);
    for (size_t i = 0; i < n; i++)
        buf_init(&r->cells[i], BUF_NO_LIMIT);
    enum rc rc = row_line_init(&r->text, r->table, err);
    if (rc || !r->conflict)
        return rc;
    if (r->conflict->ncolumns != r->table->nkey + 5) {
        return err_set(err, RC_SINK, "table \"%.*s\" has no conflict columns",
                       STR_FMT(r->conflict->name));
    }
    r->conflict_cells = calloc(r->conflict->ncolumns, sizeof *r->conflict_cells);
    return r->conflict_cells ? row_line_init(&r->conflict_text, r->conflict, err)
                             : err_nomem(err);
}

enum rc reducer_new(const struct schema *schema, uint32_t index, const char *tmp, size_t memory,
                    struct reducer **out, struct err *err)
{
    struct reducer *r = calloc(1, sizeof *r);
    if (!r)
        return err_nomem(err);
    (void)snprintf(r->tmp, sizeof r->tmp, "%s", tmp);
    enum rc rc = init(r, schema, &schema->extracts[index], memory, err);
    if (rc) {
        reducer_free(r);
    } else {
        *out = r;
    }
    return rc;
}

void reducer_free(struct reducer *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; r->cells && i <= r->table->ncolumns; i++)
        buf_release(&r->cells[i]);
    free(r->cells);
    free(r->has);
    free(r->views);
    free(r->conflict_cells);
    sorter_free(r->sorter);
    row_line_release(&r->text);
    row_line_release(&r->conflict_text);
    buf_release(&r->key);
    buf_release(&r->line);
    buf_release(&r->scratch);
    buf_release(&r->best.bytes);
    if (r->winners)
        (void)fclose(r->winners);
    free(r);
}

enum rc reducer_add(struct reducer *r, struct str candidate, struct err *err)
{
    struct candidate c = {0};
    if (!candidate_decode(candidate, &c))
        return err_set(err, RC_SINK, "a stored candidate makes no sense");
    struct sorter_entry e = {.key = c.key, .v = reduce_of(&c, (struct str){0})};
    enum rc rc = sorter_add(r->sorter, &e, err);
    size_t at = 0;
    uint32_t column;
    struct str json;
    while (!rc && candidate_cell(&c, &at, &column, &json)) {
        e.column = column + 1;
        e.v = reduce_of(&c, json);
        rc = sorter_add(r->sorter, &e, err);
    }
    return rc;
}

enum rc reducer_add_owner(struct reducer *r, struct str line, struct err *err)
{
    buf_clear(&r->key);
    if (!row_line_split(&r->text, line) || !row_line_key(&r->text, &r->key)) {
        return err_set(err, RC_SINK, "a row of \"%.*s\" cannot be read",
                       STR_FMT(r->table->name));
    }
    struct sorter_entry e = {.key = buf_view(&r->key), .v = {.owner = true}};
    enum rc rc = sorter_add(r->sorter, &e, err);
    for (uint32_t i = 0; i < r->table->ncolumns && !rc; i++) {
        e.column = i + 1;
        e.v.value = r->text.cells[i];
        if (e.v.value.p)
            rc = sorter_add(r->sorter, &e, err);
    }
    return rc;
}

static struct str keep(struct buf *b, struct str s)
{
    size_t at = b->len;
    buf_add_str(b, s);
    return str_make(b->p + at, s.n);
}

static enum rc hold(struct held *h, const struct reduce_value *v, struct err *err)
{
    buf_clear(&h->bytes);
    size_t need =
        v->value.n + v->min_source.n + v->max_source.n + v->order.n + v->order_source.n + 1;
    if (!buf_room(&h->bytes, need)) /* nothing moves from here on */
        return err_nomem(err);
    h->v = *v;
    h->v.value = keep(&h->bytes, v->value);
    h->v.min_source = keep(&h->bytes, v->min_source);
    h->v.max_source = keep(&h->bytes, v->max_source);
    h->v.order = keep(&h->bytes, v->order);
    h->v.order_source = keep(&h->bytes, v->order_source);
    h->set = true;
    return RC_OK;
}

static enum rc tmp_failed(const struct reducer *r, struct err *err)
{
    if (errno == ENOMEM)
        return err_nomem(err);
    return err_errno(err, RC_TRANSIENT, errno, "cannot use a temporary file in \"%s\"", r->tmp);
}

/* One attribute whose values disagree; kept is 0 where the owner lacks it. */
struct winner_head {
    uint32_t column, kept, key, value;
};

static enum rc put_winner(struct reducer *r, bool kept, struct err *err)
{
    struct str value = kept ? r->best.v.value : (struct str){0};
    struct winner_head h = {r->column, kept, (uint32_t)r->key.len, (uint32_t)value.n};
    buf_clear(&r->scratch);
    buf_add(&r->scratch, &h, sizeof h);
    buf_add_str(&r->scratch, buf_view(&r->key));
    buf_add_str(&r->scratch, value);
    enum rc rc = buf_check(&r->scratch, err);
    if (!rc && fwrite(r->scratch.p, r->scratch.len, 1, r->winners) != 1)
        rc = tmp_failed(r, err);
    return rc;
}

/* The values of one column of one key have all been seen. */
static enum rc end_column(struct reducer *r, struct err *err)
{
    if (r->column == 0 || !r->best.set)
        return RC_OK;
    bool kept = !r->owned || r->best.v.owner;
    enum rc rc = r->distinct > 1 || !kept ? put_winner(r, kept, err) : RC_OK;
    if (!rc && kept) {
        struct buf *cell = &r->cells[r->column - 1];
        buf_clear(cell);
        buf_add_str(cell, r->best.v.value);
        r->has[r->column - 1] = true;
        rc = buf_check(cell, err);
    }
    r->best.set = false;
    r->distinct = 0;
    return rc;
}

static enum rc end_key(struct reducer *r, struct err *err)
{
    enum rc rc = end_column(r, err);
    if (rc || r->owned || r->key.len == 0)
        return rc;
    size_t at = 0;
    for (uint32_t i = 0; i < r->table->ncolumns; i++)
        r->views[i] = r->has[i] ? buf_view(&r->cells[i]) : (struct str){0};
    for (uint32_t i = 0; i < r->table->nkey; i++)
        (void)candidate_key_next(buf_view(&r->key), &at, &r->views[r->table->key[i]]);
    buf_clear(&r->line);
    row_line_join(&r->text, r->views, &r->line);
    rc = buf_check(&r->line, err);
    r->totals.rows++;
    return rc ? rc : r->out->row(r->out->ctx, buf_view(&r->line), err);
}

static enum rc begin_key(struct reducer *r, const struct sorter_entry *e, struct err *err)
{
    buf_clear(&r->key);
    buf_add_str(&r->key, e->key);
    memset(r->has, 0, sizeof *r->has * r->table->ncolumns);
    r->owned = e->v.owner;
    r->column = 0;
    bool both = e->v.seen == (REDUCE_SEEN_0 | REDUCE_SEEN_1);
    if (r->rule == EXTRACT_MIRROR && !both && !e->v.owner)
        r->totals.missing_mirrors++;
    return buf_check(&r->key, err);
}

static enum rc take_value(struct reducer *r, const struct sorter_entry *e, struct err *err)
{
    enum rc rc = RC_OK;
    if (e->column != r->column)
        rc = end_column(r, err);
    r->column = e->column;
    r->distinct++;
    if (!rc && (!r->best.set || reduce_compare(r->rule, &e->v, &r->best.v) < 0))
        rc = hold(&r->best, &e->v, err);
    return rc;
}

/* First pass: rows, and the winners of what disagrees. */
static enum rc choose(struct reducer *r, struct err *err)
{
    struct sorter_entry e;
    enum rc rc;
    buf_clear(&r->key);
    r->best.set = false;
    r->distinct = 0;
    sorter_rewind(r->sorter);
    while (!(rc = sorter_next(r->sorter, &e, err))) {
        if (e.column != 0) {
            rc = take_value(r, &e, err);
        } else {
            rc = end_key(r, err);
            if (!rc)
                rc = begin_key(r, &e, err);
        }
        if (rc)
            return rc;
    }
    return rc == RC_END ? end_key(r, err) : rc;
}

/* RC_END: no more. Key and value stand in r->scratch. */
static enum rc next_winner(struct reducer *r, struct winner_head *h, struct err *err)
{
    if (fread(h, sizeof *h, 1, r->winners) != 1)
        return ferror(r->winners) ? tmp_failed(r, err) : RC_END;
    size_t n = (size_t)h->key + h->value;
    buf_clear(&r->scratch);
    if (!buf_room(&r->scratch, n + 1))
        return err_nomem(err);
    r->scratch.len = n;
    if (n && fread(r->scratch.p, n, 1, r->winners) != 1)
        return tmp_failed(r, err);
    return RC_OK;
}

static enum rc write_conflict(struct reducer *r, const struct sorter_entry *e, struct str kept,
                              struct err *err)
{
    char count[24];
    struct str *c = r->conflict_cells;
    uint32_t n = r->table->nkey;
    size_t at = 0;
    r->totals.conflicts++;
    if (!r->conflict)
        return RC_OK;
    for (uint32_t i = 0; i < n; i++)
        (void)candidate_key_next(e->key, &at, &c[i]);
    int digits = snprintf(count, sizeof count, "%llu", (unsigned long long)e->v.count);
    buf_clear(&r->key);
    json_add_string(&r->key, r->table->columns[e->column - 1].name);
    size_t split = r->key.len;
    json_add_string(&r->key, e->v.min_source);
    c[n] = str_make(r->key.p, split);
    c[n + 1] = kept;
    c[n + 2] = e->v.value;
    c[n + 3] = str_make(count, (size_t)digits);
    c[n + 4] = str_from(buf_view(&r->key), split);
    buf_clear(&r->line);
    row_line_join(&r->conflict_text, c, &r->line);
    enum rc rc = buf_check(&r->key, err);
    rc = rc ? rc : buf_check(&r->line, err);
    return rc ? rc : r->out->conflict(r->out->ctx, buf_view(&r->line), err);
}

/* Second pass: every value that is not the winner of its attribute. */
static enum rc tell_losers(struct reducer *r, struct err *err)
{
    struct winner_head h = {0};
    struct sorter_entry e;
    rewind(r->winners);
    sorter_rewind(r->sorter);
    enum rc rc = next_winner(r, &h, err);
    enum rc more = RC_OK;
    while (!rc && !(more = sorter_next(r->sorter, &e, err))) {
        struct str key = str_make(r->scratch.p, h.key);
        /* winners come in the same order, so one that was passed is not needed again */
        while (!rc &&
               (str_cmp(key, e.key) < 0 || (str_eq(key, e.key) && h.column < e.column))) {
            rc = next_winner(r, &h, err);
            key = str_make(r->scratch.p, h.key);
        }
        bool same = h.column == e.column && str_eq(key, e.key);
        if (rc || !same || e.v.owner || reduce_abstains(&e.v))
            continue;
        struct str kept = h.kept ? str_make(r->scratch.p + h.key, h.value) : (struct str){0};
        if (!h.kept || !str_eq(kept, e.v.value))
            rc = write_conflict(r, &e, kept, err);
    }
    if (more && more != RC_END)
        return more;
    return rc == RC_END ? RC_OK : rc;
}

static enum rc open_winners(struct reducer *r, struct err *err)
{
    if (r->winners)
        (void)fclose(r->winners);
    r->winners = tmp_file_open(r->tmp);
    return r->winners ? RC_OK : tmp_failed(r, err);
}

enum rc reducer_run(struct reducer *r, const struct reducer_out *out,
                    struct reducer_totals *totals, struct err *err)
{
    r->out = out;
    sorter_heed(r->sorter, out->stop);
    r->totals = (struct reducer_totals){0};
    enum rc rc = open_winners(r, err);
    if (!rc)
        rc = choose(r, err);
    if (!rc && fflush(r->winners) != 0)
        rc = tmp_failed(r, err);
    if (!rc)
        rc = tell_losers(r, err);
    *totals = r->totals;
    return rc;
}
