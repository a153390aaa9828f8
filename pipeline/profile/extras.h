/* SPDX-License-Identifier: MIT */
/*
 * The attributes that went to `extra`: for each place (an entity, or the elements of a child
 * table) their names, how often with which type, and one value as an example.
 *
 * Names come from data, so a place keeps at most EXTRAS_MAX of them: those whose hashes are the
 * smallest. A name that belongs to these of a whole run belongs to them in every part of it, so
 * that its count is exact however the run was split, resumed and merged; values of all other
 * names are counted together. The example is the one that stands first in the source.
 */
#ifndef PROFILE_EXTRAS_H
#define PROFILE_EXTRAS_H

#include "pipeline/base/buf.h"
#include "pipeline/profile/layout.h"

enum {
    EXTRAS_MAX = 200,
    EXTRAS_NAME = 255,   /* bytes of a name; longer ones are cut */
    EXTRAS_EXAMPLE = 120 /* bytes of an example */
};

/* Where a value stands: the segment, and its item's place in it. */
struct extra_place {
    uint32_t segment;
    uint64_t item;
};

struct extra {
    struct str name; /* owned */
    uint64_t hash;   /* of the name */
    uint64_t counts[PROFILE_KINDS];
    struct extra_place at; /* of the example */
    struct str example;    /* owned: DynamoDB JSON, maybe cut; empty: none */
    struct extra *guess;   /* what followed it last time */
};

struct extras_of {
    struct extra **v; /* owned, by hash and name */
    uint32_t n;
    uint64_t others;   /* values of names that found no place */
    uint32_t gave_way; /* how many names had one, and lost it */
    uint64_t limit;    /* names of larger hashes have no place: smaller ones have been seen */
    struct extra *guess;
};

struct extras {
    struct extras_of *places; /* entities first, then tables */
    uint32_t n;
    bool examples; /* they are kept */
    bool any;
    struct buf text;
};

/* The place of rows: of an entity, or of a child table. */
static inline uint32_t extras_place(const struct schema *s, uint32_t entity, uint32_t table)
{
    return s->tables[table].kind == TABLE_CHILD ? s->nentities + table : entity;
}

/* What people call it. */
struct str extras_place_name(const struct schema *s, uint32_t place);

enum rc extras_init(struct extras *e, const struct schema *s, bool examples) MUST_CHECK;
void extras_release(struct extras *e);

/* Empties, as if nothing had been seen. */
void extras_clear(struct extras *e);

/*
 * `from` is empty then, and `to`, which must be, has what it had; both of one schema. Names that
 * could not find a place any more are not taken again by `from`.
 */
void extras_move(struct extras *to, struct extras *from);

/* Counts what rows of an item hold in `extra`. RC_NOMEM or RC_OK. */
enum rc extras_count(struct extras *e, uint32_t place, const struct row *row,
                     struct extra_place at) MUST_CHECK;

/* Adds what another part of the run has of a name; borrows all. An empty name: of others. */
enum rc extras_add(struct extras *e, uint32_t place, const struct extra *from) MUST_CHECK;

/* Adds all of another. */
enum rc extras_merge(struct extras *e, const struct extras *from) MUST_CHECK;

#endif
