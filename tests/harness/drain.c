/* SPDX-License-Identifier: MIT */
/* Every page is committed at once: its items go to the bag together with its resume key. */
#include "tests/harness/drain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SHOWN = 200 };

void bag_init(struct bag *b)
{
    *b = (struct bag){0};
}

void bag_release(struct bag *b)
{
    for (size_t i = 0; i < b->n; i++)
        free(b->items[i]);
    free(b->items);
    bag_init(b);
}

void bag_add(struct bag *b, struct str item)
{
    if (b->n == b->cap) {
        b->cap = b->cap ? b->cap * 2 : 64;
        b->items = realloc(b->items, b->cap * sizeof(char *));
        assert_non_null(b->items);
    }
    char *copy = malloc(item.n + 1);
    assert_non_null(copy);
    memcpy(copy, item.n ? item.p : "", item.n);
    copy[item.n] = '\0';
    b->items[b->n++] = copy;
}

void bag_add_page(struct bag *b, const struct page *p)
{
    size_t at = 0;
    struct str raw;
    const char *fault;
    while (page_next(p, &at, &raw, &fault)) {
        if (!fault) {
            bag_add(b, raw);
            continue;
        }
        struct buf text;
        buf_init(&text, BUF_NO_LIMIT);
        buf_addf(&text, "!%s %llu %.*s", fault, (unsigned long long)page_whole(p, at, raw),
                 STR_FMT(raw));
        bag_add(b, buf_view(&text));
        buf_release(&text);
    }
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool bag_same(struct bag *a, struct bag *b)
{
    if (a->n)
        qsort(a->items, a->n, sizeof *a->items, by_bytes);
    if (b->n)
        qsort(b->items, b->n, sizeof *b->items, by_bytes);
    for (size_t i = 0; i < a->n || i < b->n; i++) {
        const char *x = i < a->n ? a->items[i] : "(nothing)";
        const char *y = i < b->n ? b->items[i] : "(nothing)";
        if (strcmp(x, y) != 0) {
            print_message("item %zu: %.*s | %.*s\n", i, SHOWN, x, SHOWN, y);
            return false;
        }
    }
    return true;
}

void drain_init(struct drain *d)
{
    *d = (struct drain){0};
}

void drain_release(struct drain *d)
{
    bag_release(&d->bag);
    free(d->marks);
    drain_init(d);
}

static struct drain_mark *mark_of(struct drain *d, uint32_t segment)
{
    for (size_t i = 0; i < d->nmarks; i++) {
        if (d->marks[i].segment == segment)
            return &d->marks[i];
    }
    if (d->nmarks == d->cap_marks) {
        d->cap_marks = d->cap_marks ? d->cap_marks * 2 : 64;
        d->marks = realloc(d->marks, d->cap_marks * sizeof *d->marks);
        assert_non_null(d->marks);
    }
    d->marks[d->nmarks] = (struct drain_mark){.segment = segment};
    return &d->marks[d->nmarks++];
}

static void commit(struct drain *d, struct drain_mark *mark, struct page *page)
{
    d->pages++;
    d->bytes_in += page->bytes_in;
    bag_add_page(&d->bag, page);
    assert_true(page->resume.len > 0);
    (void)snprintf(mark->resume, sizeof mark->resume, "%s", buf_cstr(&page->resume));
    mark->done = page->last;
}

static enum rc drain_segment(struct drain *d, struct reader *r, uint32_t segment, uint64_t stop,
                             struct err *err)
{
    struct drain_mark *mark = mark_of(d, segment);
    if (mark->done) {
        (r->ops->skip)(r, segment);
        return RC_OK;
    }
    enum rc rc = r->ops->start(r, segment, str_of(mark->resume), err);
    uint64_t sequence = 0;
    while (!rc && !mark->done) {
        struct page *page = NULL;
        if (d->pages >= stop)
            return RC_CANCEL;
        rc = r->ops->next(r, &page, err);
        if (rc == RC_AGAIN) {
            rc = RC_OK;
            continue;
        }
        if (rc)
            break;
        assert_int_equal(page->segment, segment);
        assert_int_equal(page->sequence, sequence++);
        commit(d, mark, page);
        r->ops->give_back(r, page);
    }
    return rc;
}

enum rc drain_run(struct drain *d, struct source *s, uint64_t max_pages, struct err *err)
{
    struct reader *r = s->ops->reader(s, err);
    uint64_t stop = max_pages > UINT64_MAX - d->pages ? UINT64_MAX : d->pages + max_pages;
    assert_non_null(r);
    enum rc rc = RC_OK;
    while (r && !rc) {
        uint32_t segment;
        rc = s->ops->take(s, r, &segment, err);
        if (rc == RC_AGAIN) {
            rc = RC_OK;
            continue;
        }
        if (!rc)
            rc = drain_segment(d, r, segment, stop, err);
    }
    if (r)
        r->ops->free(r);
    return rc == RC_END ? RC_OK : rc;
}
