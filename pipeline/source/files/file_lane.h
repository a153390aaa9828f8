/* SPDX-License-Identifier: MIT */
/*
 * One segment being read: a slice of a plain file, or a whole stream. A reader has one lane, or
 * several where bytes have to be waited for.
 */
#ifndef SOURCE_FILES_FILE_LANE_H
#define SOURCE_FILES_FILE_LANE_H

#include "pipeline/source/files/file_reader.h"

enum file_lane_state { FILE_LANE_IDLE, FILE_LANE_SLICES, FILE_LANE_STREAM };

struct file_lane {
    struct files *files;         /* borrowed */
    const struct origin *origin; /* borrowed; what it opens by; NULL: the inputs' own */
    const struct input *of;      /* `in` is a copy of this, for that origin */
    struct input in;
    enum file_lane_state state;
    uint32_t segment;
    uint64_t sequence; /* of the page that comes next */
    struct slicer slicer;
    struct stream *stream; /* of a whole stream */
    uint64_t resume;       /* pages of it that end here or before were done */
};

void file_lane_init(struct file_lane *l, struct files *files, const struct origin *origin);
void file_lane_release(struct file_lane *l);

/* Begins a plain slice or a whole stream. */
enum rc file_lane_start(struct file_lane *l, uint32_t segment, struct str resume,
                        struct err *err) MUST_CHECK;

/* Opens a stream of slices for this reader alone; the lane stays idle. */
enum rc file_lane_open(struct file_lane *l, struct shared_stream *s, size_t cut,
                       struct err *err) MUST_CHECK;

/* Fills the (cleared) page; ends the segment with its last one. RC_AGAIN: nothing yet. */
enum rc file_lane_next(struct file_lane *l, struct page *page, struct err *err) MUST_CHECK;

void file_lane_end(struct file_lane *l);

#endif
