/* SPDX-License-Identifier: MIT */
/*
 * One Scan answer, whole in memory, cut into its items and the few members beside them. On the
 * hot path of a live scan: one pass over the bytes, nothing is copied.
 */
#ifndef SOURCE_TABLE_SCAN_CUT_H
#define SOURCE_TABLE_SCAN_CUT_H

#include "pipeline/source/page.h"

/* Views into the body, as JSON text; empty where the member is missing or null. */
struct scan_rest {
    struct str last_key; /* LastEvaluatedKey: any value, scan_keys judges it */
    struct str consumed; /* ConsumedCapacity: an object */
    uint64_t count, scanned;
    uint64_t items; /* how many there really are */
    bool low;       /* there may be a byte below the blank, JSON's own among them */
    bool has_items, has_count, has_scanned; /* the members are there */
};

/*
 * Appends one extent per item to the page, at offsets into body; page->raw is not touched, the
 * caller puts the body there. RC_TRANSIENT: not a whole Scan answer.
 */
enum rc scan_cut(struct str body, struct page *page, struct scan_rest *rest,
                 struct err *err) MUST_CHECK;

#endif
