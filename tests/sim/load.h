/* SPDX-License-Identifier: MIT */
/* Filling the table: from JSON lines, or with made-up customers and orders. */
#ifndef SIM_LOAD_H
#define SIM_LOAD_H

#include <stdint.h>

#include "tests/sim/table.h"

struct load_shape {
    uint64_t count;
    uint64_t item_bytes; /* 0 = customers and orders of about 550 bytes */
    uint64_t seed;
};

/* Lines are bare items or {"Item":{...}}. */
enum rc load_file(struct table *t, const char *path, struct err *err) MUST_CHECK;

/* The same shape always makes the same items. */
enum rc load_generated(struct table *t, const struct load_shape *shape,
                       struct err *err) MUST_CHECK;

/* Writes the items, one {"Item":{...}} per line, `count` of them, starting again at the end. */
enum rc load_dump(const struct table *t, const char *path, uint64_t count,
                  struct err *err) MUST_CHECK;

#endif
