/* SPDX-License-Identifier: MIT */
/*
 * What readers of parts of the model are made of: those of the model itself, and those that
 * stages have for their specs. A reader never stops at a problem: it notes the problem with its
 * place and leaves the target as it was. Objects are read by tables of their members.
 */
#ifndef MODEL_READ_READER_H
#define MODEL_READ_READER_H

#include <yyjson.h>

#include "pipeline/model/model.h"

struct column_list;

struct model_reader {
    struct model *m;
    struct arena *a;
    const struct stage *const *stages; /* the last is NULL */
    struct column_list *lists;         /* of "define", in its order */
    struct problems *problems;
    struct str text;    /* as given; places are counted in it */
    const char *insitu; /* the copy that yyjson worked in: same offsets */
    size_t *lines;      /* offset of each line's start */
    size_t nlines;
    size_t cursor, cursor_column; /* the last place asked for */
    uint32_t cursor_line;
    bool no_sep;             /* parts of the keys that are read now hold no separators */
    struct zone_read *zones; /* those named so far */
    bool nomem;
};

/* A value and where it stands: its own offset if it has one, else that of its key. */
struct model_node {
    yyjson_val *v;
    size_t at;
    size_t key;      /* where its key stands */
    struct str name; /* the member it belongs to, for messages */
};

/* One member an object may have; `read` gets the target's address plus offset. */
struct rule {
    const char *name;
    void (*read)(struct model_reader *r, struct model_node n, void *target);
    size_t offset;
    bool required;
};

struct choice {
    const char *name;
    int value;
};

/* ---- places and problems ---- */
struct place read_place(struct model_reader *r, size_t at);

/* The offset in the text of byte `inside` of a string value. */
size_t read_inside(const struct model_reader *r, struct model_node n, size_t inside);

/* A name as messages show it: quoted, escaped, cut. Valid as long as the problems. */
const char *read_show(struct model_reader *r, struct str s);

/* Notes "must be a string, not a number". */
void read_wrong_type(struct model_reader *r, struct model_node n, const char *wanted);

/* The candidate that is nearest to name, or NULL if none is near. */
const char *name_nearest(struct str name, const char *const *candidates, size_t n);

/* ---- walking ---- */
struct str read_node_str(struct model_node n);
struct model_node read_node_member(const struct model_reader *r, yyjson_val *key,
                                   yyjson_val *val);
struct model_node read_node_element(const struct model_reader *r, struct model_node list,
                                    yyjson_val *val);

/* Notes members that stand twice. False if n is not an object (noted). */
bool read_is_object(struct model_reader *r, struct model_node n);

/* Reads an object by its rules: unknown, repeated and missing members are noted. */
void read_object(struct model_reader *r, struct model_node n, const struct rule *rules,
                 size_t nrules, void *target);

/* The same, or in short: what is no object is read as the member of the first rule. */
void read_object_or_first(struct model_reader *r, struct model_node n, const struct rule *rules,
                          size_t nrules, void *target);

/* An array of `count` zeroed elements; NULL and r->nomem when there is no memory. */
void *read_array(struct model_reader *r, size_t count, size_t size);

/*
 * An object whose members make an array: `one` reads each into the next, zeroed element. *count
 * is their number. NULL (noted) if n is no object.
 */
void *read_each(struct model_reader *r, struct model_node n, size_t size,
                void (*one)(struct model_reader *r, struct model_node n, void *element),
                uint32_t *count);

/* One of some words; false (noted) if it is none of them. */
bool read_choice(struct model_reader *r, struct model_node n, const struct choice *choices,
                 size_t nc, int *out);

/* ---- members of many objects; the target's type is in the comment ---- */
bool read_string(struct model_reader *r, struct model_node n, struct str *out);
bool read_bool(struct model_reader *r, struct model_node n, bool *out);
void read_name(struct model_reader *r, struct model_node n, void *target);  /* struct str */
void read_names(struct model_reader *r, struct model_node n, void *target); /* struct names */
void read_texts(struct model_reader *r, struct model_node n,
                void *target); /* const struct names *: any texts, and maybe none */
void read_path(struct model_reader *r, struct model_node n, void *target);  /* struct path */
void read_paths(struct model_reader *r, struct model_node n, void *target); /* struct paths */
void read_flag(struct model_reader *r, struct model_node n, void *target);  /* bool */
void read_rest(struct model_reader *r, struct model_node n, void *target);  /* enum rest_rule */
void read_nulls(struct model_reader *r, struct model_node n,
                void *target);                                             /* enum nulls_rule */
void read_zone(struct model_reader *r, struct model_node n, void *target); /* column_spec */
void read_ambiguous(struct model_reader *r, struct model_node n,
                    void *target);                                            /* column_spec */
void read_formats(struct model_reader *r, struct model_node n, void *target); /* column_spec */
void read_parse(struct model_reader *r, struct model_node n,
                void *target); /* enum decoder_parse */
void read_parse_lossy(struct model_reader *r, struct model_node n,
                      void *target); /* unsigned: LOSSY_PARSE, or none */
void read_prefer_any(struct model_reader *r, struct model_node n,
                     void *target); /* enum prefer_rule of a column */
void read_prefer(struct model_reader *r, struct model_node n,
                 void *target); /* enum prefer_rule */
void read_column(struct model_reader *r, struct model_node n,
                 void *element); /* struct column_spec */
void read_columns(struct model_reader *r, struct model_node n,
                  void *target); /* struct columns_spec */
void read_references(struct model_reader *r, struct model_node n,
                     void *target); /* struct references_spec */
void read_keys(struct model_reader *r, struct model_node n,
               void *target); /* struct keys_spec */
void read_stages(struct model_reader *r, struct model_node n,
                 void *target); /* struct stages_spec */
void read_cond(struct model_reader *r, struct model_node n, void *target);   /* struct cond * */
void read_entity(struct model_reader *r, struct model_node n, void *target); /* struct entity */

/* Checks what the members of a column say of times against each other. */
void read_times_check(struct model_reader *r, const struct column_spec *c);

bool read_template(struct model_reader *r, struct model_node n, struct template *out);

/* What "no_sep" of an object says: it is known before all other members. */
void read_no_sep(struct model_reader *r, yyjson_val *object);

/* A member that was read before the others. */
void read_nothing(struct model_reader *r, struct model_node n, void *target);

/* The lists of columns of the model, before anything that may name them. */
void read_define(struct model_reader *r, yyjson_val *root);

/* A JSON string, number, boolean or null as a value. */
bool read_literal(struct model_reader *r, struct model_node n, struct val *out);

/* A member's name as a name or a path, placed at its key. */
bool read_key_is_name(struct model_reader *r, struct model_node n);
bool read_key_is_path(struct model_reader *r, struct model_node n, struct path *out);

/* A text that is a path. */
bool read_path_text(struct model_reader *r, struct model_node n, struct str text,
                    struct path *out);

/* ---- what can only be seen once all is read ---- */
void read_check(struct model_reader *r);

/* For the `tables` of a stage: it makes a table, refers to one, has stages of its own. */
void read_table_made(struct read_tables *t, struct str name, struct place at);
void read_table_named(struct read_tables *t, const struct reference_spec *ref);
void read_tables_of(struct read_tables *t, const struct stages_spec *stages);

#define NRULES(rules) (sizeof(rules) / sizeof((rules)[0]))

#endif
