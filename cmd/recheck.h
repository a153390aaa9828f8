/* SPDX-License-Identifier: MIT */
/*
 * Keys of a live table's rows that differed, looked at once more: the items they came from are
 * read again by their keys and taken through the model, and what they make now is compared
 * with what the sink holds. What is equal now was only caught in the middle of a write.
 */
#ifndef CMD_RECHECK_H
#define CMD_RECHECK_H

#include "cmd/fresh.h"
#include "pipeline/run/tally.h"

struct recheck;

enum recheck_fate {
    RECHECK_UNREAD,  /* no item is known to have made it, or too many: it differs */
    RECHECK_DIFFERS, /* read again, the same difference */
    RECHECK_CHANGED, /* read again, and neither what it was nor what the sink holds */
    RECHECK_EQUAL    /* read again, and equal */
};

struct recheck_key {
    uint32_t table;
    struct str key; /* valid while the recheck is */
    enum tally_finding what;
    enum recheck_fate fate;
};

/* Borrows the schema. Returns owned, or NULL when out of memory. */
struct recheck *recheck_new(const struct schema *schema);
void recheck_free(struct recheck *r);

/* Keeps a key; false if there are too many by now: then it simply differs. */
bool recheck_keep(struct recheck *r, uint32_t table, const struct tally_found *found);
size_t recheck_count(const struct recheck *r);

/*
 * Reads the items again and decides on every key. `first` is the export that differed, with
 * its trail; `folder` takes the items and the rows they make. RC_AUTH, RC_USAGE, RC_SOURCE:
 * the items cannot be read one by one; then all keys are RECHECK_UNREAD.
 */
enum rc recheck_run(struct recheck *r, const struct fresh *first, const char *folder,
                    struct err *err) MUST_CHECK;

/* Sorted by table and key. */
const struct recheck_key *recheck_get(const struct recheck *r, size_t i);

#endif
