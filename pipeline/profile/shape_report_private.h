/* SPDX-License-Identifier: MIT */
/* What the files of a profile share. */
#ifndef PROFILE_SHAPE_REPORT_PRIVATE_H
#define PROFILE_SHAPE_REPORT_PRIVATE_H

#include "pipeline/base/memory.h"
#include "pipeline/profile/shape_report.h"

/* Adds a finding; copies all. RC_NOMEM or RC_OK. */
enum rc profile_find(struct profile *p, enum finding_kind kind, struct str place,
                     struct str name, const char *text) MUST_CHECK;

/* shape_compare.c: adds what is different from the last run. RC_NOMEM or RC_OK. */
enum rc profile_compare(struct profile *p, struct str last) MUST_CHECK;

#endif
