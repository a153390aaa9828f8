/* SPDX-License-Identifier: MIT */
/*
 * What the files of the model reader share. A reader never stops at a problem: it notes it with
 * its place and leaves the target as it was. Objects are read by tables of their members.
 */
#ifndef MODEL_MODEL_READER_H
#define MODEL_MODEL_READER_H

#include <yyjson.h>

#include "pipeline/model/model.h"

struct reader {
    struct model *m;
    struct arena *a;
    struct problems *problems;
    struct str text;    /* as given; places are counted in it */
    const char *insitu; /* the copy that yyjson worked in: same offsets */
    size_t *lines;      /* offset of each line's start */
    size_t nlines;
    size_t cursor, cursor_column; /* the last place asked for */
    uint32_t cursor_line;
    bool nomem;
};

/* A value and where it stands: its own offset if it has one, else that of its key. */
struct node {
    yyjson_val *v;
    size_t at;
    size_t key;      /* where its key stands */
    struct str name; /* the member it belongs to, for messages */
};

/* One member an object may have; `read` gets the target's address plus offset. */
struct rule {
    const char *name;
    void (*read)(struct reader *r, struct node n, void *target);
    size_t offset;
    bool required;
};

struct choice {
    const char *name;
    int value;
};

/* ---- places and problems ---- */
struct place reader_place(struct reader *r, size_t at);

/* The offset in the text of byte `inside` of a string value. */
size_t reader_inside(const struct reader *r, struct node n, size_t inside);

/* A name as messages show it: quoted, escaped, cut. Valid as long as the problems. */
const char *reader_show(struct reader *r, struct str s);

/* "a string, not a number" problems. */
void reader_wrong_type(struct reader *r, struct node n, const char *wanted);

/* The candidate that is nearest to name, or NULL if none is near. */
const char *name_nearest(struct str name, const char *const *candidates, size_t n);

/* ---- walking ---- */
struct str node_str(struct node n);
struct node node_member(const struct reader *r, yyjson_val *key, yyjson_val *val);
struct node node_element(const struct reader *r, struct node list, yyjson_val *val);

/* Notes members that stand twice. False if n is not an object (noted). */
bool reader_is_object(struct reader *r, struct node n);

/* Reads an object by its rules: unknown, repeated and missing members are noted. */
void reader_object(struct reader *r, struct node n, const struct rule *rules, size_t nrules,
                   void *target);

/* An array of `count` zeroed elements; NULL and r->nomem when there is no memory. */
void *reader_array(struct reader *r, size_t count, size_t size);

/* One of some words; false (noted) if it is none of them. */
bool reader_choice(struct reader *r, struct node n, const struct choice *choices, size_t nc,
                   int *out);

/* ---- members of many objects; the target's type is in the comment ---- */
bool read_string(struct reader *r, struct node n, struct str *out);
bool read_bool(struct reader *r, struct node n, bool *out);
void read_name(struct reader *r, struct node n, void *target);     /* struct str */
void read_names(struct reader *r, struct node n, void *target);    /* struct names */
void read_path(struct reader *r, struct node n, void *target);     /* struct path */
void read_flag(struct reader *r, struct node n, void *target);     /* bool */
void read_rest(struct reader *r, struct node n, void *target);     /* enum rest_rule */
void read_nulls(struct reader *r, struct node n, void *target);    /* enum nulls_rule */
void read_prefer(struct reader *r, struct node n, void *target);   /* enum prefer_rule */
void read_columns(struct reader *r, struct node n, void *target);  /* struct columns_spec */
void read_keys(struct reader *r, struct node n, void *target);     /* struct keys_spec */
void read_stages(struct reader *r, struct node n, void *target);   /* struct stages_spec */
void read_cond(struct reader *r, struct node n, void *target);     /* struct cond * */
void read_entity(struct reader *r, struct node n, void *target);   /* struct entity */
void read_extract(struct reader *r, struct node n, void *target);  /* struct extract_spec */
void read_backfill(struct reader *r, struct node n, void *target); /* struct entity */

bool read_template(struct reader *r, struct node n, struct tpl *out);
bool read_paths(struct reader *r, struct node n, struct path **out, uint32_t *count);

/* A JSON string, number, boolean or null as a value. */
bool read_literal(struct reader *r, struct node n, struct val *out);

/* A member's name as a name or a path, placed at its key. */
bool key_is_name(struct reader *r, struct node n);
bool key_is_path(struct reader *r, struct node n, struct path *out);

/* ---- what can only be seen once all is read ---- */
void reader_check(struct reader *r);

#define NRULES(rules) (sizeof(rules) / sizeof((rules)[0]))

#endif
