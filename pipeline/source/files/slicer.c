/* SPDX-License-Identifier: MIT */
/*
 * A slice begins after the first newline at or behind its first byte minus one, and ends with
 * the line that crosses its end. A page ends at a line end, and what was read beyond is read
 * again with the next page: it is in the page cache, and a line is short. Memory is bounded by
 * the line limit: of longer lines only the start is kept, the rest is skipped in small reads.
 */
#include "pipeline/source/files/slicer.h"

enum { STEP = 64 << 10 };

uint64_t slicer_count(const struct input *in, const struct limits *limits)
{
    return (in->facts.size + limits->slice_bytes - 1) / limits->slice_bytes;
}

void slicer_init(struct slicer *s)
{
    *s = (struct slicer){0};
    buf_init(&s->start, LINE_KEPT);
}

void slicer_release(struct slicer *s)
{
    bytes_close(s->bytes);
    buf_release(&s->start);
    slicer_init(s);
}

/* Reads exactly n bytes at offset `at`; the file is known to have them. */
static enum rc read_at(const struct slicer *s, uint64_t at, char *p, size_t n, struct err *err)
{
    while (n > 0) {
        size_t got = 0;
        enum rc rc = s->bytes->ops->read_at(s->bytes, at, p, n, &got, err);
        if (rc == RC_END) {
            return err_set(err, RC_SOURCE, "\"%s\" changed while it was read: it ends at %llu",
                           s->in->path, (unsigned long long)at);
        }
        if (rc)
            return rc;
        p += got;
        n -= got;
        at += got;
    }
    return RC_OK;
}

/*
 * Moves *from behind the first newline at or after it, or to `to` if there is none before. Where
 * it got to is kept when not all is there yet.
 */
static enum rc after_newline(const struct slicer *s, uint64_t *from, uint64_t to,
                             struct err *err)
{
    char chunk[STEP];
    while (*from < to) {
        size_t n = to - *from < STEP ? (size_t)(to - *from) : STEP;
        enum rc rc = read_at(s, *from, chunk, n, err);
        if (rc)
            return rc;
        const char *nl = memchr(chunk, '\n', n);
        *from += nl ? (uint64_t)(nl - chunk) + 1 : n;
        if (nl)
            break;
    }
    return RC_OK;
}

static enum rc open_file(struct slicer *s, const struct input *in, struct err *err)
{
    if (s->bytes && s->in == in)
        return input_unchanged(in, s->bytes, err);
    slicer_release(s);
    s->in = in;
    enum rc rc = input_open(in, &s->bytes, err);
    if (rc == RC_USAGE)
        rc = err->rc = RC_SOURCE; /* the file was there when the run began */
    return rc ? rc : input_unchanged(in, s->bytes, err);
}

static enum rc bad_resume(const struct slicer *s, struct str resume, struct err *err)
{
    return err_set(err, RC_SOURCE, "\"%s\": resume key \"%.*s\" is not a place in this slice",
                   s->in->path, STR_FMT(resume));
}

enum rc slicer_start(struct slicer *s, const struct input *in, const struct limits *limits,
                     uint64_t index, struct str resume, struct err *err)
{
    enum rc rc = open_file(s, in, err);
    if (rc)
        return rc;
    s->limits = *limits;
    uint64_t begin = index * limits->slice_bytes;
    uint64_t left = in->facts.size - begin;
    s->end = begin + (left < limits->slice_bytes ? left : limits->slice_bytes);
    s->seek = false;
    buf_clear(&s->start);
    if (resume.n) {
        unsigned long long at;
        if (!str_uint(resume, &at) || at < begin || at > in->facts.size)
            return bad_resume(s, resume, err);
        s->at = at;
    } else {
        s->seek = begin > 0;
        s->at = begin ? begin - 1 : in->skip;
    }
    if (s->at < s->end)
        s->bytes->ops->expect(s->bytes, s->at, s->end - s->at);
    return RC_OK;
}

/* Makes raw hold `want` bytes from s->at on. */
static enum rc fill(const struct slicer *s, struct page *page, size_t want, struct err *err)
{
    size_t have = page->raw.len;
    if (want <= have)
        return RC_OK;
    if (!buf_room(&page->raw, want - have))
        return buf_check(&page->raw, err);
    page->raw.len = want;
    return read_at(s, s->at + have, page->raw.p + have, want - have, err);
}

static size_t after_last_newline(const struct page *page)
{
    size_t n = page->raw.len;
    while (n > 0 && page->raw.p[n - 1] != '\n')
        n--;
    return n;
}

static enum rc long_line_is(struct slicer *s, struct page *page, uint64_t next, struct err *err)
{
    page->format = PAGE_EXTENTS;
    if (page_add_extent(page, 0, page->raw.len, "line-too-long"))
        return err_nomem(err);
    page->extents[0].whole = next - s->at;
    return RC_OK;
}

/* The end of a line beyond the limit is looked for; what is passed over is not kept anywhere. */
static enum rc skip_line(struct slicer *s, struct page *page, uint64_t *next, struct err *err)
{
    enum rc rc = after_newline(s, &s->skipped, s->in->facts.size, err);
    bytes_passed(s->bytes, s->skipped);
    if (rc)
        return rc;
    *next = s->skipped;
    page->raw.len = 0;
    buf_add_str(&page->raw, buf_view(&s->start));
    buf_clear(&s->start);
    rc = buf_check(&page->raw, err);
    return rc ? rc : long_line_is(s, page, *next, err);
}

/* The page is one line beyond the limit: its start is kept, its end is looked for. */
static enum rc long_line(struct slicer *s, struct page *page, uint64_t *next, struct err *err)
{
    const char *nl = memchr(page->raw.p, '\n', page->raw.len);
    size_t kept = page->raw.len < LINE_KEPT ? page->raw.len : LINE_KEPT;
    if (!nl) {
        s->skipped = s->at + page->raw.len;
        buf_add(&s->start, page->raw.p, kept);
        enum rc rc = buf_check(&s->start, err);
        return rc ? rc : skip_line(s, page, next, err);
    }
    size_t whole = (size_t)(nl - page->raw.p) + 1;
    *next = s->at + whole;
    page->raw.len = whole < kept ? whole : kept;
    return long_line_is(s, page, *next, err);
}

/*
 * The last line of the page is not complete: reads on to its end. *next is where the page's
 * bytes end then.
 */
static enum rc finish_line(struct slicer *s, struct page *page, size_t line, uint64_t *next,
                           struct err *err)
{
    size_t seen = page->raw.len;
    const char *nl = NULL;
    while (!nl && s->at + seen < s->in->facts.size && seen - line <= s->limits.line_limit) {
        uint64_t left = s->in->facts.size - s->at - seen;
        enum rc rc = fill(s, page, seen + (left < STEP ? (size_t)left : STEP), err);
        if (rc)
            return rc;
        nl = memchr(page->raw.p + seen, '\n', page->raw.len - seen);
        seen = page->raw.len;
    }
    size_t end = nl ? (size_t)(nl - page->raw.p) : seen;
    if (end - line > s->limits.line_limit && line == 0)
        return long_line(s, page, next, err);
    if (end - line > s->limits.line_limit) {
        page->raw.len = line;
    } else {
        page->raw.len = nl ? end + 1 : end;
    }
    *next = s->at + page->raw.len;
    return RC_OK;
}

static enum rc read_page(struct slicer *s, struct page *page, uint64_t *next, struct err *err)
{
    uint64_t left = s->end - s->at;
    size_t aim = s->limits.page_bytes;
    if (aim > s->limits.line_limit)
        aim = s->limits.line_limit;
    bool to_end = left <= aim;
    enum rc rc = fill(s, page, to_end ? (size_t)left : aim, err);
    if (rc)
        return rc;
    size_t line = after_last_newline(page);
    *next = s->at + page->raw.len;
    if (line == page->raw.len || *next == s->in->facts.size)
        return RC_OK;
    if (to_end || line == 0)
        return finish_line(s, page, line, next, err);
    page->raw.len = line;
    *next = s->at + line;
    return RC_OK;
}

enum rc slicer_next(struct slicer *s, struct page *page, struct err *err)
{
    enum rc rc = s->seek ? after_newline(s, &s->at, s->end, err) : RC_OK;
    if (rc)
        return rc;
    uint64_t next = s->at;
    s->seek = false;
    page->format = PAGE_LINES;
    page->position = s->at;
    if (s->start.len) {
        rc = skip_line(s, page, &next, err);
    } else if (s->at < s->end) {
        rc = read_page(s, page, &next, err);
    }
    page->last = next >= s->end;
    if (!rc && page->last)
        rc = input_unchanged(s->in, s->bytes, err);
    if (rc)
        return rc;
    page->bytes_in = next - s->at;
    s->at = next;
    bytes_passed(s->bytes, next);
    buf_addf(&page->resume, "%llu", (unsigned long long)next);
    return buf_check(&page->resume, err);
}
