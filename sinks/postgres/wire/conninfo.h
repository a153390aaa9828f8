/* SPDX-License-Identifier: MIT */
/*
 * Whether a word is meant for libpq. A path may hold equals signs, too (year=2024/out): so the
 * keys must be libpq's own.
 */
#ifndef SINKS_POSTGRES_WIRE_CONNINFO_H
#define SINKS_POSTGRES_WIRE_CONNINFO_H

#include "pipeline/base/err.h"

enum pg_conninfo {
    PG_CONNINFO_NO,
    PG_CONNINFO_YES,
    PG_CONNINFO_MAYBE /* a path as well: user=5/out; or a list whose first key is mistyped */
};

/*
 * Looks at the text alone. A list that begins with a key of libpq's and goes on with something
 * else is PG_CONNINFO_YES, so that it is refused as a connection string where it is opened.
 */
enum rc pg_conninfo(const char *word, enum pg_conninfo *out, struct err *err) MUST_CHECK;

#endif
