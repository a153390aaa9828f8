/* SPDX-License-Identifier: MIT */
/*
 * A source made of sources: live tables, and the files behind them. Their segments are numbered one source
 * after the other; all tables have as many, so that the ledger's number of them all says how many each
 * has. A page says which part it is from.
 */
#ifndef SOURCE_SEVERAL_SEVERAL_H
#define SOURCE_SEVERAL_SEVERAL_H

#include "pipeline/source/source.h"

/*
 * Tables come first, files last. Takes the sources, also when it fails. Returns owned in *out. RC_USAGE: two
 * of them cannot be told apart, or say different things of what holds for all.
 */
enum rc several_new(struct source **v, size_t n, struct source **out,
                    struct err *err) MUST_CHECK;

/* How many it is made of; 0: it is no such source. */
size_t several_count(const struct source *s);
struct source *several_get(struct source *s, size_t i);

/* thread: main, before the run. What its sources are has changed: so has the whole. */
enum rc several_identify(struct source *base, struct err *err) MUST_CHECK;

#endif
