/* SPDX-License-Identifier: MIT */
/*
 * Checks keys of a live table's rows that differed a second time: the items they came from are
 * read again by their keys and go through the model, and the rows they make now are compared with
 * those of the sink. A row that is equal now differed only because its item was being written.
 */
#ifndef COMPARE_RECHECK_H
#define COMPARE_RECHECK_H

#include "pipeline/compare/reexport.h"
#include "pipeline/compare/tally.h"

struct recheck;

enum recheck_fate {
    RECHECK_UNREAD,  /* no item is known to have made it, or too many are: it still differs */
    RECHECK_DIFFERS, /* its items make the same row as before, and the sink has another one */
    RECHECK_CHANGED, /* its items make another row now, and the sink has that one neither */
    RECHECK_EQUAL    /* its items make the row that the sink has */
};

struct recheck_key {
    uint32_t table;
    struct str key; /* valid until the recheck is freed */
    enum tally_finding what;
    enum recheck_fate fate;
};

/* Borrows the schema. Returns owned, or NULL when out of memory. */
struct recheck *recheck_new(const struct schema *schema);
void recheck_free(struct recheck *r);

/* Keeps a key to be checked. False if there are too many: then the key counts as different. */
bool recheck_keep(struct recheck *r, uint32_t table, const struct tally_found *found);
size_t recheck_count(const struct recheck *r);

/*
 * Reads the items again and decides on every key. `first` is the export that differed, with the
 * origins of its rows; its store takes the items and the rows they make. RC_AUTH, RC_USAGE,
 * RC_SOURCE: the items cannot be read one by one; then all keys are RECHECK_UNREAD.
 */
enum rc recheck_run(struct recheck *r, const struct reexport *first,
                    struct err *err) MUST_CHECK;

/* The keys are sorted by table and key. Returns a view. */
const struct recheck_key *recheck_get(const struct recheck *r, size_t i);

#endif
