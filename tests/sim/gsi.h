/* SPDX-License-Identifier: MIT */
/*
 * What global secondary indexes, as described by `--describe`, mean for writes: their units
 * and the types of their keys.
 */
#ifndef SIM_GSI_H
#define SIM_GSI_H

#include <yyjson.h>

#include "tests/sim/reply.h"
#include "tests/sim/table.h"

/* Index write units of a change; appends `"NAME":{"CapacityUnits":n}` members to `out`.
   Either item may be NULL, and so may `describe`. */
double gsi_units(yyjson_doc *describe, const struct table *t, yyjson_val *before,
                 yyjson_val *after, struct buf *out);

/* An index that a change writes to. */
struct gsi_touch {
    struct str name;
    uint64_t partition; /* hash of the value of its partition key */
    double units;
};

/* At most `cap` of them; returns their number. */
size_t gsi_touched(yyjson_doc *describe, const struct table *t, yyjson_val *before,
                   yyjson_val *after, struct gsi_touch *out, size_t cap);

/* False, with the error in `r`, if an index key attribute of the item has the wrong type, is
   empty or too long. */
bool gsi_check(yyjson_doc *describe, yyjson_val *item, struct reply *r);

/* The description of an index (global or local) by name, or NULL. */
yyjson_val *gsi_find(yyjson_doc *describe, struct str name);

bool gsi_is_global(yyjson_doc *describe, yyjson_val *index);

/* Is the attribute part of the index's entries? */
bool gsi_holds(yyjson_val *index, const struct table *t, struct str name);

/* Copies what the index has of the item (its keys, the table's keys, included attributes);
   false if it has everything and nothing was copied. */
bool gsi_project(yyjson_val *index, const struct table *t, yyjson_val *item,
                 yyjson_mut_doc *doc, yyjson_mut_val *target);

/* Appends `,"NAME":VALUE` for the index keys that are not keys of the table. */
void gsi_add_keys(yyjson_val *index, const struct table *t, yyjson_val *item, struct buf *out);

/* True if the item has all key attributes of the index. */
bool gsi_has_keys(yyjson_val *index, yyjson_val *item);

#endif
