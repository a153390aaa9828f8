/* SPDX-License-Identifier: MIT */
/* Which logs a pass has, and reading them entry by entry. Private to the history. */
#ifndef SINKS_DYNAMODB_JOURNAL_LOGS_H
#define SINKS_DYNAMODB_JOURNAL_LOGS_H

#include "sinks/dynamodb/journal/entry.h"
#include "sinks/dynamodb/journal/state.h"

struct log_name {
    uint32_t pass, generation, worker;
};

struct logs {
    struct log_name *v; /* by pass, generation, worker */
    size_t n;
};

/* Those of a pass; 0: of all passes. None is fine. */
enum rc logs_find(struct logs *out, const struct state *s, uint32_t pass,
                  struct err *err) MUST_CHECK;
void logs_release(struct logs *l);

/*
 * Calls `each` for the entries of one log in order, and sets *end (may be NULL) to where its
 * good records end. The entry is valid during the call. RC_SINK: damaged.
 */
enum rc logs_read(const struct state *s, struct log_name name,
                  enum rc (*each)(void *ctx, struct log_name name, const struct entry *e,
                                  struct err *err),
                  void *ctx, uint64_t *end, struct err *err) MUST_CHECK;

#endif
