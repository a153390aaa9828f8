/* SPDX-License-Identifier: MIT */
/*
 * UpdateItem and GetItem as texts: the request that makes a change under its condition, and what
 * an answer says. Every attribute name is aliased.
 */
#ifndef SINKS_DYNAMODB_WRITER_UPDATE_H
#define SINKS_DYNAMODB_WRITER_UPDATE_H

#include "sinks/dynamodb/recipe/recipe.h"

/* The key attributes of an item as a JSON object, numbers and bytes as they came. */
enum rc update_key(struct buf *out, const struct item *item, const struct names *key,
                   struct err *err) MUST_CHECK;

/* Appends the UpdateItem request: targets that differ are set or removed; the condition is that
 * the item exists and that all targets and reads have their old values. */
void update_write(struct buf *out, struct str table, struct str pk, struct str key,
                  const struct change *c);

/* The text of that condition alone. It is longest where every old value is missing. */
void update_condition(struct buf *out, const struct change *c);

/* Appends a consistent GetItem. */
void update_read(struct buf *out, struct str table, struct str key);

/* What an answer of UpdateItem or GetItem tells; capacity in millionths of a unit. */
struct update_answer {
    bool item;     /* there is one */
    int64_t table; /* -1: not said, as total */
    int64_t indexes, total;
};

/* The answer's Item, if it has one, goes to `item` as JSON text. RC_TRANSIENT: no answer. */
enum rc update_answer_read(struct buf *item, struct str json, struct update_answer *out,
                           struct err *err) MUST_CHECK;

#endif
