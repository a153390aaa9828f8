/* SPDX-License-Identifier: MIT */
/*
 * "Did you mean": the edit distance with swapped neighbours, upper and lower case alike, on
 * names short enough for fixed rows.
 */
#include "pipeline/model/read/reader.h"

enum { LONGEST = 40 };

static char low(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

static unsigned distance(struct str a, struct str b)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (unsigned k = 0; k <= b.n; k++)
        last[k] = before[k] = k;
    for (size_t i = 1; i <= a.n; i++) {
        now[0] = (unsigned)i;
        for (size_t k = 1; k <= b.n; k++) {
            bool same = low(a.p[i - 1]) == low(b.p[k - 1]);
            now[k] = least(last[k] + 1, now[k - 1] + 1, last[k - 1] + !same);
            if (i > 1 && k > 1 && low(a.p[i - 1]) == low(b.p[k - 2]) &&
                low(a.p[i - 2]) == low(b.p[k - 1]) && before[k - 2] + 1 < now[k])
                now[k] = before[k - 2] + 1;
        }
        unsigned *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[b.n];
}

const char *name_nearest(struct str name, const char *const *candidates, size_t n)
{
    const char *best = NULL;
    unsigned best_at = (unsigned)(name.n < 3 ? 1 : name.n < 6 ? 2 : 3);
    if (name.n == 0 || name.n > LONGEST)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        struct str c = str_of(candidates[i]);
        unsigned d = c.n <= LONGEST ? distance(name, c) : LONGEST;
        if (d < best_at && d < c.n) {
            best = candidates[i];
            best_at = d;
        }
    }
    return best;
}
