/* SPDX-License-Identifier: MIT */
/*
 * Time zones: UTC, a fixed offset, or the rules of the tz database as its compiled files hold
 * them (TZif, RFC 8536). A zone never changes once it is read, so any thread may ask it. Seconds
 * are counted from 1970, leap seconds not among them.
 */
#ifndef ITEM_TIME_TIME_ZONE_H
#define ITEM_TIME_TIME_ZONE_H

#include "pipeline/base/arena.h"
#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

struct time_zone;

/*
 * By a name of the tz database ("Europe/Berlin"), "UTC", or an offset (+02:00, -0330, +02); its
 * files lie in $TZDIR, else in /usr/share/zoneinfo. The zone lives in `a`. RC_USAGE: there is no
 * such zone, or its file cannot be read; RC_NOMEM.
 */
enum rc time_zone_open(struct arena *a, struct str name, const struct time_zone **out,
                       struct err *err) MUST_CHECK;

/* The same of the bytes of a TZif file. False: they are none, or need what is not understood. */
bool time_zone_read(struct arena *a, struct str file, const struct time_zone **out,
                    enum rc *rc);

/* How often a clock on the wall shows a time. */
enum time_zone_fit { TIME_ZONE_ONCE, TIME_ZONE_TWICE, TIME_ZONE_NEVER };

/*
 * The instants at which the clocks show `local`: the same twice, or the first and the last of
 * several. Where clocks skip it: what it would be by the offset after the change, and by the one
 * before, which is later.
 */
enum time_zone_fit time_zone_instants(const struct time_zone *z, int64_t local,
                                      int64_t *earlier, int64_t *later);

/* What clocks show at an instant. */
int64_t time_zone_local(const struct time_zone *z, int64_t utc);

#endif
