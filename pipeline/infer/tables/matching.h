/* SPDX-License-Identifier: MIT */
/* What says the same twice: parts of keys, and the attributes that repeat them. */
#ifndef INFER_MATCHING_H
#define INFER_MATCHING_H

#include "pipeline/infer/design.h"

/* How two columns of one table compare, row by row. */
struct infer_match {
    uint32_t same, differ, only_a, only_b;
    uint32_t
        distinct; /* different values among those that are the same; at most 8 are counted */
    bool telling; /* some are so long that they are not equal by chance */
};

struct infer_match matching_compare(const struct infer_design *d, const uint32_t *a,
                                    const uint32_t *b, uint32_t n);

/* Equal, wherever both are there, and not by chance. */
bool matching_sure(const struct infer_match *m, bool named);

/* Merges parts of keys that are equal, and attributes that repeat a part, into one column. */
void matching_parts(struct infer_design *d, struct infer_entity *e);

/* Puts column `to` where column `from` stands in the templates of the entity. */
void matching_replace(struct infer_entity *e, uint32_t from, uint32_t to);

#endif
