/* SPDX-License-Identifier: MIT */
/*
 * Pages are built in the stream's own page, which changes places with the caller's when it is
 * complete; what was read beyond its end moves to the next one. Items beyond the limit, and the
 * rest of a document that is broken or cut short, come alone, with only their start kept.
 */
#define _GNU_SOURCE
#include "pipeline/source/files/stream.h"

#include <stdlib.h>

#include "pipeline/source/files/stream_private.h"

enum { STEP = 64 << 10 }; /* how much is read at once beyond the aim */

void stream_free(struct stream *st)
{
    if (!st)
        return;
    inflate_free(st->inflate);
    page_release(&st->page);
    free(st);
}

enum rc stream_open(const struct input *in, struct inflate *opened, const struct limits *limits,
                    size_t cut_bytes, struct stream **out, struct err *err)
{
    struct stream *st = calloc(1, sizeof *st);
    if (!st) {
        inflate_free(opened);
        return err_nomem(err);
    }
    st->in = in;
    st->skip = in->skip;
    st->limits = *limits;
    st->cut = cut_bytes < limits->line_limit ? cut_bytes : limits->line_limit;
    st->inflate = opened;
    page_init(&st->page, limits_page_max(limits));
    if (in->format != FORMAT_LINES && in->format != FORMAT_EMPTY)
        cutter_init(&st->cutter, in->format);
    st->cutter.only = in->table_index;
    enum rc rc = RC_OK;
    if (!opened)
        rc = inflate_open(in, 0, &st->inflate, err);
    if (rc == RC_USAGE)
        rc = err->rc = RC_SOURCE; /* the file was there when the run began */
    if (!rc)
        rc = input_unchanged(in, inflate_bytes(st->inflate), err);
    if (rc) {
        stream_free(st);
        st = NULL;
    }
    *out = st;
    return rc;
}

void stream_shift(struct stream *st, size_t n)
{
    struct buf *raw = &st->page.raw;
    if (n == 0)
        return;
    memmove(raw->p, raw->p + n, raw->len - n);
    raw->len -= n;
    st->page.position += n;
}

enum rc stream_more(struct stream *st, struct err *err)
{
    struct buf *raw = &st->page.raw;
    size_t got = 0, want = raw->len < st->cut ? st->cut - raw->len : STEP;
    if (want < STEP)
        want = STEP;
    if (!buf_room(raw, want))
        return buf_check(raw, err);
    enum rc rc = inflate_read(st->inflate, raw->p + raw->len, want, &got, err);
    if (rc == RC_END) {
        st->eof = true;
        return RC_OK;
    }
    raw->len += got;
    if (st->skip && raw->len) {
        size_t n = st->skip < raw->len ? st->skip : raw->len;
        stream_shift(st, n);
        st->skip -= (uint32_t)n;
    }
    return rc;
}

static enum rc check_listed(struct stream *st, struct err *err)
{
    unsigned char md5[16];
    enum rc rc = inflate_md5(st->inflate, md5, err);
    if (!rc && memcmp(md5, st->in->md5, sizeof md5) != 0) {
        rc = err_set(err, RC_SOURCE,
                     "\"%s\" is not the exported file: its MD5 differs from the manifest's",
                     st->in->path);
    }
    if (!rc && st->items != st->in->items) {
        rc = err_set(err, RC_SOURCE, "\"%s\" holds %llu items, the manifest says %llu",
                     st->in->path, (unsigned long long)st->items,
                     (unsigned long long)st->in->items);
    }
    if (rc)
        (void)err_hint(err, "copy the export again");
    return rc;
}

static uint64_t count_items(const struct page *p)
{
    size_t at = 0;
    struct str raw;
    const char *fault;
    uint64_t n = 0;
    while (page_next(p, &at, &raw, &fault))
        n++;
    return n;
}

enum rc stream_emit(struct stream *st, struct page *page, size_t end, struct err *err)
{
    struct page *mine = &st->page;
    uint64_t next = mine->position + end + st->dropped;
    page_clear(page);
    if (end < mine->raw.len)
        buf_add(&page->raw, mine->raw.p + end, mine->raw.len - end);
    if (page->raw.rc)
        return buf_check(&page->raw, err);
    struct page full = *mine;
    *mine = *page;
    *page = full;
    page->raw.len = end;
    mine->position = next;
    page->format =
        st->in->format == FORMAT_LINES && !page->nextents ? PAGE_LINES : PAGE_EXTENTS;
    page->bytes_in = inflate_used(st->inflate) - st->used;
    st->used += page->bytes_in;
    st->dropped = 0;
    st->dropping = false;
    st->fed = st->fed > end ? st->fed - end : 0;
    st->item = st->item > end ? st->item - end : 0;
    st->last_end = 0;
    if (st->in_item) {
        stream_shift(st, st->item);
        st->fed -= st->item;
        st->item = 0;
    }
    buf_clear(&page->resume);
    buf_addf(&page->resume, "%llu", (unsigned long long)next);
    if (st->in->listed)
        st->items += count_items(page);
    return buf_check(&page->resume, err);
}

enum rc stream_emit_last(struct stream *st, struct page *page, size_t end, struct err *err)
{
    enum rc rc = stream_emit(st, page, end, err);
    page->last = true;
    st->ended = true;
    if (!rc)
        rc = input_unchanged(st->in, inflate_bytes(st->inflate), err);
    if (!rc && st->in->listed)
        rc = check_listed(st, err);
    return rc;
}

void stream_drop(struct stream *st, size_t upto)
{
    struct buf *raw = &st->page.raw;
    if (upto <= LINE_KEPT)
        return;
    memmove(raw->p + LINE_KEPT, raw->p + upto, raw->len - upto);
    raw->len -= upto - LINE_KEPT;
    st->dropped += upto - LINE_KEPT;
}

enum rc stream_emit_faulty(struct stream *st, struct page *page, size_t end, const char *fault,
                           struct err *err)
{
    if (page_add_extent(&st->page, 0, end, fault))
        return err_nomem(err);
    st->page.extents[0].whole = end + st->dropped;
    return stream_emit(st, page, end, err);
}

/* A line beyond the limit is in raw, in part; looks for its end. */
static enum rc long_line(struct stream *st, struct page *page, struct err *err)
{
    struct buf *raw = &st->page.raw;
    enum rc rc = RC_OK;
    while (!rc) {
        size_t from = st->dropping ? st->fed : 0;
        const char *nl = from < raw->len ? memchr(raw->p + from, '\n', raw->len - from) : NULL;
        size_t end = nl ? (size_t)(nl - raw->p) + 1 : raw->len;
        st->dropping = true;
        if (nl || st->eof) {
            size_t kept = end < LINE_KEPT ? end : LINE_KEPT;
            stream_drop(st, end);
            st->fed = 0;
            return stream_emit_faulty(st, page, kept, "line-too-long", err);
        }
        stream_drop(st, raw->len);
        st->fed = raw->len;
        rc = stream_more(st, err);
    }
    return rc;
}

static size_t line_start(const struct buf *raw, size_t before)
{
    const char *nl = before ? memrchr(raw->p, '\n', before) : NULL;
    return nl ? (size_t)(nl - raw->p) + 1 : 0;
}

/*
 * A page ends with the first line end at or behind the aim. Only the line that crosses the
 * aim can be beyond the limit, for the aim is not.
 */
static enum rc next_lines(struct stream *st, struct page *page, struct err *err)
{
    struct buf *raw = &st->page.raw;
    size_t aim = st->cut - 1, limit = st->limits.line_limit;
    enum rc rc = RC_OK;
    if (st->dropping)
        return long_line(st, page, err);
    size_t seen = aim;
    while (!rc) {
        if (raw->len > aim) {
            const char *nl = memchr(raw->p + seen, '\n', raw->len - seen);
            size_t end = nl ? (size_t)(nl - raw->p) : raw->len;
            size_t start = line_start(raw, aim);
            if (end - start > limit)
                return start ? stream_emit(st, page, start, err) : long_line(st, page, err);
            if (nl)
                return stream_emit(st, page, end + 1, err);
            seen = raw->len;
        }
        if (st->eof)
            return stream_emit_last(st, page, raw->len, err);
        rc = stream_more(st, err);
    }
    return rc;
}

enum rc stream_next(struct stream *st, struct page *page, struct err *err)
{
    if (st->ended)
        return RC_END;
    if (st->in->format == FORMAT_LINES)
        return next_lines(st, page, err);
    return stream_next_document(st, page, err);
}
