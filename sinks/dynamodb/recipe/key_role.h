/* SPDX-License-Identifier: MIT */
/* What an attribute is to the indexes: by DescribeTable, else by its name. */
#ifndef SINKS_DYNAMODB_RECIPE_KEY_ROLE_H
#define SINKS_DYNAMODB_RECIPE_KEY_ROLE_H

#include "pipeline/aws/dynamodb/describe.h"
#include "pipeline/plan/plan.h"

enum key_role {
    KEY_NONE,
    KEY_HASH,       /* of an index of the table */
    KEY_RANGE,      /* of an index, and partition key of none */
    KEY_HASH_NAMED, /* no index has it, but it is called like one */
    KEY_RANGE_NAMED
};

/* The role, and an index that gives it (NULL: none). `table` may be NULL. */
enum key_role key_role(const struct plan *plan, const struct dynamodb_table *table,
                       struct str attribute, const struct dynamodb_index **index);

#endif
