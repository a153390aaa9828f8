/* SPDX-License-Identifier: MIT */
/* Why an item could not be turned into rows: a reason to count by, a sentence to read. */
#ifndef ITEM_FAULT_H
#define ITEM_FAULT_H

#include <stddef.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

struct fault {
    const char *reason; /* static text such as "bad-number": what rejects are counted by */
    size_t position;    /* byte offset in the item's raw bytes, or 0 */
    char detail[256];   /* one line, UTF-8, cut if too long */
    /* Set by those who know it; borrowed from the plan or the item: */
    struct str table, column; /* what it is about; an attribute has no table */
    bool as_row; /* the detail quotes no more than the row would show: it comes behind mask */
};

/* Sets it and returns RC_DATA. */
enum rc fault_set(struct fault *f, const char *reason, size_t position, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

#endif
