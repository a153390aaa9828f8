/* SPDX-License-Identifier: MIT */
/* Lines of listed.jsonl: items that failed or were changed by others, and why. */
#ifndef SINKS_DYNAMODB_JOURNAL_LISTED_H
#define SINKS_DYNAMODB_JOURNAL_LISTED_H

#include "sinks/dynamodb/recipe/recipe.h"

/* Adds a line. The item is named by its key, a JSON object; by its bytes where it has none. */
void listed_add(struct buf *b, enum fate fate, const struct fault *why, struct str key,
                struct str raw);

#endif
