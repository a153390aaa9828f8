/* SPDX-License-Identifier: MIT */
/*
 * A compiled model: the tables it makes, and for every entity the shape its items are walked
 * with. Built once, then only read. thread: any.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "pipeline/plan/shape.h"

/* Where items come from, as the command line has it. */
struct plan_part {
    struct str name, stem; /* either may be what the model calls it */
    struct names key;      /* that it knows of; may be empty */
};

/* A part of the run: which entities are looked for in it, and its key. */
struct plan_source {
    struct str name, stem;
    struct names key;
};

struct plan {
    struct arena arena;
    const struct model *model; /* borrowed: must outlive the plan */
    struct schema schema;
    struct shape **shapes; /* one per entity of the model; NULL: it is left out */
    struct map types;      /* type value to the first entity without `when` that takes it */
    uint32_t *whens;       /* entities with `when`, in the model's order */
    uint32_t nwhens;
    struct str type;             /* the type attribute */
    struct str ttl;              /* empty: none */
    struct names key;            /* the key attributes of all sources; may be empty */
    struct plan_source *sources; /* one per part of the run; none: there is one kind of items */
    uint32_t nsources;
    bool placed;           /* some entity names its source */
    struct names indexing; /* globs of attributes that serve DynamoDB alone */
    bool mask_used;        /* needs a key to mask with */
    bool masks;            /* some value is masked, by whatever method */
    uint32_t note_ttl;
    uint32_t note_left_out; /* items of entities that have no shape */
};

struct plan_options {
    struct str ttl; /* overrides the model's where ttl_given; else used where it names none */
    bool ttl_given;
    struct names key;              /* used where the model names no key; borrowed */
    struct names indexing;         /* used where the model does not say; borrowed */
    const struct plan_part *parts; /* what the source is made of; borrowed */
    size_t nparts;
    const bool *take; /* by entity: those that make rows; NULL: all do. Borrowed */
    /* Given: what is certain to fail later is a problem, too, as names of tables and columns for
       which this is true. */
    bool (*reserved)(struct str name, bool table);
};

/*
 * Compiles. Problems are added to those of the reader; RC_USAGE if there are any then.
 * Returns owned in *out: plan_free.
 */
enum rc plan_new(const struct model *m, const struct plan_options *opts, struct plan **out,
                 struct problems *problems, struct err *err) MUST_CHECK;
void plan_free(struct plan *p);

/* Notes entities that make rows of items which no part of the run has. */
void plan_check_sources(const struct plan *p, struct problems *problems);

/* Which source of the plan a page's part is; SOURCE_ANY: unknown, so entities of all may take items. */
#define SOURCE_ANY UINT32_MAX
uint32_t plan_source_of(const struct plan *p, struct str name, struct str stem);

/* The key of a source: that of the plan, unless it has its own. */
const struct names *plan_key_of(const struct plan *p, uint32_t source);

/* Where an item of unknown source is from, once its entity is known. */
uint32_t plan_place(const struct plan *p, const struct entity *e, uint32_t source);

/* Does the entity take items from that source? */
bool plan_takes_from(const struct plan *p, const struct entity *e, uint32_t source);

/*
 * Compiles for some of the entities alone: items of the others are filtered, tables that only they
 * fill are not there. RC_USAGE, too, if there is no such entity, or a table is filled by both.
 */
enum rc plan_only(const struct model *m, const struct plan_options *opts,
                  const struct names *only, struct plan **out, struct problems *problems,
                  struct err *err) MUST_CHECK;

#endif
