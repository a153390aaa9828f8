/* SPDX-License-Identifier: MIT */
/*
 * What an entity (or the element of an exploded list) compiles to. An item is walked once: a
 * known path puts its value into a slot, an unknown one goes to the rest; then the few stages
 * that must look at values run over the slots; then cells are cast from slots.
 */
#ifndef PLAN_SHAPE_H
#define PLAN_SHAPE_H

#include "pipeline/base/map.h"
#include "pipeline/model/model.h"

#define SLOT_NONE UINT32_MAX
#define NOTE_NONE UINT32_MAX

struct explanations;

enum { FLATTEN_ALL = 64 }; /* deeper than any item; the plan cuts it to what columns ask */

/* A name the model mentions, below the item's root or below another name. */
struct name_node {
    struct str name;
    uint32_t slot; /* SLOT_NONE: nobody wants the value whole */
    bool consumed; /* a column, child table or extract takes it: it is not part of the rest */
    bool exploded; /* consumed, but stays in the rest when NULL or empty */
    bool by_parts; /* consumed by its key parts: a NULL, which has none, stays in the rest */
    bool by_template;  /* while compiling: consumed by its key parts, not by a column */
    bool dropped;      /* a stage drops it */
    bool gone;         /* while compiling: no longer seen under its own name */
    bool masked;       /* while compiling: a stage hides its value */
    uint32_t flatten;  /* levels below it whose members are matched with columns; 0: none */
    struct path shown; /* flatten: the name its members are seen below */
    const struct explanations *explained; /* NULL, or by_parts in some items only: see there */
    struct name_node *kids, *next;
};

/*
 * How an attribute may be explained in an item: a template matched it that is not tried in all
 * items, or some of its parts are taken by extracts alone, which may make no copy.
 */
struct explanation {
    uint32_t
        matched; /* a slot that is set when the template matches; SLOT_NONE: it always does */
    uint32_t *extracted; /* slots of the parts that extracts must have taken */
    uint32_t n;
};

struct explanations {
    struct explanation *v; /* one of them must hold, else the attribute stays in the rest */
    uint32_t n;
};

/* Where a value comes from: the attributes first, then the key parts. */
struct sources {
    uint32_t *slots;
    uint32_t n;
    uint32_t nattributes; /* slots[0..nattributes) are attributes, the others parts */
};

/* One cell: its sources, its cast, what is counted. */
struct fill {
    uint32_t column;
    struct sources from;
    struct cast cast;
    bool not_null;
    enum prefer_rule prefer;
    bool any, first; /* of several attributes the one with a value; with several, the first */
    uint32_t note_null, note_lossy, note_prefer; /* NOTE_NONE, or which note to count */
    const struct names *null_if;                 /* texts that become NULL; NULL: none */
    bool null_if_parts;                          /* of key parts, too */
    uint32_t note_null_if;
};

/* What a text in a slot holds: it is read before anything looks at the value. */
struct parse_rule {
    enum decoder_parse form;
    bool keep; /* a text that does not parse stays one, and is counted */
    uint32_t note;
    const struct names *null_if; /* texts that a column takes for NULL; NULL: none */
    struct str name;             /* what notes and problems call it */
};

struct fills {
    struct fill *v;
    uint32_t n;
};

/* A key template and the slots of its parts. */
struct key_match {
    uint32_t slot; /* of the attribute */
    struct str attribute;
    const struct template *tpl;
    uint32_t *parts;
    uint32_t matched; /* a slot to set when it matches, or SLOT_NONE */
};

struct frame;

/* What became of an item. Each is counted as exactly one of these. */
enum item_fate {
    ITEM_ROUTED = 0, /* it became rows */
    ITEM_FILTERED,   /* a filter or its TTL leaves it out */
    ITEM_UNROUTED,   /* no entity takes it */
    ITEM_REJECTED    /* it cannot become rows; a fault says why */
};

/* A step that looks at values: it changes them (`apply`) or tests them (`keeps`), or both in
   this order. Either may be NULL. */
struct op {
    const char *name; /* of its stage, for explain; "keys" for those of an entity */
    /* RC_OK; RC_DATA: f->why says why; RC_NOMEM. */
    enum rc (*apply)(const struct op *op, struct frame *f);
    /* False: the item (or the exploded element) is filtered. */
    bool (*keeps)(const struct op *op, const struct frame *f);
    const void *data;              /* the stage's own */
    uint32_t note;                 /* counted when it filters */
    const struct stage_spec *spec; /* where it stands in the model; NULL: an entity's keys */
};

enum explode_mode { EXPLODE_LIST, EXPLODE_SET, EXPLODE_MAP };

struct shape;

struct explode {
    struct sources from;
    struct str name; /* of the attribute, for messages */
    enum explode_mode mode;
    struct str key,
        value;  /* what the element has of a map's key, and of a value that is no map */
    bool pairs; /* of lists: columns take `key` of each element */
    struct shape *shape;
};

struct import {
    uint32_t from, to; /* slot of the parent, slot of the element */
};

/* A stage and where its attributes are, so that it can be told if it never meets any. */
struct watch {
    const struct stage_spec *stage;
    uint32_t id; /* which stage of the schema it is */
    uint32_t *slots;
    uint32_t n;
    size_t cap;
};

/* A flattened attribute and the slots of its members that columns take: where it is NULL, so are
   they. */
struct null_members {
    uint32_t slot;
    uint32_t *members;
    uint32_t n;
};

struct shape {
    struct str label; /* the entity, or the child table */
    uint32_t table;
    struct name_node *names;
    uint32_t nslots;
    struct op *ops; /* the entity's keys first, then those of its stages */
    uint32_t nops;
    struct watch *watches;
    uint32_t nwatches;
    size_t cap_watches;
    struct fills fills;
    bool *extract_only; /* by slot: only an extract takes it; NULL: there is no extract */
    struct null_members *flattened;
    uint32_t nflattened;
    bool *nulled;                     /* by slot: it is one of these; NULL: there are none */
    const struct parse_rule **parses; /* by slot; NULL: nothing is parsed */
    bool *may_lose;  /* by slot: it may have to give way to another attribute; NULL: none */
    struct map open; /* column name to the slot of attributes that match it by name */
    const struct names *strip; /* globs of indexing attributes; NULL: of an element */
    /* What is counted of attributes that `strip` alone leaves out; NOTE_NONE: nothing, as when the
       entity drops the rest anyway: */
    uint32_t note_indexed;    /* how many */
    uint32_t note_unsaid;     /* how many say what no row says */
    struct names strips;      /* globs of strip stages */
    struct names unexplained; /* key attributes of the table that the rest has of every item */
    bool formed;              /* some attribute is explained by some forms of the keys alone */
    bool masks;               /* a mask stage: values are overwritten */
    bool picked;              /* a pick stage: what is not mentioned is dropped */
    bool nulls_keep;
    enum rest_rule rest;
    uint32_t extra_column; /* SLOT_NONE: none */
    uint32_t rest_column;  /* document of all that is left; SLOT_NONE: none */
    uint32_t note_rest_lossy;
    unsigned rest_lossy; /* lossy rules its column names */
    struct explode *explodes;
    uint32_t nexplodes;
    /* What only elements have: */
    struct import *imports;
    uint32_t nimports;
    uint32_t parent_key; /* the first so many columns are the parent's key, and its parent's */
    uint32_t *inherited; /* which columns of the parent they are */
    uint32_t ordinal;    /* column, or SLOT_NONE */
    /* The extract that the rows are candidates of, or UINT32_MAX: */
    uint32_t mirror; /* of a symmetric link */
    uint32_t merge;  /* of items that are merged */
};

/* Rows under construction, of one page. */
struct rows_out {
    struct row *v;
    size_t n, cap;
};

/* Attributes of an item that `strip` leaves out. */
struct left_outs {
    uint32_t n;
    const struct member *v[64]; /* the first of them: more are counted, and not looked at */
};

static inline void left_outs_add(struct left_outs *left, const struct member *m)
{
    if (left->n < sizeof left->v / sizeof left->v[0])
        left->v[left->n] = m;
    left->n++;
}

/* What is counted of the item under way; it counts only if the item becomes rows. */
struct notes {
    uint64_t *counts;  /* by note */
    uint32_t from, to; /* all others are 0 */
    bool keep_nulls;   /* the sink tells NULL from missing: none is folded */
    struct left_outs left;
};

static inline void notes_add(struct notes *n, uint32_t note, uint64_t by)
{
    if (note == NOTE_NONE)
        return;
    n->counts[note] += by;
    if (note < n->from || n->from == n->to)
        n->from = note;
    if (note >= n->to)
        n->to = note + 1;
}

/* What a running stage may use. Everything points into the page's arena. */
struct frame {
    const struct shape *shape;
    const struct schema *schema;
    const struct val **slots;
    bool *taken; /* by slot: an extract made a candidate of it */
    bool *lost;  /* by slot: another attribute was preferred, so it stays in the rest */
    struct arena *arena;
    struct decoder *decoder;
    struct fault *why;
    struct notes *notes;
    struct rows_out *out;
    struct str source_key;
    struct str mask_key;
    int64_t now_us;
    const struct member *extra; /* what went to the column `extra` */
    uint32_t nextra;
};

/* The value: the first attribute that is there, else the first part. NULL: missing. */
const struct val *cells_source(const struct sources *s, const struct frame *f);

/* Casts the cells. RC_OK, RC_DATA, RC_NOMEM. thread: worker. */
enum rc cells_cast(const struct fills *fills, const struct table *t, struct frame *f,
                   struct datum *cells) MUST_CHECK;

/* A new row of the table with all cells missing, or NULL when out of memory. */
struct row *cells_new_row(struct rows_out *out, struct arena *a, const struct schema *s,
                          uint32_t table);

#endif
