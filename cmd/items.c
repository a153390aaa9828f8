/* SPDX-License-Identifier: MIT */
/* One reader, one segment after the other. */
#include "cmd/items.h"

enum { WAIT_MS = 1000 };

static enum rc walk_page(const struct page *page, items_each *each, void *ctx, struct err *err)
{
    size_t at = 0;
    struct str raw;
    const char *fault = NULL;
    enum rc rc = RC_OK;
    while (rc == RC_OK && page_next(page, &at, &raw, &fault))
        rc = each(ctx, raw, fault, err);
    return rc;
}

static enum rc walk_segment(struct reader *r, items_each *each, void *ctx, struct err *err)
{
    for (;;) {
        struct page *page = NULL;
        enum rc rc = r->ops->next(r, &page, err);
        if (rc == RC_END)
            return RC_OK;
        if (rc == RC_AGAIN) {
            rc = r->ops->wait(r, NULL, 0, WAIT_MS, err);
        } else if (rc == RC_OK) {
            bool last = page->last;
            rc = walk_page(page, each, ctx, err);
            r->ops->give_back(r, page);
            if (rc == RC_OK && last)
                return RC_OK;
        }
        if (rc != RC_OK)
            return rc;
    }
}

enum rc items_walk(struct source *source, items_each *each, void *ctx, struct err *err)
{
    struct reader *r = source->ops->reader(source, err);
    if (!r)
        return err->rc;
    enum rc rc = RC_OK;
    while (rc == RC_OK) {
        uint32_t segment = 0;
        rc = source->ops->take(source, r, &segment, err);
        if (rc == RC_AGAIN) {
            rc = r->ops->wait(r, NULL, 0, WAIT_MS, err);
        } else if (rc == RC_OK) {
            rc = r->ops->start(r, segment, (struct str){0}, err);
            if (rc == RC_OK)
                rc = walk_segment(r, each, ctx, err);
        }
    }
    r->ops->free(r);
    return rc == RC_END ? RC_OK : rc;
}
