/* SPDX-License-Identifier: MIT */
/*
 * What shape the data of a run has: per column how many rows have a value and of which DynamoDB
 * types, items per entity, stages that met nothing, attributes that no column took; and what of
 * that is worth a look, by itself or beside the last run. It is made of the run's counters, so it
 * is the same however often the run was resumed. As JSON it is a list of records, the same in the
 * summary, in a folder's manifest and in the ledger of a database.
 */
#ifndef PROFILE_SHAPE_REPORT_H
#define PROFILE_SHAPE_REPORT_H

#include "pipeline/profile/extras.h"

/* What is worth a look. The names are fixed: profile_finding_name. */
enum finding_kind {
    FINDING_EMPTY_COLUMN,  /* no row of the table has a value in it */
    FINDING_EMPTY_ENTITY,  /* no item is of it */
    FINDING_IDLE_STAGE,    /* no item has an attribute that it names */
    FINDING_EXTRA,         /* an attribute that no column took */
    FINDING_NEW_ATTRIBUTE, /* the same, and the last run had no such */
    FINDING_TYPE_CHANGE,   /* a type that the last run did not have */
    FINDING_NULL_JUMP,     /* more rows than in the last run lack a value */
    FINDING_KINDS
};

struct finding {
    enum finding_kind kind;
    struct str place, name; /* entity or table; column, stage or attribute */
    struct str text;        /* what is to be seen; may be empty */
};

struct profile {
    struct profile_layout layout;
    const uint64_t *counters; /* borrowed */
    struct extras extras;
    bool known;    /* all items were looked at: a run begun by an earlier version has not */
    bool compared; /* with the last run */
    struct finding *findings;
    size_t nfindings, cap_findings;
    struct arena arena; /* of texts */
};

enum rc profile_init(struct profile *p, const struct schema *s, struct err *err) MUST_CHECK;
void profile_release(struct profile *p);

/*
 * The counters are those of the whole run now, and p->extras has been filled. `last` is the JSON
 * of the last run; empty: there is none. Findings are made.
 */
enum rc profile_look(struct profile *p, const uint64_t *counters, struct str last,
                     struct err *err) MUST_CHECK;

/* "empty-column" and so on. */
const char *profile_finding_name(enum finding_kind kind);

/* "a,b": a bit for each finding named; RC_USAGE for what is none. */
enum rc profile_findings_parse(const char *list, unsigned *bits, struct err *err) MUST_CHECK;

/* The rows and copies that a table's cells were counted over; those with a value. */
uint64_t profile_rows(const struct profile *p, uint32_t table);
uint64_t profile_filled(const struct profile *p, uint32_t table, uint32_t column);

/* How many cells hold a value of the kind; 0 for kinds that the column cannot take. */
uint64_t profile_kind(const struct profile *p, uint32_t table, uint32_t column,
                      enum val_kind kind);

/* Values of the attribute. */
uint64_t profile_extra_count(const struct extra *x);

/* Appends the records, in a list. */
void profile_json(const struct profile *p, struct buf *out);

#endif
