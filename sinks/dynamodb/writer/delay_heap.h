/* SPDX-License-Identifier: MIT */
/* Jobs that wait for a time, the earliest first; a heap with room for all that can be under way. */
#ifndef SINKS_DYNAMODB_WRITER_DELAY_HEAP_H
#define SINKS_DYNAMODB_WRITER_DELAY_HEAP_H

#include "sinks/dynamodb/writer/writer.h"

struct delay_heap {
    struct write_job **v; /* owned */
    size_t n, cap;
};

enum rc delay_heap_init(struct delay_heap *p, size_t cap, struct err *err) MUST_CHECK;
void delay_heap_release(struct delay_heap *p);

/* Until job->due_us. There is room. */
void delay_heap_add(struct delay_heap *p, struct write_job *job);

/* The one to be looked at first; NULL: none. */
struct write_job *delay_heap_first(const struct delay_heap *p);
struct write_job *delay_heap_take(struct delay_heap *p);

#endif
