/* SPDX-License-Identifier: MIT */
/* A reader of inputs whose bytes have to be waited for: several segments at a time, by one link. */
#ifndef SOURCE_FILES_LINKED_READER_H
#define SOURCE_FILES_LINKED_READER_H

#include "pipeline/source/files/file_reader.h"

/* thread: main. Returns owned, or NULL with err set. */
struct reader *linked_reader_new(struct files *files, struct err *err);

/* thread: any, with a reader of its own. See source_ops.take. */
enum rc linked_reader_take(struct files *files, struct reader *r, uint32_t *segment,
                           struct err *err) MUST_CHECK;

#endif
