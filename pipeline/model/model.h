/* SPDX-License-Identifier: MIT */
/*
 * The model file as read: entities, their routes, stages and columns, nothing compiled yet.
 * Everything lives in the model's arena; names are views with a NUL behind them.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "pipeline/item/decoder.h"
#include "pipeline/model/condition.h"
#include "pipeline/model/problems.h"
#include "pipeline/model/stage_row.h"
#include "pipeline/model/template.h"
#include "pipeline/row/schema.h"

enum rest_rule { REST_INHERIT = 0, REST_EXTRA, REST_DROP, REST_REJECT };
enum nulls_rule { NULLS_INHERIT = 0, NULLS_FOLD, NULLS_KEEP };
enum prefer_rule { PREFER_NONE = 0, PREFER_ATTRIBUTE, PREFER_PART, PREFER_FIRST };

struct names {
    struct str *v;
    uint32_t n;
};

/* "columns": { "name": "text", "at": {"type": "timestamptz", "from": "A.b", "unit": "ms"} } */
struct column_spec {
    struct str name;
    struct place place;
    struct cast cast;
    struct path from;      /* n == 0: not given */
    struct paths from_any; /* the one that has a value; n == 0: not given */
    bool not_null;
    const struct names *null_if; /* texts that stand for NULL; NULL: those of the model */
    enum decoder_parse parse;    /* what a text of it holds; LOSSY_PARSE of the cast: or not */
    struct cast_time *time;      /* what the cast has, while it is read */
    enum prefer_rule prefer;     /* a key part and an attribute that differ */
};

/* Does the column say which attribute it takes, and is that one of them? */
static inline bool column_spec_says(const struct column_spec *c)
{
    return c->from.n || c->from_any.n;
}

static inline bool column_spec_takes(const struct column_spec *c, const struct path *path)
{
    bool takes = c->from.n && path_eq(&c->from, path);
    for (uint32_t i = 0; !takes && i < c->from_any.n; i++)
        takes = path_eq(&c->from_any.v[i], path);
    return takes;
}

struct columns_spec {
    struct column_spec *v;
    uint32_t n;
};

/* "keys": { "PK": "CUSTOMER#{customer_id}" }, or a list of such forms */
struct key_spec {
    struct str attribute;
    struct place place;
    struct template tpl;
    uint32_t form; /* which one it belongs to, from 0 */
};

/* All forms one after the other. */
struct keys_spec {
    struct key_spec *v;
    uint32_t n;
    uint32_t nforms;
};

/* "references": [ { "columns": ["customer_id"], "to": "customer" } ] */
struct reference_spec {
    struct place place;
    struct names columns;
    struct str to; /* a table */
};

struct references_spec {
    struct reference_spec *v;
    uint32_t n;
};

/* One stage of the model. Only the stage itself knows what its spec holds. */
struct stage_spec {
    const struct stage *stage; /* NULL: no such stage, which was noted */
    struct place place;
    const void *spec;
};

struct stages_spec {
    struct stage_spec *v;
    uint32_t n;
};

enum missing_rule { MISSING_SKIP = 0, MISSING_FAIL };

/* "backfill": { "GSI1PK": "STATUS#{status}", "Old": null } */
struct backfill_spec {
    struct place place;
    struct str attribute;
    bool remove;        /* null */
    enum val_kind kind; /* VAL_S; VAL_N or VAL_B by {"type":"N","value":"{n}"} */
    struct template tpl;
};

/* "sources": { "orders": { "key": "id" } } */
struct source_spec {
    struct str name;
    struct names key;
};

struct entity {
    struct str name;
    struct str source; /* where its items are; empty: anywhere */
    struct place place;
    bool broken;        /* problems were found in it: what was read is not sound */
    struct names types; /* further Type values, besides the name itself */
    struct cond *when;  /* NULL: by type, else by key templates */
    struct keys_spec keys;
    struct str table; /* default: snake(name) */
    struct names primary_key;
    struct place primary_key_place;
    struct references_spec references;
    struct stages_spec stages;
    struct columns_spec columns;
    enum rest_rule rest;
    enum nulls_rule nulls;
    enum prefer_rule prefer;
    bool merge; /* items of one key make one row, attribute by attribute, by merge_rule */
    enum extract_rule merge_rule;
    struct backfill_spec *backfill;
    uint32_t nbackfill;
    struct cond *backfill_when;
    enum missing_rule backfill_missing;
};

struct model {
    struct arena arena;
    struct str name; /* empty: none given */
    struct str
        hash; /* hex sha256 of the model's text without comments, spacing and "$schema" */
    struct str type;  /* the attribute that names the entity; default "Type"; empty: none */
    struct names key; /* one or two attributes; n == 0: not given */
    struct names indexing; /* globs */
    bool indexing_given;
    struct str ttl; /* empty: none */
    enum rest_rule rest;
    enum nulls_rule nulls;
    const struct names *null_if; /* texts that stand for NULL in every column; NULL: none */
    struct source_spec *sources;
    uint32_t nsources;
    struct entity *entities;
    uint32_t nentities;
};

/*
 * Reads a model. `stages` are the stages there are, the last NULL; borrowed for as long as the
 * model lives. Problems are collected, all of them; RC_USAGE if there are any (*out is then
 * what could be read, or NULL). Returns owned in *out: model_free.
 */
enum rc model_read(struct str text, const struct stage *const *stages, struct model **out,
                   struct problems *problems, struct err *err) MUST_CHECK;
enum rc model_read_file(const char *path, const struct stage *const *stages, struct model **out,
                        struct problems *problems, struct err *err) MUST_CHECK;
void model_free(struct model *m);

/* snake(path): members joined by '_', in the arena. {NULL,0} when out of memory. */
struct str name_snake(struct arena *a, const struct path *path);

/*
 * All names of an attribute that fill the column of this name, in the arena: itself, and those
 * whose snake form it is. RC_OK; RC_NONE: they cannot be listed; RC_NOMEM.
 */
enum rc name_spellings(struct arena *a, struct str column, struct names *out) MUST_CHECK;

#endif
