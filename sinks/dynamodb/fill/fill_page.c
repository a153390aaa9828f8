/* SPDX-License-Identifier: MIT */
/*
 * Items that an earlier process of the same pass has written, or may have, are met again when
 * their page is read again: what it wrote counts as changed, and what it left open is settled
 * here, by the item itself.
 */
#include "sinks/dynamodb/fill/fill_page.h"

#include <xxhash.h>

#include "sinks/dynamodb/journal/listed.h"
#include "sinks/dynamodb/recipe/change.h"

enum { NOT_EARLIER = UINT32_MAX };

static void count(struct fill_worker *w, struct fill_work *k, uint32_t entity, enum fate fate)
{
    fate_counts_item(&w->fill->counts, w->index, k->counts, entity, fate);
}

/* ---- the end of a page --------------------------------------------------------------------- */

/* The caller gives the page back. */
static enum rc finish(struct fill_worker *w, struct fill_work *k, struct err *err)
{
    const struct page *page = k->page;
    enum rc rc = buf_check(&k->listed, err);
    struct journal_mark mark = {page->segment, page->last,           buf_view(&page->resume),
                                k->counts,     w->fill->counts.rows, buf_view(&k->listed)};
    if (!rc && !journal_mark(w->side.journal, &mark))
        rc = err_nomem(err);
    if (rc)
        return rc;
    fate_counts_done(&w->fill->counts, w->index, k->counts, page);
    k->open = !page->last;
    k->page = NULL;
    return RC_OK;
}

/* ---- items of a page ----------------------------------------------------------------------- */

/* The last of what earlier processes did to it; NOT_EARLIER if nothing. */
static uint32_t find_earlier(struct fill_worker *w, const struct recipe_applied *l)
{
    struct fill_task *s = w->fill;
    uint32_t i = s->mine.count ? map_get(&s->mine, l->key) : MAP_NONE;
    if (i == MAP_NONE || s->met[i])
        return NOT_EARLIER;
    s->met[i] = true;
    return i;
}

/* All that is open of this key: `first` for the last of them, nothing for those before. */
static enum rc settle_earlier(struct fill_worker *w, uint32_t earlier, enum outcome first,
                              struct err *err)
{
    const struct fill_task *s = w->fill;
    enum outcome what = first;
    for (uint32_t i = earlier; i != MAP_NONE; i = s->before[i]) {
        const struct intent *it = &s->resumed.intents[i];
        if (!it->open)
            continue;
        if (!journal_settled(w->side.journal, it->generation, it->worker, it->id, what))
            return err_nomem(err);
        what = OUTCOME_VOID;
    }
    return RC_OK;
}

/* Journals once more what earlier processes are known to have written, so that the mark of this
 * page covers it: such a process may have had more behind its last mark than this page holds. */
static enum rc repeat_earlier(struct fill_worker *w, uint32_t earlier, struct err *err)
{
    const struct fill_task *s = w->fill;
    for (uint32_t i = earlier; i != MAP_NONE; i = s->before[i]) {
        const struct intent *it = &s->resumed.intents[i];
        if (!it->open &&
            !journal_settled(w->side.journal, it->generation, it->worker, it->id, it->outcome))
            return err_nomem(err);
    }
    return RC_OK;
}

static enum rc add_job(struct fill_worker *w, struct fill_work *k,
                       const struct recipe_applied *l, uint32_t earlier, struct err *err)
{
    struct fill_job *j = ARENA_NEW(&k->arena, struct fill_job);
    const struct plan *plan = w->fill->setup->plan;
    const struct val *pk = item_get(&l->item, plan->key.v[0]);
    if (!j || !pk || change_copy(&l->change, &k->arena, &j->job.change))
        return err_nomem(err);
    j->job.key = arena_dup(&k->arena, l->key);
    if (!j->job.key.p)
        return err_nomem(err);
    j->job.partition = XXH3_64bits(pk->u.s.p, pk->u.s.n);
    j->job.units = units_of(w->fill->table, &l->item, &l->change).table;
    j->job.segment = j->job.range = k->page->segment;
    j->job.owner = k;
    j->job.unclear = earlier != NOT_EARLIER;
    j->earlier = earlier;
    j->entity = l->change.entity;
    *k->end = j;
    k->end = &j->next;
    k->left++;
    return RC_OK;
}

/* If the item shows that an earlier process wrote it, that is settled. *done: one did. */
static enum rc meet_earlier(struct fill_worker *w, const struct recipe_applied *l,
                            uint32_t *earlier, bool *done, struct err *err)
{
    *earlier = find_earlier(w, l);
    if (*earlier == NOT_EARLIER)
        return RC_OK;
    const struct fill_task *s = w->fill;
    const struct intent *last = &s->resumed.intents[*earlier];
    bool left = last->open && recipe_change_left(&last->change, &l->item);
    *done = left;
    for (uint32_t i = *earlier; i != MAP_NONE && !*done; i = s->before[i])
        *done = !s->resumed.intents[i].open;
    enum rc rc = repeat_earlier(w, *earlier, err);
    if (!rc && left)
        rc = settle_earlier(w, *earlier, OUTCOME_CHANGED, err);
    if (left || !last->open)
        *earlier = NOT_EARLIER;
    return rc;
}

/* An item becomes a job, or a number in the books. */
static enum rc take_item(struct fill_worker *w, struct fill_work *k, struct recipe_applied *l,
                         struct err *err)
{
    enum fate fate = l->change.fate;
    uint32_t earlier = NOT_EARLIER;
    bool done = false;
    enum rc rc = meet_earlier(w, l, &earlier, &done, err);
    if (rc)
        return rc;
    if (fate == FATE_CHANGED)
        return add_job(w, k, l, earlier, err);
    if (done && fate_is_idle(fate))
        fate = FATE_CHANGED; /* what we wrote may be why nothing is left to be done */
    count(w, k, l->change.entity, fate);
    if (fate == FATE_FAILED)
        listed_add(&k->listed, fate, &l->change.why, l->key, l->raw);
    return RC_OK;
}

static enum rc apply_all(struct fill_worker *w, struct fill_work *k, struct err *err)
{
    struct recipe_applied l = {0};
    size_t at = 0;
    const char *fault = NULL;
    enum rc rc = RC_OK;
    while (!rc && page_next(k->page, &at, &l.raw, &fault)) {
        rc = apply_recipe_item(&w->recipe, &l, err);
        if (!rc)
            rc = take_item(w, k, &l, err);
    }
    return rc;
}

void fill_work_open(struct fill_worker *w, uint32_t segment)
{
    uint32_t i = 0;
    while (i + 1 < w->nworks && w->works[i].open)
        i++;
    w->works[i].open = true;
    w->works[i].idle = false;
    w->works[i].segment = segment;
    w->turns.v[i].last = 0;
}

enum rc fill_page_begin(struct fill_worker *w, struct page *page, struct err *err)
{
    struct fill_work *k = w->works;
    while (k < w->works + w->nworks && (!k->open || k->page || k->segment != page->segment))
        k++;
    if (k == w->works + w->nworks)
        return err_set(err, RC_SOURCE, "a page of a segment that was not started");
    k->page = page;
    k->waiting = NULL;
    k->end = &k->waiting;
    k->aside = NULL;
    k->last = &k->aside;
    k->left = k->out = 0;
    k->slow = false;
    fate_counts_clear(&w->fill->counts, k->counts);
    buf_clear(&k->listed);
    arena_clear(&k->arena);
    enum rc rc = apply_all(w, k, err);
    k->idle = k->left == 0;
    if (!rc && k->left)
        return RC_AGAIN;
    if (!rc)
        rc = finish(w, k, err);
    k->page = NULL;
    return rc;
}

void fill_page_drop(struct fill_worker *w, const struct page *page)
{
    for (uint32_t i = 0; i < w->nworks; i++) {
        if (w->works[i].page == page)
            w->works[i].page = NULL;
    }
}

/* ---- what becomes of jobs ------------------------------------------------------------------ */

static void slow(void *ctx, struct write_job *job)
{
    struct fill_work *k = job->owner;
    (void)ctx;
    k->slow = true;
}

static enum rc again(void *ctx, struct write_job *job, const struct item *item, enum fate *fate,
                     struct err *err)
{
    struct fill_worker *w = ctx;
    struct fill_work *k = job->owner;
    struct fill_job *j = (struct fill_job *)(void *)job;
    struct change change;
    enum rc rc = apply_recipe_again(&w->recipe, item, &change);
    if (!rc)
        rc = change_copy(&change, &k->arena, &job->change);
    if (rc)
        return err_nomem(err);
    job->units = units_of(w->fill->table, item, &change).table;
    job->why = change.why;
    if (change.fate == FATE_CHANGED)
        j->entity = change.entity;
    *fate = change.fate;
    return RC_OK;
}

static void done(void *ctx, struct write_job *job)
{
    struct fill_worker *w = ctx;
    struct fill_work *k = job->owner;
    struct fill_job *j = (struct fill_job *)(void *)job;
    struct err err = {0};
    enum rc rc = RC_OK;
    /* The job's own intents cover whatever was written: the earlier one has nothing to answer for. */
    if (j->earlier != NOT_EARLIER)
        rc = settle_earlier(w, j->earlier, OUTCOME_VOID, &err);
    count(w, k, job->fate == FATE_CHANGED ? j->entity : job->change.entity, job->fate);
    if (job->fate == FATE_CONFLICTED || job->fate == FATE_FAILED)
        listed_add(&k->listed, job->fate, &job->why, job->key, (struct str){0});
    k->left--;
    k->out--;
    if (!rc && k->left == 0) {
        struct page *page = k->page;
        rc = finish(w, k, &err);
        if (!rc)
            task_page_done(&w->base, page);
    }
    if (rc)
        journaled_writer_fail(&w->side, &err);
}

const struct writer_ops fill_page_ops = {.slow = slow, .again = again, .done = done};
