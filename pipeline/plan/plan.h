/* SPDX-License-Identifier: MIT */
/*
 * A compiled model: the tables it makes, and for every entity the shape its items are walked
 * with. Built once, then only read. thread: any.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "pipeline/plan/shape.h"

struct plan {
    struct arena arena;
    const struct model *model; /* borrowed: must outlive the plan */
    struct schema schema;
    struct shape **shapes; /* one per entity of the model */
    struct map types;      /* type value to the first entity without `when` that takes it */
    uint32_t *whens;       /* entities with `when`, in the model's order */
    uint32_t nwhens;
    struct str type;       /* the type attribute */
    struct str ttl;        /* empty: none */
    struct names key;      /* the source's key attributes; may be empty */
    struct names indexing; /* globs of attributes that serve DynamoDB alone */
    bool mask_used;        /* needs a key to mask with */
    bool masks;            /* some value is masked, by whatever method */
    uint32_t note_ttl;
};

struct plan_options {
    struct str ttl; /* overrides the model's where ttl_given; else used where it names none */
    bool ttl_given;
    struct names key;      /* used where the model names no key; borrowed */
    struct names indexing; /* used where the model does not say; borrowed */
};

/*
 * Compiles. Problems are added to those of the reader; RC_USAGE if there are any then.
 * Returns owned in *out: plan_free.
 */
enum rc plan_new(const struct model *m, const struct plan_options *opts, struct plan **out,
                 struct problems *problems, struct err *err) MUST_CHECK;
void plan_free(struct plan *p);

#endif
