/* SPDX-License-Identifier: MIT */
/*
 * Feeding the writer, one job of one segment after the other. There is an equal share of what is
 * under way for each segment, so that one that is throttled cannot take it all. One whose page is
 * still to come, or will be followed by another, is awaited, as long as its last one had something
 * to be written. A job that the writer holds is put aside and offered again before all others of
 * its page.
 */
#include "pipeline/source/table/scan.h"
#include "sinks/dynamodb/fill/fill_page.h"

/* ---- how the segments stand ---------------------------------------------------------------- */

static enum turns_state state_of(const struct fill_worker *w, const struct fill_work *k)
{
    if (!k->open || (!k->page && k->idle))
        return TURNS_IDLE;
    if (!k->page)
        return TURNS_AWAITED;
    if (!writer_range_open(w->side.writer, k->segment))
        return TURNS_IDLE;
    bool more = k->waiting || k->aside;
    uint32_t open = (uint32_t)w->base.open.n;
    uint32_t share = (w->fill->setup->in_flight + open - 1) / open;
    if (more && k->out <= 3 * share) /* two more shares wait for the disk meanwhile */
        return TURNS_READY;
    bool follows = more || !k->page->last ||
                   !w->base.no_more; /* a job, a page or another segment follows */
    return !k->slow && follows ? TURNS_AWAITED : TURNS_IDLE;
}

static void tell_turns(struct fill_worker *w)
{
    for (uint32_t i = 0; i < w->nworks; i++)
        w->turns.v[i].state = state_of(w, &w->works[i]);
}

/* None is ready: waits no longer for those that are late. True: there was one. */
static bool give_up_late(struct fill_worker *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->nworks; i++) {
        const struct fill_work *k = &w->works[i];
        struct turns_place *p = &w->turns.v[i];
        if (p->state == TURNS_AWAITED && !k->page &&
            scan_reader_late(w->base.reader, k->segment)) {
            p->state = TURNS_IDLE;
            any = true;
        }
    }
    return any;
}

/* ---- offering ------------------------------------------------------------------------------ */

/* The first of those that were put aside. */
static enum writer_answer offer_aside(struct fill_worker *w, struct fill_work *k)
{
    struct fill_job *j = k->aside;
    enum writer_answer answer = j ? writer_offer(w->side.writer, &j->job) : WRITER_HELD;
    if (answer != WRITER_TAKEN)
        return answer;
    k->aside = j->next;
    if (!k->aside)
        k->last = &k->aside;
    return WRITER_TAKEN;
}

/* The first of those that were not offered yet. Leaves the list, unless the writer is full. */
static enum writer_answer offer_waiting(struct fill_worker *w, struct fill_work *k)
{
    struct fill_job *j = k->waiting;
    enum writer_answer answer = writer_offer(w->side.writer, &j->job);
    if (answer == WRITER_FULL)
        return answer;
    k->waiting = j->next;
    if (!k->waiting)
        k->end = &k->waiting;
    j->next = NULL;
    if (answer == WRITER_HELD) {
        *k->last = j;
        k->last = &j->next;
    }
    return answer;
}

/* WRITER_HELD: all that is left of this segment's page is held. */
static enum writer_answer offer_of(struct fill_worker *w, struct fill_work *k)
{
    enum writer_answer answer = offer_aside(w, k);
    while (answer == WRITER_HELD && k->waiting)
        answer = offer_waiting(w, k);
    return answer;
}

/* One job of the segment whose turn it is. WRITER_HELD: none has one that may go now. */
static enum writer_answer offer_next(struct fill_worker *w)
{
    tell_turns(w);
    for (;;) {
        uint32_t i = turns_next(&w->turns);
        if (i == w->nworks && !give_up_late(w))
            return WRITER_HELD;
        if (i == w->nworks)
            continue;
        enum writer_answer answer = offer_of(w, &w->works[i]);
        if (answer == WRITER_TAKEN) {
            w->works[i].out++;
            turns_wrote(&w->turns, i);
        }
        if (answer != WRITER_HELD)
            return answer;
        w->turns.v[i].state = TURNS_IDLE;
    }
}

void fill_feed(struct fill_worker *w)
{
    while (offer_next(w) == WRITER_TAKEN)
        continue;
}
