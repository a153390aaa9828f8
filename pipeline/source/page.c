/* SPDX-License-Identifier: MIT */
/*
 * Pages of lines are walked with memchr, pages of extents by index. A page keeps its memory
 * between uses, so that a reader settles at the size of its largest page.
 */
#include "pipeline/source/page.h"

#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/files/format/chars.h"

enum { RESUME_MAX = 64 << 10 };

void page_init(struct page *p, size_t max_raw)
{
    *p = (struct page){0};
    buf_init(&p->raw, max_raw);
    buf_init(&p->resume, RESUME_MAX);
}

void page_release(struct page *p)
{
    buf_release(&p->raw);
    buf_release(&p->resume);
    free(p->extents);
    p->extents = NULL;
    p->nextents = p->cap_extents = 0;
}

void page_clear(struct page *p)
{
    struct page kept = *p;
    *p = (struct page){0};
    p->raw = kept.raw;
    p->resume = kept.resume;
    p->extents = kept.extents;
    p->cap_extents = kept.cap_extents;
    buf_clear(&p->raw);
    buf_clear(&p->resume);
}

enum rc page_add_extent(struct page *p, size_t at, size_t n, const char *fault)
{
    struct extent *v = memory_push(p->extents, p->nextents, &p->cap_extents, 64, sizeof *v);
    if (!v)
        return RC_NOMEM;
    p->extents = v;
    p->extents[p->nextents++] = (struct extent){at, n, fault, n};
    return RC_OK;
}

static struct str trim(struct str s)
{
    while (s.n && char_blank(s.p[0]))
        s = str_from(s, 1);
    while (s.n && char_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

static bool next_line(const struct page *p, size_t *at, struct str *raw)
{
    while (*at < p->raw.len) {
        const char *start = p->raw.p + *at;
        size_t left = p->raw.len - *at;
        const char *nl = memchr(start, '\n', left);
        size_t n = nl ? (size_t)(nl - start) : left;
        *at += nl ? n + 1 : n;
        *raw = trim(str_make(start, n));
        if (raw->n)
            return true;
    }
    return false;
}

bool page_next(const struct page *p, size_t *at, struct str *raw, const char **fault)
{
    *fault = NULL;
    if (p->format == PAGE_LINES)
        return next_line(p, at, raw);
    if (*at >= p->nextents)
        return false;
    const struct extent *e = &p->extents[(*at)++];
    *raw = str_make(p->raw.p ? p->raw.p + e->at : "", e->n);
    *fault = e->fault;
    return true;
}

uint64_t page_place(const struct page *p, size_t at, struct str raw)
{
    if (p->format == PAGE_LINES)
        return p->position + (uint64_t)(raw.p - p->raw.p);
    return p->position + (at && at <= p->nextents ? p->extents[at - 1].at : 0);
}

uint64_t page_whole(const struct page *p, size_t at, struct str raw)
{
    if (p->format == PAGE_LINES || at == 0 || at > p->nextents)
        return raw.n;
    return p->extents[at - 1].whole;
}
