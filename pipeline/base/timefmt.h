/* SPDX-License-Identifier: MIT */
/*
 * The date formats that AWS speaks: the basic form of signatures, RFC 3339 of credential
 * documents, and the HTTP Date header. All of them are UTC; none depends on the locale.
 */
#ifndef BASE_TIMEFMT_H
#define BASE_TIMEFMT_H

#include <stdint.h>

#include "pipeline/base/str.h"

#define TIMEFMT_AMZ_SIZE 17 /* "20260102T030405Z" and NUL */

/* Microseconds since 1970 as YYYYMMDDTHHMMSSZ. */
void timefmt_amz(int64_t us, char out[TIMEFMT_AMZ_SIZE]);

/* Reads "2026-01-02T03:04:05[.fff][Z|UTC|+hh:mm]" (a space may stand for T). */
bool timefmt_read_iso(struct str s, int64_t *us);

/* Reads "Thu, 01 Jan 2026 00:00:01 GMT". */
bool timefmt_read_http(struct str s, int64_t *us);

#endif
