/* SPDX-License-Identifier: MIT */
/*
 * What tests of a backfill's state and journal share: a state folder, passes opened on it, and
 * entries written from and shown as short texts. Failures end the test.
 */
#ifndef HARNESS_JOURNALS_H
#define HARNESS_JOURNALS_H

#include "sinks/dynamodb/journal/history.h"

enum { JOURNALS_SEGMENTS = 4, JOURNALS_ROWS = 2 };

struct journals {
    char dir[256];
    struct state state;
    bool open;
    struct err err;
    struct buf shown;
    char path[FS_PATH];
};

/* For cmocka: *state becomes a struct journals whose folder does not exist yet. */
int journals_set_up(void **state);
int journals_tear_down(void **state);

/* Closes the state if it is open, and opens it for the table "T". */
enum rc journals_try(struct journals *t, enum pass_kind kind, const char *model, bool restart);

/* As above; must succeed. */
void journals_begin(struct journals *t, enum pass_kind kind);

/* The journal of that worker. */
struct journal *journals_open(struct journals *t, uint32_t worker);

void journals_flush(struct journal *j);

/* Flushes and closes. */
void journals_close(struct journal *j);

/* An intent on the item whose PK is `key`: A goes from `old` to `new_`, strings, NULL where it is
 * missing. Returns its number. */
uint64_t journals_intent(struct journal *j, uint32_t segment, const char *key, const char *old,
                         const char *new_);

/* A mark with so many changed of row 0. */
void journals_mark(struct journal *j, uint32_t segment, bool done, const char *resume,
                   uint64_t changed, const char *listed);

/*
 * What history_next gives from the place on (NULL: from the end of all), one a line: pass,
 * generation, worker and number, key, old, new, and ? if it is open:
 *
 *     1.2.0.7 a x->y?
 *
 * Valid until the next call; returns what ended it, RC_END if nothing is wrong.
 */
enum rc journals_history(struct journals *t, const char *place, const char **out);

/* The last pass: "SEGMENT RESUME" or "SEGMENT done" for those with a mark, "items N", intents as
 * above. Valid until the next call. */
enum rc journals_resume_point(struct journals *t, const char **out);

/* The above, which must be this. */
void journals_expect_history(struct journals *t, const char *want);
void journals_expect_resume_point(struct journals *t, const char *want);

/* The path of a log of the state. Valid until the next call. */
const char *journals_log(struct journals *t, uint32_t pass, uint32_t generation,
                         uint32_t worker);

#endif
