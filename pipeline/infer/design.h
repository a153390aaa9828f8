/* SPDX-License-Identifier: MIT */
/*
 * What is inferred, while it is being inferred: the items of the sample, the entities they fall
 * into, the tables with their columns. All of it lives in one arena. Memory that could not be had
 * sets `failed`, once, and every step returns at once then: who calls the steps tests it.
 */
#ifndef INFER_DESIGN_H
#define INFER_DESIGN_H

#include "pipeline/base/arena.h"
#include "pipeline/base/buf.h"
#include "pipeline/item/value.h"

enum { INFER_KEYS_MAX = 2, INFER_TOKENS_MAX = 12, INFER_SEPARATORS_MAX = 3 };

/* Texts by number, from 1 on: equal texts have equal numbers. 0 is no text. */
struct infer_texts {
    struct str *v;
    size_t n, cap;
    uint32_t *slots;
    size_t nslots; /* a power of two */
};

/* What a run of a key's text is. Of the first three a word may be a constant. */
enum infer_token_class {
    TOKEN_WORD,   /* letters */
    TOKEN_GLUED,  /* letters, then digits, and nothing else in the value */
    TOKEN_NUMBER, /* digits */
    TOKEN_DATE,
    TOKEN_TIME,
    TOKEN_UUID,
    TOKEN_ID,     /* anything else */
    TOKEN_REPEAT, /* what stood in the partition key already */
    TOKEN_OTHER   /* a key that is no string */
};

struct infer_token {
    struct str text;
    enum infer_token_class class;
};

struct infer_tokens {
    struct infer_token *v;
    uint32_t n;
    struct str separator; /* between them; empty if there is one token */
};

/* A literal of a template, or a part of it. */
struct infer_piece {
    struct str literal; /* p == NULL: a part */
    uint32_t column; /* of a part: which column of the table it gives; UINT32_MAX: none yet */
    bool optional;
    uint8_t pad;
    const char *type; /* NULL: text */
};

struct infer_template {
    struct str attribute;
    struct infer_piece *v;
    uint32_t n;
    struct str separator;
    bool whole; /* its one part is the whole value: no template is needed */
};

/* One shape of the key of an entity's items. */
struct infer_form {
    struct infer_template keys[INFER_KEYS_MAX];
    uint32_t *rows; /* of the entity's table */
    uint32_t n;
    struct str words[INFER_KEYS_MAX]; /* the literals, for names */
};

struct infer_column;
struct infer_table;

struct infer_reference {
    struct infer_table *to;
    uint32_t columns[4]; /* of this table, in the order of the other's key */
    uint32_t n;
    uint64_t orphans, rows;
    const char *why;
    bool doubtful;
    bool linked; /* both sides of a pair that is stored twice */
};

/* Values below one path of a table's rows. */
struct infer_seen {
    uint32_t row;
    const struct val *val;
};

struct infer_node {
    struct str name;
    struct infer_node *parent;
    struct infer_node **kids; /* members of maps, by first sight */
    size_t nkids, capkids;
    struct infer_seen *seen;
    size_t nseen, capseen;
    uint32_t kinds[VAL_BS + 1];
    uint32_t *slots; /* of the kids by name; NULL while there are few */
    size_t nslots;
};

enum infer_origin { INFER_ATTRIBUTE, INFER_PART, INFER_ORDINAL, INFER_KEY, INFER_PARENT };

/* What all values of a column have in common. */
struct infer_facts {
    uint32_t kinds[VAL_BS + 1];
    uint32_t filled;   /* neither missing nor NULL nor a text that stands for it */
    uint32_t integers; /* canonical */
    uint32_t padded;   /* digits with zeros in front */
    uint32_t decimals; /* numbers with a fraction */
    uint32_t dates, stamps, uuids, booleans, nulls, nul_bytes, naive;
    int64_t least, most; /* of the integers */
    bool big;            /* an integer beyond bigint */
    uint32_t shortest, longest;
    uint32_t null_text; /* the text that stands for NULL, by number; 0: none */
};

struct infer_column {
    struct str name;
    enum infer_origin origin;
    struct infer_node *node; /* of an attribute */
    struct str prefix;       /* of a part: the word before it */
    const struct infer_column
        *of;     /* of a part: the attribute it is cut out of; NULL: the key */
    uint32_t *v; /* by row: the number of its text, or 0 */
    uint32_t nv;
    uint32_t *set; /* the different ones, sorted */
    uint32_t nset;
    struct infer_facts facts;
    const char *type, *unit, *lossy;
    struct str null_if; /* empty: none */
    bool null_if_given;
    bool not_null;
    bool gone;    /* no column: another says the same, or a table of its own has it */
    bool as_copy; /* in an extract */
    bool prefer_part;
    bool renamed;       /* it is not called like its attribute */
    bool part;          /* of an attribute: a part of the key says the same */
    bool listed;        /* holds a list of plain values */
    bool wide;          /* repairs: the widest type was asked for */
    bool lossy_asked;   /* repairs: jsonb, and what it loses */
    const char *pinned; /* repairs: this type, whatever the facts say */
    bool nullable;      /* repairs: never NOT NULL */
    struct str note;
};

struct infer_extract {
    struct str into;
    uint32_t key;
    uint32_t columns[16];
    uint32_t n;
    uint64_t differ;
};

enum infer_child { CHILD_LIST, CHILD_MAP };

struct infer_table {
    struct str name;
    uint32_t nrows;
    struct infer_node *root; /* attributes */
    struct infer_column **columns;
    size_t ncolumns, capcolumns;
    uint32_t key[8];
    uint32_t nkey;
    uint32_t parts[8]; /* what the key attributes give, in order; the last is its own */
    uint32_t nparts;
    struct infer_reference *references;
    size_t nreferences, capreferences;
    struct infer_extract *extracts;
    size_t nextracts, capextracts;
    struct infer_table **children;
    size_t nchildren, capchildren;
    struct infer_template *templates; /* of further attributes */
    size_t ntemplates, captemplates;
    struct str *dropped; /* attributes that repeat others */
    size_t ndropped, capdropped;
    /* of a child table */
    struct infer_table *parent;
    struct infer_node *node; /* what is exploded */
    enum infer_child explode;
    uint32_t *parent_row; /* by row */
    struct infer_entity *entity;
    struct str word; /* what its type or its keys call it */
    bool minor;      /* its key is that of another thing, with a constant behind */
    bool symmetric;
    bool left_out; /* columns beyond what a table can have */
};

struct infer_entity {
    struct str name; /* in the model */
    struct str type; /* value of the type attribute; p == NULL: none */
    uint32_t *items; /* by row of its table: index into the items */
    uint32_t n;
    struct infer_form *forms;
    size_t nforms, capforms;
    struct infer_table *table;
    struct infer_entity *mirror; /* whose table it shares */
    bool mirrored;               /* another entity shares its table */
    struct str *must;            /* attributes that tell it from others of the same shape */
    size_t nmust;
    bool by_when;     /* a condition recognises it */
    bool single;      /* one item, with a constant key */
    uint32_t untyped; /* items without the type attribute */
};

struct infer_attrs {
    uint32_t *v; /* numbers of names, sorted */
    uint32_t n;
};

struct infer_design {
    struct arena arena;
    bool failed; /* out of memory */
    bool plain;  /* items are plain JSON, without type tags */
    struct infer_texts texts;
    struct item *items;
    uint32_t nitems;
    uint64_t read;             /* items in the source */
    struct infer_attrs *attrs; /* by item: its attributes that are no key */
    struct str key[INFER_KEYS_MAX];
    uint32_t nkey;
    bool key_known;
    struct str separators[INFER_SEPARATORS_MAX];
    uint32_t nseparators;
    struct infer_tokens *tokens[INFER_KEYS_MAX]; /* by item */
    struct str type;                             /* the type attribute; empty: none */
    struct infer_entity **entities;
    size_t nentities, capentities;
    struct str *indexing;
    size_t nindexing, capindexing;
    struct str
        *keylike; /* attributes that are put together like keys, whatever they are called */
    size_t nkeylike, capkeylike;
    uint32_t *words; /* constants of keys that a part follows, by number, sorted */
    uint32_t nwords;
    struct buf notes; /* of the whole, a line each */
};

/* Zeroed room in the arena, or NULL with `failed` set. */
void *infer_new(struct infer_design *d, size_t count, size_t size);

/* Makes room for one more behind the n of v; NULL with `failed` set. */
void *infer_push(struct infer_design *d, void *v, size_t n, size_t *cap, size_t size);

/* The number of a text; 0 with `failed` set. */
uint32_t infer_text(struct infer_design *d, struct str s);

/* The number of a text that is known, or 0. */
uint32_t infer_text_known(const struct infer_design *d, struct str s);

/* A text made by format, in the arena. */
struct str infer_printf(struct infer_design *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* snake(name) as columns are called. */
struct str infer_snake(struct infer_design *d, struct str name);

/* Order for qsort. */
int infer_compare_numbers(const void *a, const void *b);

#endif
