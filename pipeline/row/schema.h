/* SPDX-License-Identifier: MIT */
/*
 * What a plan produces: tables with typed columns, keys and references; and the rows of a
 * batch. This is all a sink knows of the pipeline.
 */
#ifndef ROW_SCHEMA_H
#define ROW_SCHEMA_H

#include "pipeline/item/datum.h"

enum table_kind {
    TABLE_ENTITY = 0,
    TABLE_CHILD,   /* rows of an exploded list, set or map */
    TABLE_EXTRACT, /* made of duplicated attributes only */
    TABLE_CONFLICT /* copies that disagreed; filled by the sink's finish, never by rows */
};

struct column {
    struct str name;
    enum col_type type;
    bool not_null;    /* also set on every key column */
    bool key;         /* part of the primary key or of a reference */
    bool extra;       /* the column of what the model does not name: DynamoDB JSON */
    bool mixed;       /* text, or a list of texts, that other scalars become by a lossy rule */
    struct str label; /* `,"name":` ready to be written; empty: made each time */
    struct str from;  /* the attribute path or key part, for comments; may be empty */
};

struct reference {
    uint32_t *columns; /* indexes into this table's columns */
    uint32_t n;
    uint32_t to;          /* index of the table referred to */
    uint32_t *to_columns; /* its key, n columns */
};

struct table {
    struct str name;
    enum table_kind kind;
    uint32_t parent; /* TABLE_CHILD: index of the parent's table; else UINT32_MAX */
    struct column *columns;
    uint32_t *key; /* indexes of the primary key's columns; nkey 0: no key */
    uint32_t ncolumns, nkey;
    struct reference *references;
    struct str comment; /* which entity or attribute it comes from */
    uint32_t nreferences;
    bool bursts; /* so many columns that a row may not fit a page: see row_width.h */
};

/* How the winner among copies that disagree is chosen. */
enum extract_rule {
    EXTRACT_OWNER,    /* the item of the target table wins; copies only fill absent keys */
    EXTRACT_FIRST,    /* smallest source key */
    EXTRACT_LAST,     /* largest source key */
    EXTRACT_LATEST,   /* largest order value */
    EXTRACT_MAJORITY, /* the value seen most often */
    EXTRACT_MIRROR    /* symmetric links: the two directions of one pair, `order` "0" or "1" */
};

/*
 * An extract: candidate rows for table `into`, reduced by the sink's finish. For each key one
 * row is published: attribute by attribute the winner's value (a copy that lacks it or holds NULL
 * abstains); ties by source key, then value bytes. Losing values go to table `conflict`, whose
 * columns are: the key columns, attribute text, kept jsonb, lost jsonb, count bigint,
 * source_key text. With EXTRACT_OWNER the rows of `into` itself take part as owners, with no
 * vote of the copies: attributes the owner has stand, those it lacks stay missing.
 */
struct extract {
    uint32_t into;
    uint32_t conflict; /* the table of what lost */
    enum extract_rule rule;
    uint32_t *columns; /* the columns of `into` that candidates carry, key columns included */
    uint32_t ncolumns;
};

struct row {
    uint32_t table;             /* for candidates: the table they are for */
    uint32_t extract;           /* UINT32_MAX, or the extract this is a candidate of */
    struct datum *cells;        /* one per column of the table */
    struct str source_key;      /* canonical DynamoDB JSON of the item's key attributes */
    const struct member *extra; /* what its column `extra` holds; the page's */
    uint32_t nextra;
    struct datum
        order; /* candidates: text (byte order) or numeric by `order_type`; may be missing */
    enum col_type order_type;
};

enum reject_kind { REJECT_ITEM = 0, REJECT_UNROUTED };

struct reject {
    enum reject_kind kind;
    struct str raw; /* the item as it came */
    struct str
        entity; /* the entity it was routed to, or the Type value of an unrouted item; may be empty */
    const char *reason; /* static: counted by; "unrouted" for REJECT_UNROUTED */
    struct str detail;
    struct str column;  /* TABLE.COLUMN or the attribute that it is about; may be empty */
    struct str example; /* what may be shown of it where mask hides values; may be empty */
    uint64_t position;  /* byte offset: within the file (file sources) or the item */
};

/* All that some items of one page became. */
struct batch {
    uint32_t segment;
    const char *input; /* the file it was read from, for reports; NULL: there is none */
    struct row *rows;
    size_t nrows;
    struct reject *rejects;
    size_t nrejects;
};

/*
 * The tables of a compiled model. Counters are one array of numbers per segment, laid out
 * here: the fixed ones, then rows per table, then the notes, then those of the data's shape.
 */
enum { CNT_READ = 0, CNT_ROUTED, CNT_FILTERED, CNT_UNROUTED, CNT_REJECTED, CNT_FIXED };

/* A stage, and whose items it looks at. */
struct schema_stage {
    struct str place; /* the entity, or the child table's "Entity.attribute" */
    struct str name;  /* of the stage, and the attributes it names: "mask Email, Phone" */
};

struct schema {
    struct str name; /* the model's name: default schema of a database */
    struct table *tables;
    uint32_t ntables;
    struct extract *extracts;
    uint32_t nextracts;
    struct str
        *notes; /* e.g. "null folded: customer.name", "lossy float: x.y", "filtered: ttl" */
    uint32_t nnotes;
    struct str *entities; /* their names */
    bool *left_out;       /* of each: it makes no rows in this run; NULL: all do */
    uint32_t nentities;
    struct schema_stage *stages; /* those that name attributes */
    uint32_t nstages;
    uint32_t
        nprofile; /* counters of the shape of the data, behind the notes: profile/layout.h */
};

static inline bool schema_left_out(const struct schema *s, uint32_t entity)
{
    return s->left_out && s->left_out[entity];
}

static inline uint32_t schema_counters(const struct schema *s)
{
    return CNT_FIXED + s->ntables + s->nnotes + s->nprofile;
}

/* The row as one JSON object (no newline): members in column order, missing ones left out. */
void schema_row_json(struct buf *b, const struct table *t, const struct datum *cells);

#endif
