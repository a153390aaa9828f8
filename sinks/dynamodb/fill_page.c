/* SPDX-License-Identifier: MIT */
/*
 * Items that an earlier process of the same pass has written, or may have, are met again when
 * their page is read again: what it wrote counts as changed, and what it left open is settled
 * here, by the item itself.
 */
#include "sinks/dynamodb/fill_page.h"

#include <xxhash.h>

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"
#include "pipeline/item/decode.h"
#include "sinks/dynamodb/change.h"
#include "sinks/dynamodb/update.h"

enum { RAW_KEPT = 4096, NOT_EARLIER = UINT32_MAX };

static uint64_t *cell(const struct fill_worker *w, struct fill_work *k, uint32_t entity,
                      enum fate fate)
{
    uint32_t row = entity < w->shared->rows - 1 ? entity : w->shared->rows - 1;
    return &k->counts[row * FATES + (uint32_t)fate];
}

static void count(struct fill_worker *w, struct fill_work *k, uint32_t entity, enum fate fate)
{
    (*cell(w, k, entity, fate))++;
    atomic_fetch_add(&w->progress->fates[fate], 1);
    atomic_fetch_add(&w->progress->items, 1);
}

/* ---- listing ------------------------------------------------------------------------------- */

static void list_reason(struct buf *b, enum fate fate, const struct fault *why)
{
    buf_addf(b, "{\"fate\":\"%s\",\"reason\":", fate_names[fate]);
    json_add_string(b, str_of(why->reason ? why->reason : "unknown"));
    buf_puts(b, ",\"detail\":");
    json_add_string(b, str_of(why->detail));
}

static void list_job(struct fill_work *k, const struct write_job *job)
{
    list_reason(&k->listed, job->fate, &job->why);
    buf_puts(&k->listed, ",\"key\":");
    buf_add_str(&k->listed, job->key);
    buf_puts(&k->listed, "}\n");
}

/* An item that failed before it could become a job: by its key, or by its bytes. */
static void list_item(struct fill_work *k, struct str raw, struct str key,
                      const struct fault *why)
{
    list_reason(&k->listed, FATE_FAILED, why);
    if (key.n > 2) {
        buf_puts(&k->listed, ",\"key\":");
        buf_add_str(&k->listed, key);
    } else {
        buf_puts(&k->listed, ",\"base64\":\"");
        base64_add(&k->listed, str_make(raw.p, raw.n < RAW_KEPT ? raw.n : RAW_KEPT));
        buf_putc(&k->listed, '"');
    }
    buf_puts(&k->listed, "}\n");
}

/* ---- the end of a page --------------------------------------------------------------------- */

static void add_counts(struct fill_worker *w, const struct fill_work *k)
{
    struct fill_shared *s = w->shared;
    (void)pthread_mutex_lock(&s->mu);
    for (uint32_t i = 0; i < s->rows * FATES; i++)
        s->counts[i] += k->counts[i];
    s->items += k->page->nextents;
    (void)pthread_mutex_unlock(&s->mu);
}

static enum rc finish(struct fill_worker *w, struct fill_work *k, struct err *err)
{
    struct page *page = k->page;
    enum rc rc = buf_check(&k->listed, err);
    struct journal_mark mark = {page->segment, page->last,      buf_view(&page->resume),
                                k->counts,     w->shared->rows, buf_view(&k->listed)};
    if (!rc && w->journal && !journal_mark(w->journal, &mark))
        rc = err_nomem(err);
    if (rc)
        return rc;
    add_counts(w, k);
    w->open -= page->last;
    k->open = !page->last;
    atomic_fetch_add(&w->progress->segments, page->last);
    k->page = NULL;
    w->reader->ops->give_back(w->reader, page);
    return RC_OK;
}

/* ---- items of a page ----------------------------------------------------------------------- */

struct look {
    struct str raw, key;
    struct item item;
    struct change change;
};

/* The last of what earlier processes did to it; NOT_EARLIER if nothing. */
static uint32_t find_earlier(struct fill_worker *w, const struct look *l)
{
    struct fill_shared *s = w->shared;
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
    const struct fill_shared *s = w->shared;
    enum outcome what = first;
    for (uint32_t i = earlier; i != MAP_NONE; i = s->before[i]) {
        const struct intent *it = &s->standing.intents[i];
        if (!it->open)
            continue;
        if (!journal_settled(w->journal, it->generation, it->worker, it->id, what))
            return err_nomem(err);
        what = OUTCOME_VOID;
    }
    return RC_OK;
}

/* What is known to be written is said again, so that the mark of this page covers it: an earlier
 * process may have had more behind its last mark than this page holds. */
static enum rc repeat_earlier(struct fill_worker *w, uint32_t earlier, struct err *err)
{
    const struct fill_shared *s = w->shared;
    for (uint32_t i = earlier; i != MAP_NONE; i = s->before[i]) {
        const struct intent *it = &s->standing.intents[i];
        if (!it->open &&
            !journal_settled(w->journal, it->generation, it->worker, it->id, it->outcome))
            return err_nomem(err);
    }
    return RC_OK;
}

static enum rc add_job(struct fill_worker *w, struct fill_work *k, const struct look *l,
                       uint32_t earlier, struct err *err)
{
    struct fill_job *j = ARENA_NEW(&k->arena, struct fill_job);
    const struct plan *plan = w->shared->setup->plan;
    const struct val *pk = item_get(&l->item, plan->key.v[0]);
    if (!j || !pk || change_copy(&l->change, &k->arena, &j->job.change))
        return err_nomem(err);
    j->job.key = arena_dup(&k->arena, l->key);
    if (!j->job.key.p)
        return err_nomem(err);
    j->job.partition = XXH3_64bits(pk->u.s.p, pk->u.s.n);
    j->job.units = units_of(w->shared->table, &l->item, &l->change).table;
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
static enum rc meet_earlier(struct fill_worker *w, const struct look *l, uint32_t *earlier,
                            bool *done, struct err *err)
{
    *earlier = find_earlier(w, l);
    if (*earlier == NOT_EARLIER)
        return RC_OK;
    const struct fill_shared *s = w->shared;
    const struct intent *last = &s->standing.intents[*earlier];
    bool left = last->open && change_left(&last->change, &l->item);
    *done = left;
    for (uint32_t i = *earlier; i != MAP_NONE && !*done; i = s->before[i])
        *done = !s->standing.intents[i].open;
    enum rc rc = repeat_earlier(w, *earlier, err);
    if (!rc && left)
        rc = settle_earlier(w, *earlier, OUTCOME_CHANGED, err);
    if (left || !last->open)
        *earlier = NOT_EARLIER;
    return rc;
}

/* A pass that writes: a job, or a number in the books. */
static enum rc take_item(struct fill_worker *w, struct fill_work *k, struct look *l,
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
        fate = FATE_CHANGED; /* what was written may be why nothing is left to be done */
    count(w, k, l->change.entity, fate);
    if (fate == FATE_FAILED)
        list_item(k, l->raw, l->key, &l->change.why);
    return RC_OK;
}

static enum rc judge(struct fill_worker *w, struct fill_work *k, struct look *l,
                     struct err *err)
{
    const struct fill_setup *setup = w->shared->setup;
    arena_clear(&w->scratch);
    l->change = (struct change){.fate = FATE_FAILED, .entity = UINT32_MAX};
    l->item = (struct item){0};
    l->key = (struct str){0};
    enum rc rc = item_decode(w->decoder, l->raw, &w->scratch, &l->item, &l->change.why);
    bool decoded = rc == RC_OK;
    if (decoded)
        rc = recipe_apply(setup->recipe, &l->item, setup->now_us, &w->scratch, &l->change);
    if (rc == RC_NOMEM)
        return err_nomem(err);
    if (decoded) {
        buf_clear(&w->text);
        rc = update_key(&w->text, &l->item, &setup->plan->key, err);
        l->key = buf_view(&w->text);
    } else {
        l->item = (struct item){0};
        rc = RC_OK;
    }
    if (rc)
        return rc;
    if (w->journal)
        return take_item(w, k, l, err);
    count(w, k, l->change.entity, l->change.fate);
    return setup->look(setup->look_ctx, w->index, &l->item, &l->change, err);
}

static enum rc judge_all(struct fill_worker *w, struct fill_work *k, struct err *err)
{
    struct look l = {0};
    size_t at = 0;
    const char *fault = NULL;
    enum rc rc = RC_OK;
    while (!rc && page_next(k->page, &at, &l.raw, &fault))
        rc = judge(w, k, &l, err);
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
    w->rota.v[i].last = 0;
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
    memset(k->counts, 0, (size_t)w->shared->rows * FATES * sizeof *k->counts);
    buf_clear(&k->listed);
    arena_clear(&k->arena);
    enum rc rc = judge_all(w, k, err);
    k->idle = k->left == 0;
    if (!rc && k->left == 0)
        rc = finish(w, k, err);
    return rc;
}

/* ---- the writer's feeder ------------------------------------------------------------------- */

/* The first of those that were passed over, if its partition has its turn. */
static struct fill_job *take_aside(struct fill_worker *w, struct fill_work *k)
{
    struct fill_job *j = k->aside;
    if (!j || !writer_takes(w->writer, &j->job))
        return NULL;
    k->aside = j->next;
    if (!k->aside)
        k->last = &k->aside;
    return j;
}

static struct fill_job *take_next(struct fill_worker *w, struct fill_work *k)
{
    struct fill_job *j = take_aside(w, k);
    while (!j && k->waiting) {
        struct fill_job *head = k->waiting;
        k->waiting = head->next;
        head->next = NULL;
        if (writer_takes(w->writer, &head->job)) {
            j = head;
        } else {
            *k->last = head;
            k->last = &head->next;
        }
    }
    if (!k->waiting)
        k->end = &k->waiting;
    return j;
}

static struct write_job *take(void *ctx)
{
    struct fill_worker *w = ctx;
    struct fill_job *j = NULL;
    fill_share(w);
    while (!j) {
        uint32_t i = rota_next(&w->rota);
        if (i == w->nworks && !fill_share_late(w))
            return NULL;
        if (i == w->nworks)
            continue;
        j = take_next(w, &w->works[i]);
        if (j) {
            w->works[i].out++;
            rota_wrote(&w->rota, i);
        } else { /* all that is left of it is held back */
            w->rota.v[i].state = ROTA_IDLE;
        }
    }
    return &j->job;
}

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
    const struct fill_setup *setup = w->shared->setup;
    struct change change;
    arena_clear(&w->scratch);
    enum rc rc = recipe_apply(setup->recipe, item, setup->now_us, &w->scratch, &change);
    if (!rc)
        rc = change_copy(&change, &k->arena, &job->change);
    if (rc)
        return err_nomem(err);
    job->units = units_of(w->shared->table, item, &change).table;
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
    /* its own intents cover whatever was written: the earlier one has nothing to answer for */
    if (j->earlier != NOT_EARLIER)
        rc = settle_earlier(w, j->earlier, OUTCOME_VOID, &err);
    count(w, k, job->fate == FATE_CHANGED ? j->entity : job->change.entity, job->fate);
    if (job->fate == FATE_CONFLICTED || job->fate == FATE_FAILED)
        list_job(k, job);
    k->left--;
    k->out--;
    if (!rc && k->left == 0)
        rc = finish(w, k, &err);
    if (rc && !w->err.rc)
        w->err = err;
}

const struct writer_ops fill_page_ops = {
    .take = take, .slow = slow, .again = again, .done = done};
