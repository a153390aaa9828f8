/* SPDX-License-Identifier: MIT */
/*
 * A page of a document begins with its first item and ends with the first item end at or behind
 * the aim, or where no item follows for a while. What lies between items is kept, so that a
 * place in the page is a place in the file; long stretches without items are not.
 */
#include "pipeline/source/files/stream_private.h"

enum { GAP = 4 << 10 }; /* so many bytes without an item end a page */

enum what_next { DO_READ, DO_EMIT, DO_LONG, DO_LONG_END, DO_BAD, DO_NOMEM };

/* An item begins at fed. A page begins with its first item. */
static enum what_next item_begins(struct stream *st)
{
    st->in_item = true;
    st->item = st->fed;
    if (st->page.nextents)
        return st->fed - st->last_end >= GAP ? DO_EMIT : DO_READ;
    stream_shift(st, st->fed);
    st->fed = st->item = 0;
    return DO_READ;
}

static enum what_next item_ends(struct stream *st)
{
    st->in_item = false;
    if (st->dropping)
        return DO_LONG_END;
    if (page_add_extent(&st->page, st->item, st->fed - st->item, NULL))
        return DO_NOMEM;
    st->last_end = st->fed;
    return st->fed >= st->cut ? DO_EMIT : DO_READ;
}

/* How many bytes the cutter may see at once: an item never more than the limit. */
static size_t feedable(const struct stream *st)
{
    size_t n = st->page.raw.len - st->fed;
    if (!st->in_item || st->dropping)
        return n;
    size_t room = st->item + st->limits.line_limit - st->fed;
    return n < room ? n : room;
}

/* All of raw went through the cutter: keeps what is still needed of it. */
static enum what_next all_fed(struct stream *st)
{
    if (st->dropping) {
        stream_drop(st, st->page.raw.len);
        st->fed = st->page.raw.len;
    } else if (!st->in_item && st->page.nextents) {
        return st->fed - st->last_end >= GAP ? DO_EMIT : DO_READ;
    } else if (!st->in_item) {
        stream_shift(st, st->fed);
        st->fed = 0;
    }
    return DO_READ;
}

static enum what_next advance(struct stream *st)
{
    enum what_next next = DO_READ;
    while (st->fed < st->page.raw.len && next == DO_READ) {
        enum cut what;
        size_t n = feedable(st);
        if (n == 0)
            return DO_LONG;
        st->fed += cutter_feed(&st->cutter, st->page.raw.p + st->fed, n, &what);
        if (what == CUT_BAD)
            return DO_BAD;
        if (what == CUT_BEGIN)
            next = item_begins(st);
        if (what == CUT_END)
            next = item_ends(st);
    }
    return next == DO_READ ? all_fed(st) : next;
}

/* Nothing that follows can be told apart: it becomes one reject. */
static enum rc next_rest(struct stream *st, struct page *page, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && !st->eof) {
        stream_drop(st, st->page.raw.len);
        rc = stream_more(st, err);
    }
    if (rc)
        return rc;
    st->over = true;
    return stream_emit_faulty(st, page, st->page.raw.len, st->rest, err);
}

static enum rc document_ends(struct stream *st, struct page *page, struct err *err)
{
    bool complete = cutter_complete(&st->cutter);
    if (complete)
        return stream_emit_last(st, page, st->last_end, err);
    if (st->page.nextents)
        return stream_emit(st, page, st->last_end, err);
    st->rest = "truncated-document";
    return next_rest(st, page, err);
}

static enum rc long_item_ends(struct stream *st, struct page *page, struct err *err)
{
    size_t kept = st->fed < LINE_KEPT ? st->fed : LINE_KEPT;
    stream_drop(st, st->fed);
    st->fed = kept;
    return stream_emit_faulty(st, page, kept, "line-too-long", err);
}

enum rc stream_next_document(struct stream *st, struct page *page, struct err *err)
{
    enum rc rc = RC_OK;
    if (st->over)
        return stream_emit_last(st, page, 0, err);
    if (st->rest)
        return next_rest(st, page, err);
    while (!rc) {
        enum what_next next = advance(st);
        if (next == DO_NOMEM)
            return err_nomem(err);
        if (next == DO_LONG_END)
            return long_item_ends(st, page, err);
        if (next == DO_BAD)
            st->rest = "malformed-document";
        if (next != DO_READ && st->page.nextents)
            return stream_emit(st, page, st->last_end, err);
        if (next == DO_BAD)
            return next_rest(st, page, err);
        if (next == DO_LONG) {
            st->dropping = true;
        } else if (st->eof) {
            return document_ends(st, page, err);
        } else {
            rc = stream_more(st, err);
        }
    }
    return rc;
}
