/* SPDX-License-Identifier: MIT */
/*
 * A row may have many items: copies that were reduced to one. So it is judged only if all the
 * items that made it were read again, and rows are chosen until they want more than
 * MAX_ITEMS items. A row that only the sink holds has no item of its own: the item of its
 * parent is read, or another one that is read makes it now, or it stays a difference.
 */
#include "cmd/recheck.h"

#include <stdlib.h>

#include "cmd/line.h"
#include "cmd/reread.h"
#include "cmd/side.h"
#include "cmd/trail.h"
#include "pipeline/run/candidate.h"
#include "sinks/fs.h"

/* Fewer than a run reads before it doubts its model. */
enum { MAX_KEYS = 20000, MAX_ITEMS = 8000 };

struct entry {
    struct recheck_key pub;
    struct tally_sum sums[2], now;
    uint32_t from_table; /* whose candidates made it: for conflicts not its own */
    uint64_t from_hash;
};

/* Rows that the same items made. */
struct want {
    uint32_t table;
    uint64_t hash;
    uint64_t items;
    bool chosen;
};

struct recheck {
    const struct schema *schema;
    struct arena arena;
    struct entry *v;
    size_t n, cap;
    struct want *wants;
    size_t nwants;
    struct reread_keys keys;
    bool cut; /* out of memory while keys were gathered */
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

/* The key of a child begins with its parent's. */
static void parent_key(struct str key, uint32_t n, struct buf *out)
{
    size_t at = 0;
    struct str cell;
    for (uint32_t i = 0; i < n && candidate_key_next(key, &at, &cell); i++)
        candidate_key_add(out, cell);
}

/* Which rows' items are to be read: a conflict is made by the candidates of the table it is
   about, and a child that is gone has left its parent. */
static bool find_origin(const struct recheck *r, struct entry *e)
{
    const struct table *tables = r->schema->tables;
    struct buf key;
    buf_init(&key, BUF_NO_LIMIT);
    e->from_table = e->pub.table;
    while (tables[e->from_table].kind == TABLE_CHILD)
        e->from_table = tables[e->from_table].parent;
    for (uint32_t i = 0; i < r->schema->nextracts; i++) {
        if (r->schema->extracts[i].conflict == e->pub.table)
            e->from_table = r->schema->extracts[i].into;
    }
    if (e->from_table == e->pub.table) {
        buf_add_str(&key, e->pub.key);
    } else if (tables[e->pub.table].kind == TABLE_CHILD) {
        parent_key(e->pub.key, tables[e->from_table].nkey, &key);
    } else {
        line_key(&tables[e->from_table], e->pub.key, &key);
    }
    e->from_hash = trail_hash(buf_view(&key));
    bool ok = key.rc == RC_OK;
    buf_release(&key);
    return ok;
}

bool recheck_keep(struct recheck *r, uint32_t table, const struct tally_found *found)
{
    if (r->n == MAX_KEYS)
        return false;
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 64;
        struct entry *v = realloc(r->v, cap * sizeof *v);
        if (!v)
            return false;
        r->v = v;
        r->cap = cap;
    }
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

static void count_note(void *ctx, const struct trail_note *note)
{
    struct want *w = find_want(ctx, note->table, note->hash);
    if (w)
        w->items++;
}

static void take_note(void *ctx, const struct trail_note *note)
{
    struct recheck *r = ctx;
    const struct want *w = find_want(r, note->table, note->hash);
    if (w && w->chosen && !reread_add(&r->keys, note->source_key))
        r->cut = true;
}

static enum rc choose_items(struct recheck *r, const char *trail, struct err *err)
{
    enum rc rc = make_wants(r, err);
    if (!rc)
        rc = trail_each(trail, count_note, r, err);
    uint64_t items = 0;
    for (size_t i = 0; !rc && i < r->nwants; i++) {
        struct want *w = &r->wants[i];
        w->chosen = w->items > 0 && items + w->items <= MAX_ITEMS;
        items += w->chosen ? w->items : 0;
    }
    if (!rc)
        rc = trail_each(trail, take_note, r, err);
    return !rc && r->cut ? err_nomem(err) : rc;
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

static enum rc see_rows(struct recheck *r, const char *folder, bool fold, struct err *err)
{
    struct side *side = NULL;
    enum rc rc = side_folder(folder, r->schema, &side, err);
    for (size_t i = 0; rc == RC_OK && i < r->n; i++) {
        uint32_t table = r->v[i].pub.table;
        if (i > 0 && r->v[i - 1].pub.table == table)
            continue;
        struct seen seen = {r, table};
        rc = side_walk(side, &(struct side_table){r->schema, table, fold},
                       &(struct side_each){see_row, &seen}, err);
    }
    if (side)
        side->ops->free(side);
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

static void judge(struct recheck *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct entry *e = &r->v[i];
        const struct want *w = find_want(r, e->from_table, e->from_hash);
        e->pub.fate = fate_of(e, w && w->chosen);
    }
}

enum rc recheck_run(struct recheck *r, const struct fresh *first, const char *folder,
                    struct err *err)
{
    char rows[FS_PATH], items[FS_PATH];
    bool any = false;
    fs_path(rows, "%s/rows", folder);
    fs_path(items, "%s/items.jsonl", folder);
    qsort(r->v, r->n, sizeof *r->v, by_place);
    reread_keys_init(&r->keys);
    enum rc rc = choose_items(r, first->trail, err);
    if (!rc)
        rc = fs_mkdirs(folder, err);
    if (!rc)
        rc = reread_items(&r->keys, first->job, items, &any, err);
    reread_keys_release(&r->keys);
    if (!rc && any)
        rc = reread_rows(first, items, rows, err);
    if (!rc && any)
        rc = see_rows(r, rows, first->fold, err);
    if (!rc)
        judge(r);
    return rc;
}
