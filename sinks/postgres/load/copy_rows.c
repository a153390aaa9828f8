/* SPDX-License-Identifier: MIT */
/*
 * Batches to COPY streams. A row's position is its segment and the number of its item in it:
 * all rows of one item share it, and it grows with the source, also over resumes.
 */
#include "sinks/postgres/load/copy_rows.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/base/utf8.h"
#include "sinks/postgres/ledger/make_run.h"
#include "sinks/postgres/load/reject_json.h"
#include "sinks/postgres/wire/binary.h"

enum { POS_SHIFT = 40 };

static void copy_columns(struct buf *b, const struct pg_run *r, uint32_t stream)
{
    const struct schema *s = r->schema;
    if (stream < s->ntables) {
        const struct table *t = &s->tables[stream];
        pg_ddl_columns(b, t, NULL, t->ncolumns, "");
        if (r->with_pos) {
            buf_puts(b, ", ");
            pg_add_ident(b, PG_POS);
        }
    } else if (stream < s->ntables + s->nextracts) {
        const struct extract *x = &s->extracts[stream - s->ntables];
        pg_ddl_columns(b, &s->tables[x->into], x->columns, x->ncolumns, "");
        buf_puts(b, ", \"renorm:source\", \"renorm:text\", \"renorm:number\"");
    }
}

static char *copy_command(const struct pg_rows *rows, uint32_t stream)
{
    const struct pg_run *r = rows->run;
    const struct schema *s = r->schema;
    struct str staging = pg_name_view(&r->staging);
    struct buf b;
    buf_init(&b, 1 << 22);
    buf_puts(&b, "COPY ");
    if (stream == rows->rejects) {
        buf_puts(
            &b,
            "renorm.reject (run, segment, kind, entity, reason, detail, file, position, item, "
            "column_name, example, item_json");
    } else if (stream == rows->items) {
        pg_add_qualified(&b, staging, PG_KEYS);
        buf_puts(&b, " (first, source_keys");
    } else if (stream == rows->extras) {
        pg_add_qualified(&b, staging, PG_EXTRAS);
        buf_puts(&b, " (place, name, kind, n, segment, item, example");
    } else {
        struct pg_name name = stream < s->ntables ? pg_name_fit(s->tables[stream].name, NULL)
                                                  : pg_candidate_name(s, stream - s->ntables);
        pg_add_qualified(&b, staging, pg_name_view(&name));
        buf_puts(&b, " (");
        copy_columns(&b, r, stream);
    }
    buf_puts(&b, ") FROM STDIN (FORMAT binary)");
    char *text = b.rc ? NULL : strdup(buf_cstr(&b));
    buf_release(&b);
    return text;
}

enum rc pg_rows_init(struct pg_rows *rows, struct pg_run *run, struct err *err)
{
    memset(rows, 0, sizeof *rows);
    rows->run = run;
    rows->items = run->schema->ntables + run->schema->nextracts;
    rows->rejects = rows->items + 1;
    rows->extras = rows->items + 2;
    rows->nstreams = rows->items + 3;
    rows->filling = &rows->sets[0];
    rows->sending = &rows->sets[1];
    buf_init(&rows->clean, BUF_NO_LIMIT);
    rows->copy = calloc(rows->nstreams, sizeof *rows->copy);
    for (int i = 0; i < 2; i++) {
        rows->sets[i].streams = calloc(rows->nstreams, sizeof *rows->sets[i].streams);
        if (rows->copy == NULL || rows->sets[i].streams == NULL)
            return err_nomem(err);
        for (uint32_t k = 0; k < rows->nstreams; k++)
            buf_init(&rows->sets[i].streams[k].data, BUF_NO_LIMIT);
    }
    for (uint32_t i = 0; i < rows->nstreams; i++) {
        rows->copy[i] = copy_command(rows, i);
        if (rows->copy[i] == NULL)
            return err_nomem(err);
    }
    return RC_OK;
}

void pg_rows_release(struct pg_rows *rows)
{
    for (uint32_t k = 0; k < rows->nstreams; k++) {
        for (int i = 0; i < 2; i++) {
            if (rows->sets[i].streams)
                buf_release(&rows->sets[i].streams[k].data);
        }
        if (rows->copy)
            free(rows->copy[k]);
    }
    free(rows->sets[0].streams);
    free(rows->sets[1].streams);
    free(rows->copy);
    buf_release(&rows->clean);
}

/* Buffers keep their memory for the next commit, but not those that this one hardly used: a
   source sorted by type would leave every table's at its largest. */
void pg_set_clear(const struct pg_rows *rows, struct pg_set *set)
{
    for (uint32_t i = 0; i < rows->nstreams; i++) {
        struct buf *b = &set->streams[i].data;
        if (b->len < b->cap / 4) {
            buf_release(b);
            buf_init(b, BUF_NO_LIMIT);
        }
        buf_clear(b);
        set->streams[i].rows = 0;
    }
    set->bytes = 0;
}

void pg_rows_turn(struct pg_rows *rows)
{
    struct pg_set *full = rows->filling;
    rows->filling = rows->sending;
    rows->sending = full;
    for (uint32_t i = 0; i < rows->nstreams; i++) {
        if (full->streams[i].rows > 0)
            pg_binary_trailer(&full->streams[i].data);
    }
}

static struct buf *next_row(struct pg_rows *rows, uint32_t stream, uint32_t fields)
{
    struct pg_stream *s = &rows->filling->streams[stream];
    if (s->data.len == 0)
        pg_binary_header(&s->data);
    s->rows++;
    pg_binary_row(&s->data, fields);
    return &s->data;
}

static enum rc add_plain(struct pg_rows *rows, const struct row *row, int64_t pos,
                         struct err *err)
{
    const struct table *t = &rows->run->schema->tables[row->table];
    bool with_pos = rows->run->with_pos;
    struct buf *b = next_row(rows, row->table, t->ncolumns + (with_pos ? 1 : 0));
    enum rc rc = pg_binary_cells(b, t, row->cells, err);
    if (!rc && with_pos)
        pg_binary_bigint(b, pos);
    return rc;
}

static enum rc add_order(struct buf *b, const struct row *row, struct err *err)
{
    static const struct datum none = {.state = DATUM_NULL};
    bool text = row->order_type == COL_TEXT;
    enum rc rc = pg_binary_cell(b, COL_TEXT, text ? &row->order : &none, err);
    return rc ? rc : pg_binary_cell(b, COL_NUMERIC, text ? &none : &row->order, err);
}

static enum rc add_candidate(struct pg_rows *rows, const struct row *row, struct err *err)
{
    const struct schema *s = rows->run->schema;
    const struct extract *x = &s->extracts[row->extract];
    const struct table *t = &s->tables[x->into];
    struct buf *b = next_row(rows, s->ntables + row->extract, x->ncolumns + 3);
    for (uint32_t i = 0; i < x->ncolumns; i++) {
        uint32_t c = x->columns[i];
        enum rc rc = pg_binary_cell(b, t->columns[c].type, &row->cells[c], err);
        if (rc)
            return err_context(err, "%.*s.%.*s", STR_FMT(t->name), STR_FMT(t->columns[c].name));
    }
    pg_binary_bytes(b, row->source_key);
    return add_order(b, row, err);
}

/* Length of the UTF-8 character at p, 0 if it is none; NUL is none for the server. */
static size_t character(const unsigned char *p, size_t n)
{
    size_t len = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (p[0] == 0 || p[0] > 0xF4 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    }
    bool bad = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
               (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F);
    return bad ? 0 : len;
}

/* Text about an item that may be anything: what the server would refuse becomes U+FFFD. */
static void add_text(struct pg_rows *rows, struct buf *b, struct str text)
{
    buf_clear(&rows->clean);
    for (size_t i = 0; i < text.n;) {
        size_t n = character((const unsigned char *)text.p + i, text.n - i);
        if (n > 0) {
            buf_add(&rows->clean, text.p + i, n);
        } else {
            buf_puts(&rows->clean, "\xef\xbf\xbd");
        }
        i += n > 0 ? n : 1;
    }
    pg_binary_bytes(b, buf_view(&rows->clean));
}

static void add_text_or_null(struct pg_rows *rows, struct buf *b, struct str text)
{
    if (text.n) {
        add_text(rows, b, text);
    } else {
        pg_binary_null(b);
    }
}

static void add_reject(struct pg_rows *rows, const struct batch *of,
                       const struct reject *reject)
{
    struct buf *b = next_row(rows, rows->rejects, 12);
    pg_binary_bigint(b, rows->run->run);
    pg_binary_int(b, (int32_t)of->segment);
    pg_binary_bytes(b, reject->kind == REJECT_UNROUTED ? STR("unrouted") : STR("reject"));
    add_text(rows, b, reject->entity);
    pg_binary_bytes(b, str_of(reject->reason));
    add_text(rows, b, reject->detail);
    add_text_or_null(rows, b, str_of(of->input));
    pg_binary_bigint(b, (int64_t)reject->position);
    pg_binary_bytes(b, reject->raw);
    add_text_or_null(rows, b, utf8_cut(reject->column, REASONS_NAME_MAX));
    add_text_or_null(rows, b, utf8_cut(reject->example, REASONS_EXAMPLE_MAX));
    pg_reject_json_add(b, reject->raw);
}

/* Rows of one item share the view of its key. */
static bool item_begins(const struct batch *batch, size_t i)
{
    return i == 0 || batch->rows[i].source_key.p != batch->rows[i - 1].source_key.p;
}

/* Positions for n items of a segment. They never outrun the items read, with which a resumed
   segment goes on. thread: worker */
static int64_t reserve(struct pg_run *r, uint32_t segment, uint64_t n)
{
    (void)pthread_mutex_lock(&r->mu);
    uint64_t at = segment < r->nsegments ? r->segments[segment].items : 0;
    if (segment < r->nsegments)
        r->segments[segment].items += n;
    (void)pthread_mutex_unlock(&r->mu);
    return (int64_t)segment << POS_SHIFT | (int64_t)at;
}

/* One row for all items of the batch, since a row costs the server more than a key. */
static void add_keys(struct pg_rows *rows, const struct batch *batch, int64_t first, uint64_t n)
{
    enum { HEAD = 20, TEXT = 25 };
    size_t size = HEAD;
    for (size_t i = 0; i < batch->nrows; i++)
        size += item_begins(batch, i) ? 4 + batch->rows[i].source_key.n : 0;
    struct buf *b = next_row(rows, rows->items, 2);
    pg_binary_bigint(b, first);
    buf_be32(b, (uint32_t)size);
    buf_be32(b, 1); /* one dimension, no NULLs */
    buf_be32(b, 0);
    buf_be32(b, TEXT);
    buf_be32(b, (uint32_t)n);
    buf_be32(b, 1);
    for (size_t i = 0; i < batch->nrows; i++) {
        if (item_begins(batch, i))
            pg_binary_bytes(b, batch->rows[i].source_key);
    }
}

static enum rc add_rows(struct pg_rows *rows, const struct batch *batch, struct err *err)
{
    enum rc rc = RC_OK;
    bool with_pos = rows->run->with_pos;
    uint64_t items = 0;
    for (size_t i = 0; with_pos && i < batch->nrows; i++)
        items += item_begins(batch, i);
    int64_t pos = with_pos ? reserve(rows->run, batch->segment, items) : 0;
    if (items > 0)
        add_keys(rows, batch, pos + 1, items);
    for (size_t i = 0; !rc && i < batch->nrows; i++) {
        const struct row *row = &batch->rows[i];
        pos += with_pos && item_begins(batch, i);
        rc = row->extract == UINT32_MAX ? add_plain(rows, row, pos, err)
                                        : add_candidate(rows, row, err);
    }
    return rc;
}

enum rc pg_rows_add(struct pg_rows *rows, const struct batch *batch, struct err *err)
{
    struct pg_set *set = rows->filling;
    enum rc rc = add_rows(rows, batch, err);
    for (size_t i = 0; !rc && i < batch->nrejects; i++)
        add_reject(rows, batch, &batch->rejects[i]);
    set->bytes = 0;
    for (uint32_t i = 0; !rc && i < rows->nstreams; i++) {
        rc = buf_check(&set->streams[i].data, err);
        set->bytes += set->streams[i].data.len;
    }
    return rc;
}

static void add_extra(struct pg_rows *rows, uint32_t place, const struct extra *x)
{
    struct str example = x->example;
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        if (x->counts[k] == 0)
            continue;
        struct buf *b = next_row(rows, rows->extras, 7);
        pg_binary_int(b, (int32_t)place);
        add_text(rows, b, x->name);
        pg_binary_int(b, (int32_t)k);
        pg_binary_bigint(b, (int64_t)x->counts[k]);
        pg_binary_int(b, (int32_t)x->at.segment);
        pg_binary_bigint(b, (int64_t)x->at.item);
        if (example.n) {
            add_text(rows, b, example);
        } else {
            pg_binary_null(b);
        }
        example.n = 0;
    }
}

void pg_rows_extras(struct pg_rows *rows, const struct extras *extras)
{
    for (uint32_t p = 0; extras && extras->any && p < extras->n; p++) {
        const struct extras_of *of = &extras->places[p];
        for (uint32_t i = 0; i < of->n; i++)
            add_extra(rows, p, of->v[i]);
        if (of->others)
            add_extra(rows, p, &(struct extra){.counts = {of->others}});
    }
}
