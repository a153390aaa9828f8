/* SPDX-License-Identifier: MIT */
/*
 * Rows that repeat a key: a load with --duplicates first|last left one of them, and verify must
 * do the same to the rows it made itself.
 */
#ifndef CMD_COPIES_H
#define CMD_COPIES_H

#include "cmd/side.h"

/*
 * A side that gives the rows of `inner` but for those that lost: all but the first or last, by the
 * places noted in the folder `trail`, of the rows with one key, and the children that came with
 * them. Takes `inner`, also when it fails. Returns owned in *out.
 */
struct copies_options {
    const char *trail;
    const struct schema *schema;
    bool last;
};
enum rc side_copies(const struct copies_options *opts, struct side *inner, struct side **out,
                    struct err *err) MUST_CHECK;

#endif
