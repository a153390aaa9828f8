/* SPDX-License-Identifier: MIT */
/*
 * An answer is believed only if it is whole. The checksum covers what the network does; a body
 * that was damaged before it was summed shows by control bytes, which DynamoDB always escapes,
 * or by a Count that is not the number of its items. A body without its items is not an empty
 * page, which would end the segment, but some proxy's. Items are validated one by one later.
 */
#include <math.h>
#include <yyjson.h>

#include "pipeline/source/table/scan_private.h"

static bool any_control(struct str s)
{
    for (size_t at = 0; at < s.n; at++) {
        unsigned char c = (unsigned char)s.p[at];
        if (c < ' ' && c != '\n' && c != '\r' && c != '\t')
            return true;
    }
    return false;
}

static int64_t read_units(struct str json)
{
    yyjson_doc *doc = json.n ? yyjson_read(json.p, json.n, 0) : NULL;
    yyjson_val *v = yyjson_obj_get(yyjson_doc_get_root(doc), "CapacityUnits");
    double units = yyjson_is_num(v) ? yyjson_get_num(v) : -1;
    yyjson_doc_free(doc);
    return units >= 0 && units < 1e9 ? llround(units * (double)BUDGET_UNIT) : -1;
}

static uint64_t largest(const struct page *page)
{
    uint64_t most = 0;
    for (size_t i = 0; i < page->nextents; i++)
        most = page->extents[i].n > most ? page->extents[i].n : most;
    return most;
}

enum rc scan_answer_read(struct str body, struct page *page, struct scan_answer *out,
                         struct err *err)
{
    *out = (struct scan_answer){.units = -1};
    enum rc rc = scan_cut(body, page, &out->rest, err);
    if (rc)
        return rc;
    if (out->rest.low && any_control(body))
        return err_set(err, RC_TRANSIENT, "the answer to Scan holds bytes that JSON forbids");
    const struct scan_rest *rest = &out->rest;
    if (!rest->has_items || !rest->has_count || !rest->has_scanned) {
        return err_set(err, RC_TRANSIENT, "the answer to Scan has no %s",
                       !rest->has_items   ? "Items"
                       : !rest->has_count ? "Count"
                                          : "ScannedCount");
    }
    if (rest->count != rest->items || rest->scanned < rest->count) {
        return err_set(err, RC_TRANSIENT,
                       "the answer to Scan says %llu items of %llu, and holds %llu",
                       (unsigned long long)rest->count, (unsigned long long)rest->scanned,
                       (unsigned long long)rest->items);
    }
    out->units = read_units(rest->consumed);
    out->largest_item = largest(page);
    page->last = rest->last_key.n == 0;
    page->scanned_out = rest->scanned - rest->count;
    buf_add_str(&page->resume, rest->last_key);
    return buf_check(&page->resume, err);
}
