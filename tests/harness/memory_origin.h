/* SPDX-License-Identifier: MIT */
/*
 * Objects in memory as an origin of bytes, with faults: reads end anywhere, come late, fail, or
 * find another version. The origin is shared by all that it opens and takes what they change.
 */
#ifndef HARNESS_MEMORY_ORIGIN_H
#define HARNESS_MEMORY_ORIGIN_H

#include "pipeline/base/buf.h"
#include "pipeline/source/files/origin.h"

enum { MEMORY_OBJECTS = 4 };

struct memory_object {
    const char *name; /* borrowed; NULL: there is none */
    struct buf data;
};

/* What goes wrong with reads. */
struct memory_faults {
    size_t most;   /* bytes a read hands out; 0: all */
    uint64_t cut;  /* no read crosses this offset */
    uint64_t fail; /* a read from here on fails */
    uint64_t late; /* so many bytes arrive each time a read came too early; 0: all are there */
    bool changed;  /* the object was written again */
    uint64_t open; /* counts what was opened and not closed */
};

struct memory_origin {
    struct origin base;
    struct memory_object objects[MEMORY_OBJECTS];
    struct memory_faults faults;
    struct memory_faults *shared; /* = &faults: what is opened of a const origin counts there */
};

void memory_origin_init(struct memory_origin *m);

/* All that was opened must have been closed. */
void memory_origin_release(struct memory_origin *m);

#endif
