/* SPDX-License-Identifier: MIT */
/*
 * What was written to one item in several passes is put back in order: an intent whose key is
 * under way waits, and so does all behind it. What an earlier process of this undo is known to
 * have put back is not sent again: the item may have gone further back since.
 */
#include "sinks/dynamodb/undo/undo.h"

#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/item/canon.h"
#include "pipeline/item/decoder.h"
#include "sinks/dynamodb/journal/listed.h"
#include "sinks/dynamodb/recipe/change.h"

enum { PAGE_JOBS = 1024, PAGE_BYTES = 16 << 20, LISTED_MAX = 256 << 20 };

/* ---- keys ----------------------------------------------------------------------------------- */

/* The key in one spelling, in `a`, and (unless NULL) the hash of its partition key's value. */
static enum rc read_key(struct undo *u, struct str json, struct arena *a, struct str *out,
                        uint64_t *partition, struct err *err)
{
    struct item key = {0};
    struct fault why = {0};
    struct buf text;
    arena_clear(&u->scratch);
    enum rc rc = item_decode(u->decoder, json, &u->scratch, &key, &why);
    if (rc == RC_DATA)
        return err_set(err, RC_SINK, "the journal holds a bad key: %s", why.detail);
    if (rc)
        return err_nomem(err);
    buf_init(&text, BUF_NO_LIMIT);
    canon_ddb_members(&text, key.members, key.n);
    rc = buf_check(&text, err);
    if (!rc)
        *out = arena_dup(a, buf_view(&text));
    if (!rc && !out->p)
        rc = err_nomem(err);
    buf_release(&text);
    const struct val *pk = item_get(&key, u->write.pk);
    if (partition && pk && (pk->kind == VAL_S || pk->kind == VAL_N || pk->kind == VAL_B))
        *partition = XXH3_64bits(pk->u.s.p, pk->u.s.n);
    return rc;
}

static bool under_way(const struct undo *u, const struct undo_job *j)
{
    const struct undo_job *k = u->keys[j->hash % UNDO_KEYS];
    while (k && !str_eq(k->key, j->key))
        k = k->chain;
    return k;
}

static void key_add(struct undo *u, struct undo_job *j)
{
    struct undo_job **at = &u->keys[j->hash % UNDO_KEYS];
    j->chain = *at;
    *at = j;
}

static void key_drop(struct undo *u, struct undo_job *j)
{
    struct undo_job **at = &u->keys[j->hash % UNDO_KEYS];
    while (*at && *at != j)
        at = &(*at)->chain;
    if (*at)
        *at = j->chain;
}

/* ---- what an earlier process did ------------------------------------------------------------ */

enum rc undo_feed_init(struct undo *u, struct err *err)
{
    struct resume_point *st = &u->resumed;
    map_init(&u->mine);
    for (int i = 0; i < UNDO_PAGES; i++) {
        arena_init(&u->pages[i].arena, 65536);
        buf_init(&u->pages[i].place, BUF_NO_LIMIT);
        buf_init(&u->pages[i].listed, LISTED_MAX);
    }
    u->next_mine = calloc(st->nintents + 1, sizeof *u->next_mine);
    u->met = calloc(st->nintents + 1, sizeof *u->met);
    enum rc rc = u->next_mine && u->met ? RC_OK : err_nomem(err);
    for (size_t i = 0; i < st->nintents && !rc; i++) {
        struct str key;
        rc = read_key(u, st->intents[i].key, &st->arena, &key, NULL, err);
        if (rc)
            break;
        u->next_mine[i] = map_get(&u->mine, key);
        if (map_put(&u->mine, key, (uint32_t)i))
            rc = err_nomem(err);
    }
    return rc;
}

void undo_feed_release(struct undo *u)
{
    for (int i = 0; i < UNDO_PAGES; i++) {
        arena_release(&u->pages[i].arena);
        buf_release(&u->pages[i].place);
        buf_release(&u->pages[i].listed);
    }
    map_release(&u->mine);
    free(u->next_mine);
    free(u->met);
}

/* ---- pages ---------------------------------------------------------------------------------- */

static void count(struct undo *u, struct undo_page *p, enum fate fate)
{
    p->counts[fate]++;
    atomic_fetch_add(&u->progress.fates[fate], 1);
    atomic_fetch_add(&u->progress.items, 1);
}

/* Marks what is complete, the older page first. */
static enum rc mark_pages(struct undo *u, struct err *err)
{
    struct undo_page *p = &u->pages[u->oldest];
    enum rc rc = RC_OK;
    while (p->used && p->full && p->left == 0 && !rc) {
        rc = buf_check(&p->listed, err);
        struct journal_mark m = {.segment = u->oldest,
                                 .resume = buf_view(&p->place),
                                 .counts = p->counts,
                                 .rows = 1,
                                 .listed = buf_view(&p->listed)};
        if (!rc && !journal_mark(u->side.journal, &m))
            rc = err_nomem(err);
        for (int i = 0; i < FATES && !rc; i++)
            u->counts[i] += p->counts[i];
        p->used = rc;
        u->oldest = rc ? u->oldest : (u->oldest + 1) % UNDO_PAGES;
        p = &u->pages[u->oldest];
    }
    return rc;
}

static enum rc close_page(struct undo *u, struct undo_page *p, struct err *err)
{
    buf_clear(&p->place);
    p->full = true;
    return history_place(u->history, &p->place, err);
}

/* The page that takes jobs; NULL: both have to be done first. */
static struct undo_page *open_page(struct undo *u)
{
    struct undo_page *p = &u->pages[u->filling];
    if (p->used && p->full) {
        u->filling = (u->filling + 1) % UNDO_PAGES;
        p = &u->pages[u->filling];
    }
    if (p->used)
        return p->full ? NULL : p;
    arena_clear(&p->arena);
    buf_clear(&p->listed);
    memset(p->counts, 0, sizeof p->counts);
    p->n = p->left = 0;
    p->bytes = 0;
    p->full = false;
    p->used = true;
    return p;
}

/* ---- jobs ----------------------------------------------------------------------------------- */

/* The way back: from what was written to what was there. */
static enum rc turn_round(const struct intent *it, struct arena *a, struct change *out,
                          struct err *err)
{
    if (change_copy(&it->change, a, out))
        return err_nomem(err);
    for (uint32_t i = 0; i < out->ntargets; i++) {
        struct setting *t = &out->targets[i];
        struct str *name = ARENA_NEW(a, struct str);
        if (!name)
            return err_nomem(err);
        *name = arena_dup(a, t->path.members[0]);
        if (!name->p)
            return err_nomem(err);
        t->path = (struct path){name, 1};
        const struct val *old = t->old;
        t->old = t->new_;
        t->new_ = old;
    }
    return RC_OK;
}

/* A number that depends on the intent alone. */
static uint64_t weight(const struct intent *it)
{
    uint64_t n = it->key.n;
    for (uint32_t i = 0; i < it->change.ntargets; i++) {
        const struct setting *t = &it->change.targets[i];
        struct member m[2] = {{.name = t->path.members[0]}, {.name = t->path.members[0]}};
        if (t->old)
            m[0].val = *t->old;
        if (t->new_)
            m[1].val = *t->new_;
        n += item_size(m, 2);
    }
    return n;
}

static enum rc make_job(struct undo *u, struct undo_page *p, const struct intent *it,
                        struct undo_job **out, struct err *err)
{
    struct undo_job *j = ARENA_NEW(&p->arena, struct undo_job);
    *out = j;
    if (!j)
        return err_nomem(err);
    enum rc rc = turn_round(it, &p->arena, &j->job.change, err);
    if (!rc)
        rc = read_key(u, it->key, &p->arena, &j->key, &j->job.partition, err);
    if (rc)
        return rc;
    j->job.key = arena_dup(&p->arena, it->key);
    if (!j->job.key.p)
        return err_nomem(err);
    j->hash = XXH3_64bits(j->key.p, j->key.n);
    j->job.segment = (uint32_t)(p - u->pages);
    j->job.range = it->segment;
    j->job.owner = p;
    undo_part_find(u, j);
    j->job.unclear = j->earlier != UNDO_NOT_EARLIER;
    p->n++;
    p->left++;
    p->bytes += weight(it);
    return RC_OK;
}

static bool known_done(const struct undo *u, const struct undo_job *j)
{
    return j && j->earlier != UNDO_NOT_EARLIER && !u->resumed.intents[j->earlier].open;
}

static void end_job(struct undo *u, struct undo_page *p, struct undo_job *j, enum fate fate)
{
    struct write_job *job = &j->job;
    job->fate = undo_part_end(j, fate);
    count(u, p, job->fate);
    if (job->fate == FATE_CONFLICTED || job->fate == FATE_FAILED)
        listed_add(&p->listed, job->fate, &job->why, job->key, (struct str){0});
    p->left--;
}

/* RC_OK: *out is a job to be sent, or NULL if an earlier process has done it; RC_AGAIN: no page is
   free now; RC_END: the history has no more. */
static enum rc next_job(struct undo *u, struct undo_job **out, struct err *err)
{
    struct intent it;
    *out = NULL;
    struct undo_page *p = open_page(u);
    if (!p)
        return RC_AGAIN;
    enum rc rc = history_next(u->history, &it, err);
    if (rc == RC_END) {
        u->ended = true;
        rc = close_page(u, p, err);
        return rc ? rc : RC_END;
    }
    if (!rc)
        rc = make_job(u, p, &it, out, err);
    if (!rc && (p->n >= PAGE_JOBS || p->bytes >= PAGE_BYTES))
        rc = close_page(u, p, err);
    if (rc || !known_done(u, *out))
        return rc;
    /* An earlier process has put it back. Its outcome is journalled once more, for the mark of this
       page covers only what is journalled before it. */
    const struct intent *done = &u->resumed.intents[(*out)->earlier];
    if (!undo_part_settle(u, *out, done->outcome))
        return err_nomem(err);
    end_job(u, p, *out, FATE_CHANGED);
    *out = NULL;
    return RC_OK;
}

/* The next job in order is in u->held, unless there is none now. */
static void find_next(struct undo *u)
{
    struct err err = {0};
    enum rc rc = RC_OK;
    while (!rc && !u->held && !u->ended && !u->side.err.rc) {
        rc = next_job(u, &u->held, &err);
        if (!rc || rc == RC_END) {
            enum rc marked = mark_pages(u, &err);
            rc = marked ? marked : rc;
        }
    }
    if (rc && rc != RC_AGAIN && rc != RC_END)
        journaled_writer_fail(&u->side, &err);
}

void undo_feed(struct undo *u)
{
    for (;;) {
        find_next(u);
        struct undo_job *j = u->held;
        if (!j || u->side.err.rc || under_way(u, j) ||
            writer_offer(u->side.writer, &j->job) != WRITER_TAKEN)
            return;
        key_add(u, j);
        u->held = NULL;
    }
}

/* Nothing is computed anew: what is to be put back is known. */
static enum rc again(void *ctx, struct write_job *job, const struct item *item, enum fate *fate,
                     struct err *err)
{
    (void)ctx;
    (void)err;
    *fate = undo_part_again((struct undo_job *)(void *)job, item);
    return RC_OK;
}

static void done(void *ctx, struct write_job *job)
{
    struct undo *u = ctx;
    struct undo_page *p = job->owner;
    struct undo_job *j = (struct undo_job *)(void *)job;
    struct err err = {0};
    key_drop(u, j);
    /* The job's own intent covers whatever was written: the earlier ones have nothing to answer for. */
    enum rc rc = undo_part_settle(u, j, OUTCOME_VOID) ? RC_OK : err_nomem(&err);
    end_job(u, p, j, job->fate);
    if (!rc)
        rc = mark_pages(u, &err);
    if (rc)
        journaled_writer_fail(&u->side, &err);
}

bool undo_feed_done(const struct undo *u)
{
    bool used = false;
    for (int i = 0; i < UNDO_PAGES; i++)
        used = used || u->pages[i].used;
    return u->ended && !u->held && !used;
}

const struct writer_ops undo_ops = {.again = again, .done = done};
