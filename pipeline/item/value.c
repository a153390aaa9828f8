/* SPDX-License-Identifier: MIT */
/* Names of kinds, and looking a member up: items have few members, so a walk is enough. */
#include "pipeline/item/value.h"

const char *val_kind_name(enum val_kind kind)
{
    static const char *const NAMES[] = {
        [VAL_MISSING] = "missing", [VAL_S] = "S",       [VAL_N] = "N",  [VAL_B] = "B",
        [VAL_BOOL] = "BOOL",       [VAL_NULL] = "NULL", [VAL_M] = "M",  [VAL_L] = "L",
        [VAL_SS] = "SS",           [VAL_NS] = "NS",     [VAL_BS] = "BS"};
    return NAMES[kind];
}

const struct val *item_get(const struct item *item, struct str name)
{
    for (uint32_t i = 0; i < item->n; i++) {
        if (str_eq(item->members[i].name, name))
            return &item->members[i].val;
    }
    return NULL;
}
