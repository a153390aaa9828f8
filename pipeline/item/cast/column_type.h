/* SPDX-License-Identifier: MIT */
/*
 * A column type is one row of a table: all that the pipeline knows of it. What PostgreSQL's binary
 * format needs is the row of the same index in sinks/postgres/wire/type_table.c. Everybody asks
 * the rows; the few places that name a type are short cuts for the cells that most rows are made
 * of, and take any type that they do not know the way of its row.
 */
#ifndef ITEM_CAST_COLUMN_TYPE_H
#define ITEM_CAST_COLUMN_TYPE_H

#include "pipeline/item/datum.h"

struct casting; /* cast_private.h */

enum column_trait {
    COLUMN_PART = 1,      /* a part of a key template can be of it: `spells` is set */
    COLUMN_NUMBER = 2,    /* such a part is an N, as if it had been an attribute */
    COLUMN_WIDTH = 4,     /* such a part can be padded to a width */
    COLUMN_UNIT = 8,      /* a column of it takes a time unit */
    COLUMN_SEARCHED = 16, /* `covers` searches all of a cell's text: others are asked first */
    COLUMN_TIME = 32,     /* a column of it takes formats */
    COLUMN_ZONE = 64      /* and a zone */
};

/* What an array is made of: the type of its cells, the set that it is cast from beside lists. */
struct column_array {
    enum col_type element;
    enum val_kind set; /* VAL_MISSING: the type is no array */
};

enum { COLUMN_ALIASES = 5 };

struct column_type {
    const char *name;                    /* as the model and PostgreSQL write it */
    const char *aliases[COLUMN_ALIASES]; /* as other systems call it, to suggest the name */
    const char *logical;                 /* as a data contract calls it; NULL: "string" */
    unsigned traits;                     /* of enum column_trait */
    unsigned kinds; /* what the cast takes without LOSSY_TEXT: 1 << VAL_S ... */
    struct column_array array;
    int64_t least, most; /* the range of an integer */

    /* Of a VAL that is neither NULL nor missing. */
    enum rc (*cast)(struct casting *c);
    /* The cell, which has a value, as it stands in JSON lines. */
    void (*json)(struct buf *b, enum col_type type, const struct datum *d);
    /* The order of two values. */
    int (*cmp)(enum col_type type, const struct datum *a, const struct datum *b);
    /* Is the text the one spelling of a value? pad: its least width. */
    bool (*spells)(enum col_type type, uint32_t pad, struct str text);
    /* How many bytes of the text the cell says from its beginning on; NULL: nobody looks. */
    size_t (*covers)(enum col_type type, const struct datum *d, struct str text);

    /* What PostgreSQL keeps of it in a row: bytes and alignment, or bytes 0 and how many a value
       takes, with a header of one byte, if it is not moved out. */
    size_t bytes, align;
    size_t (*stored)(const struct datum *d);
};

extern const struct column_type column_types[COL_TYPES];

static inline const char *column_type_name(enum col_type type)
{
    return column_types[type].name;
}

static inline bool column_type_has(enum col_type type, enum column_trait trait)
{
    return column_types[type].traits & trait;
}

/* Of a type with COLUMN_PART. Any text spells a text, as most parts are. */
static inline bool column_type_spells(enum col_type type, uint32_t pad, struct str text)
{
    return type == COL_TEXT || column_types[type].spells(type, pad, text);
}

bool column_type_parse(struct str name, enum col_type *out);

/* The name of the type that other systems call so; NULL: nobody does. */
const char *column_type_suggest(struct str alias);

/* Appends the names of the types, arrays not among them, that have all the traits. `last`: ", " or " and ". */
void column_type_list(struct buf *b, unsigned traits, const char *last);

#endif
