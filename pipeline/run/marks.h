/* SPDX-License-Identifier: MIT */
/* How far each started segment got since the last commit: what a commit will carry. */
#ifndef RUN_MARKS_H
#define RUN_MARKS_H

#include "pipeline/base/buf.h"
#include "pipeline/run/sink.h"

struct seg_mark {
    uint32_t segment, epoch;
    bool touched, done;
    uint64_t sequence; /* of the next page */
    struct buf resume;
    uint64_t *counters;
};

struct marks {
    struct seg_mark *v;
    size_t n, cap;
    struct mark *out; /* for commits; room for cap */
    uint32_t ncounters;
};

void marks_init(struct marks *m, uint32_t ncounters);
void marks_release(struct marks *m);

enum rc marks_add(struct marks *m, uint32_t segment, uint32_t epoch) MUST_CHECK;
struct seg_mark *marks_find(struct marks *m, uint32_t segment);

/* The marks of all touched segments, borrowed until marks_committed. */
size_t marks_view(struct marks *m, const struct mark **out);

/* Counters start again at zero; segments that are done are forgotten. Returns how many. */
uint32_t marks_committed(struct marks *m);

#endif
