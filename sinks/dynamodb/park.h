/* SPDX-License-Identifier: MIT */
/* Jobs that wait for a time, the earliest first; a heap with room for all that can be under way. */
#ifndef DYNAMODB_PARK_H
#define DYNAMODB_PARK_H

#include "sinks/dynamodb/writer.h"

struct park {
    struct write_job **v; /* owned */
    size_t n, cap;
};

enum rc park_init(struct park *p, size_t cap, struct err *err) MUST_CHECK;
void park_release(struct park *p);

/* Until job->due_us. There is room. */
void park_add(struct park *p, struct write_job *job);

/* The one to be looked at first; NULL: none. */
struct write_job *park_first(const struct park *p);
struct write_job *park_take(struct park *p);

#endif
