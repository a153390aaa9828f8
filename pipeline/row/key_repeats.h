/* SPDX-License-Identifier: MIT */
/*
 * Rows of entities whose key another row has, too. Of keys only hashes are kept: all while they are
 * few, then those below a limit that sinks as more come. So memory is bounded, what is found is
 * real, and how many there are is told by the share that was looked at.
 */
#ifndef ROW_KEY_REPEATS_H
#define ROW_KEY_REPEATS_H

#include "pipeline/row/schema.h"

/* Keys that are looked at, of all tables together; and where rows are written, too, which is to cost
   little. */
enum { KEY_REPEATS_KEYS = 1 << 20, KEY_REPEATS_FEW = 1 << 16 };

struct key_repeats {
    const struct schema *schema;      /* borrowed */
    struct key_repeats_shard *shards; /* owned */
    size_t most;                      /* keys of one table in one shard */
};

/* `keys`: KEY_REPEATS_KEYS, or fewer. After a failure it may be released. */
enum rc key_repeats_init(struct key_repeats *k, const struct schema *schema, size_t keys,
                         struct err *err) MUST_CHECK;
void key_repeats_release(struct key_repeats *k);

/* thread: any. Candidates, and rows of other tables than entities', are passed over. RC_NOMEM or RC_OK. */
enum rc key_repeats_add(struct key_repeats *k, const struct row *row) MUST_CHECK;

/* Appends a sentence for people about the table; nothing where no key came twice. */
void key_repeats_line(const struct key_repeats *k, uint32_t table, bool example,
                      struct buf *out);

#endif
