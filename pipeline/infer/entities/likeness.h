/* SPDX-License-Identifier: MIT */
/* Which attributes a group of items has, and how alike two groups are. */
#ifndef INFER_LIKENESS_H
#define INFER_LIKENESS_H

#include "pipeline/infer/design.h"

/* How many items of a group have an attribute, by the numbers of names. */
struct infer_likeness {
    uint32_t *names, *counts;
    uint32_t n;
    uint32_t items;
};

/* Fills attrs of the design: the attributes of each item but the key's. */
void likeness_attributes(struct infer_design *d);

/* The profile of these items. */
struct infer_likeness likeness_of(struct infer_design *d, const uint32_t *items, uint32_t n);

/* The sum of two. */
struct infer_likeness likeness_sum(struct infer_design *d, const struct infer_likeness *a,
                                   const struct infer_likeness *b);

/* 0 (nothing in common) to 1 (the same attributes, as often). */
double likeness_alike(const struct infer_likeness *a, const struct infer_likeness *b);

/* A few items that have what all of the group have, and nothing that none of it has. */
bool likeness_fits(const struct infer_likeness *group, const struct infer_likeness *few);

/* Attributes that more than half of the items have. */
uint32_t likeness_usual(const struct infer_likeness *p);

#endif
