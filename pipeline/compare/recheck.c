/* SPDX-License-Identifier: MIT */
/*
 * Many items may have made one row: copies that were reduced to one. A row is judged only if all
 * of its items were read again, so rows are chosen as long as they need MAX_ITEMS items at most. A
 * row that only the sink has was made by no item. It is equal if its parent's item, or one that is
 * read for another row, makes it now; else it still differs.
 */
#include "pipeline/compare/recheck.h"

#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/compare/reread.h"
#include "pipeline/row/reduce/candidate.h"
#include "pipeline/row/row_line.h"

/* A run never gives up on so few items: see FIRST_ITEMS of model_fit.c. */
enum { MAX_KEYS = 20000, MAX_ITEMS = 8000 };

static const char AGAIN[] = "again"; /* the name of these items and rows in the store */

struct entry {
    struct recheck_key pub;
    struct tally_sum sums[2]; /* of its rows, by side */
    struct tally_sum now;     /* of the rows that its items make now */
    uint32_t from_table;      /* the row that its items made: see find_origin */
    uint64_t from_hash;
};

/* A row whose items are to be read again, for one key or several. */
struct want {
    uint32_t table;
    uint64_t hash;
    uint64_t items;
    bool chosen; /* they are few enough */
};

struct recheck {
    const struct schema *schema;
    struct arena arena;
    struct entry *v;
    size_t n, cap;
    struct want *wants;
    size_t nwants;
    struct reread_keys keys;
    bool nomem; /* a key could not be kept */
};

struct recheck *recheck_new(const struct schema *schema)
{
    struct recheck *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->schema = schema;
    arena_init(&r->arena, 1 << 16);
    return r;
}

void recheck_free(struct recheck *r)
{
    if (!r)
        return;
    arena_release(&r->arena);
    free(r->v);
    free(r->wants);
    free(r);
}

size_t recheck_count(const struct recheck *r)
{
    return r->n;
}

const struct recheck_key *recheck_get(const struct recheck *r, size_t i)
{
    return &r->v[i].pub;
}

/* The key of a child that repeats its parent's begins with it. */
static void parent_key(struct str key, uint32_t n, struct buf *out)
{
    size_t at = 0;
    struct str cell;
    for (uint32_t i = 0; i < n && candidate_key_next(key, &at, &cell); i++)
        candidate_key_add(out, cell);
}

/* The line of a conflict holds the key of the row it tells about. False: out of memory. */
static bool owner_key(const struct table *t, struct str conflict, struct buf *out)
{
    struct row_line row;
    struct err err = {0};
    if (row_line_init(&row, t, &err))
        return false;
    (void)row_line_split(&row, conflict);
    (void)row_line_key(&row, out);
    row_line_release(&row);
    return true;
}

/*
 * Finds the row whose items are to be read for this key. Conflicts are made by the copies of the
 * row that they tell about. A child's item is its parent's, which is there without the child, too;
 * where its key does not say which that is, it is the one that made the child.
 */
static bool find_origin(const struct recheck *r, struct entry *e)
{
    const struct table *tables = r->schema->tables;
    struct buf key;
    bool ok = true;
    buf_init(&key, BUF_NO_LIMIT);
    e->from_table = e->pub.table;
    while (tables[e->from_table].kind == TABLE_CHILD)
        e->from_table = tables[e->from_table].parent;
    if (!row_origin_repeats(r->schema, e->pub.table, e->from_table))
        e->from_table = e->pub.table;
    for (uint32_t i = 0; i < r->schema->nextracts; i++) {
        if (r->schema->extracts[i].conflict == e->pub.table)
            e->from_table = r->schema->extracts[i].into;
    }
    if (e->from_table == e->pub.table) {
        buf_add_str(&key, e->pub.key);
    } else if (tables[e->pub.table].kind == TABLE_CHILD) {
        parent_key(e->pub.key, tables[e->from_table].nkey, &key);
    } else {
        ok = owner_key(&tables[e->from_table], e->pub.key, &key);
    }
    e->from_hash = row_origin_hash(buf_view(&key));
    ok = ok && !key.rc;
    buf_release(&key);
    return ok;
}

bool recheck_keep(struct recheck *r, uint32_t table, const struct tally_found *found)
{
    if (r->n == MAX_KEYS)
        return false;
    struct entry *v = memory_push(r->v, r->n, &r->cap, 64, sizeof *v);
    if (!v)
        return false;
    r->v = v;
    struct entry e = {.pub = {table, arena_dup(&r->arena, found->key), found->what, 0}};
    e.sums[TALLY_A] = found->sums[TALLY_A];
    e.sums[TALLY_B] = found->sums[TALLY_B];
    if (!e.pub.key.p || !find_origin(r, &e))
        return false;
    r->v[r->n++] = e;
    return true;
}

/* ---- which items --------------------------------------------------------------------------- */

static int by_origin(const void *a, const void *b)
{
    const struct want *x = a, *y = b;
    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static enum rc make_wants(struct recheck *r, struct err *err)
{
    r->wants = calloc(r->n, sizeof *r->wants);
    if (!r->wants)
        return err_nomem(err);
    for (size_t i = 0; i < r->n; i++)
        r->wants[i] = (struct want){.table = r->v[i].from_table, .hash = r->v[i].from_hash};
    qsort(r->wants, r->n, sizeof *r->wants, by_origin);
    for (size_t i = 0; i < r->n; i++) {
        if (i == 0 || by_origin(&r->wants[i], &r->wants[i - 1]) != 0)
            r->wants[r->nwants++] = r->wants[i];
    }
    return RC_OK;
}

static struct want *find_want(const struct recheck *r, uint32_t table, uint64_t hash)
{
    struct want key = {.table = table, .hash = hash};
    return bsearch(&key, r->wants, r->nwants, sizeof key, by_origin);
}

static void count_item(void *ctx, const struct row_origin_note *note)
{
    struct want *w = find_want(ctx, note->table, note->hash);
    if (w)
        w->items++;
}

static void take_item(void *ctx, const struct row_origin_note *note)
{
    struct recheck *r = ctx;
    const struct want *w = find_want(r, note->table, note->hash);
    if (w && w->chosen && !reread_add(&r->keys, note->source_key))
        r->nomem = true;
}

static enum rc choose_items(struct recheck *r, const struct row_origins *origins,
                            struct err *err)
{
    enum rc rc = make_wants(r, err);
    if (!rc)
        rc = row_origin_each(origins, count_item, r, err);
    uint64_t items = 0;
    for (size_t i = 0; !rc && i < r->nwants; i++) {
        struct want *w = &r->wants[i];
        w->chosen = w->items > 0 && items + w->items <= MAX_ITEMS;
        items += w->chosen ? w->items : 0;
    }
    if (!rc)
        rc = row_origin_each(origins, take_item, r, err);
    return !rc && r->nomem ? err_nomem(err) : rc;
}

/* ---- what they make now -------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct recheck_key *x = a, *y = b;
    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return str_cmp(x->key, y->key);
}

struct seen {
    struct recheck *r;
    uint32_t table;
};

static enum rc see_row(void *ctx, struct str key, struct str line, struct err *err)
{
    const struct seen *s = ctx;
    (void)err;
    struct entry like = {.pub = {.table = s->table, .key = key}};
    struct entry *e = bsearch(&like, s->r->v, s->r->n, sizeof like, by_place);
    if (e)
        tally_sum_add(&e->now, line);
    return RC_OK;
}

static enum rc see_rows(struct recheck *r, const struct reexport *first, struct err *err)
{
    struct rows_reader *rows = NULL;
    enum rc rc = first->store->rows(first->store->ctx, AGAIN, r->schema, &rows, err);
    for (size_t i = 0; !rc && i < r->n; i++) {
        uint32_t table = r->v[i].pub.table;
        if (i > 0 && r->v[i - 1].pub.table == table)
            continue;
        struct seen seen = {r, table};
        rc = rows_walk(rows, &(struct rows_table){r->schema, table, first->fold},
                       &(struct rows_each){see_row, &seen}, err);
    }
    if (rows)
        rows->ops->free(rows);
    return rc;
}

static enum recheck_fate fate_of(const struct entry *e, bool chosen)
{
    if ((chosen || e->sums[TALLY_A].rows == 0) && tally_sum_same(&e->now, &e->sums[TALLY_B]))
        return RECHECK_EQUAL;
    if (!chosen)
        return RECHECK_UNREAD;
    return tally_sum_same(&e->now, &e->sums[TALLY_A]) ? RECHECK_DIFFERS : RECHECK_CHANGED;
}

static void set_fates(struct recheck *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct entry *e = &r->v[i];
        const struct want *w = find_want(r, e->from_table, e->from_hash);
        e->pub.fate = fate_of(e, w && w->chosen);
    }
}

enum rc recheck_run(struct recheck *r, const struct reexport *first, struct err *err)
{
    struct buf items;
    bool any = false;
    buf_init(&items, BUF_NO_LIMIT);
    buf_addf(&items, "%s/%s.jsonl", first->store->folder, AGAIN);
    qsort(r->v, r->n, sizeof *r->v, by_place);
    reread_keys_init(&r->keys);
    enum rc rc = buf_check(&items, err);
    if (!rc)
        rc = choose_items(r, first->origins, err);
    if (!rc)
        rc = reread_items(&r->keys, first, buf_cstr(&items), &any, err);
    reread_keys_release(&r->keys);
    if (!rc && any)
        rc = reread_rows(first, buf_cstr(&items), AGAIN, err);
    if (!rc && any)
        rc = see_rows(r, first, err);
    if (!rc)
        set_fates(r);
    buf_release(&items);
    return rc;
}
