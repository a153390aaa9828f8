/* SPDX-License-Identifier: MIT */
/*
 * Finds the end of a JSON object or array by counting brackets outside strings, 64 bytes at a
 * time. It validates nothing: what it skips is parsed later. Kinds of brackets are not told
 * apart.
 */
#ifndef FILES_FORMAT_SKIP_H
#define FILES_FORMAT_SKIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct skip {
    uint64_t depth;
    bool in_string, escaped;
    bool low; /* a byte below the blank was met, in the value or near behind it */
};

/*
 * Goes on from where the last call ended, beginning (with a zeroed struct) at the opening
 * bracket. Returns how many bytes belong to the value: n with *done false when it goes on
 * behind them.
 */
size_t skip_run(struct skip *s, const char *p, size_t n, bool *done);

#endif
