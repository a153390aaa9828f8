/* SPDX-License-Identifier: MIT */
/*
 * Cuts JSON documents into items as their bytes come by, in constant memory: arrays of items,
 * items one after the other, Scan, Query and BatchGetItem answers, NoSQL Workbench models. What
 * lies around the items must be JSON, or the cutter stops there; items are only delimited.
 */
#ifndef FILES_FORMAT_CUTTER_H
#define FILES_FORMAT_CUTTER_H

#include "pipeline/base/buf.h"
#include "pipeline/source/files/format/format.h"
#include "pipeline/source/files/format/skip.h"

enum cut {
    CUT_MORE,  /* all bytes are taken */
    CUT_BEGIN, /* the next byte is the first of an item */
    CUT_END,   /* the last byte taken was the last of an item */
    CUT_BAD    /* the next byte cannot be: nothing behind it can be trusted */
};

enum { CUTTER_FRAMES = 6, CUTTER_NESTING = 512, CUTTER_NAME = 20 };

struct cutter {
    enum format format;
    unsigned char frames[CUTTER_FRAMES]; /* the containers we are in, outermost first */
    unsigned nframes;
    unsigned char expect, mode;
    struct skip skip;
    /* of a value that holds no items: which of the open brackets are objects */
    uint64_t objects[CUTTER_NESTING / 64];
    unsigned nested;
    bool escaped;
    unsigned table,
        only;          /* Workbench: which table of the list it is; the one to read, 0: all */
    struct buf *names; /* [table,"name"] is appended here; NULL: nobody asks */
    bool capture;      /* a name is under way */
    char name[CUTTER_NAME]; /* of the member at hand, cut */
    unsigned name_n;
};

/* format is FORMAT_SEQUENCE, FORMAT_ARRAY or FORMAT_DOCUMENT. */
void cutter_init(struct cutter *c, enum format format);

/* Returns how many of the n bytes were taken, and what was reached then. */
size_t cutter_feed(struct cutter *c, const char *p, size_t n, enum cut *what);

/* At the end of the input: false if it ends inside a value. */
bool cutter_complete(const struct cutter *c);

#endif
