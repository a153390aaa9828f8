/* SPDX-License-Identifier: MIT */
/* A rejected item as jsonb, for people who look for what is wrong with it. */
#ifndef POSTGRES_LOAD_REJECT_JSON_H
#define POSTGRES_LOAD_REJECT_JSON_H

#include "pipeline/base/buf.h"

/* Appends the field of a COPY: the item, or NULL where the server would refuse it. */
void pg_reject_json_add(struct buf *b, struct str raw);

#endif
