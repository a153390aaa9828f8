/* SPDX-License-Identifier: MIT */
/*
 * The table of drivers: one row per kind of address that a word of the command line can be. The
 * row says how such a word is recognised and what can be done with it; nobody else decides what
 * a word is. A new source or sink is a folder of its own, a file here that turns options into its
 * own, and a row.
 */
#ifndef CMD_OPEN_DRIVERS_H
#define CMD_OPEN_DRIVERS_H

#include "cmd/open/job.h"
#include "pipeline/compare/rows_reader.h"
#include "pipeline/run/sink.h"

enum { DRIVER_SCHEMES = 2 };

/* Any other function that is NULL: such an address cannot be used that way. */
struct driver {
    /* What such words begin with; the first is suggested for one that comes near to any. */
    const char *schemes[DRIVER_SCHEMES];
    /* Says in *yes whether the word is such an address; an error if nobody can tell. NULL: it
       is if it begins with one of the schemes. */
    enum rc (*accepts)(const char *word, bool *yes, struct err *err);
    /* Opens job->source. */
    enum rc (*source)(struct job *job, const char *const *words, size_t n,
                      const struct options *o, struct err *err);
    const char
        *alone;    /* "a live table": a source that takes one word only; NULL: takes several */
    bool live;     /* a table that can be written to by a backfill */
    bool unlisted; /* not named where it is said what addresses begin with */
    /* Returns owned in *out: its ops' close. Nothing of the target is touched yet. */
    enum rc (*sink)(const char *word, const struct options *o, struct sink **out,
                    struct err *err);
    /* The name that a table of the model gets in the sink, in the arena; NULL: its own. */
    struct str (*table_name)(struct arena *a, struct str name);
    /* Appends lines for standard error that tell what to know before rows go there. */
    void (*tell)(const struct options *o, const struct schema *schema, struct buf *out);
    /* What the sink holds, read back. Returns owned in *out: its ops' free. */
    enum rc (*rows)(const char *word, const struct options *o, const struct schema *schema,
                    struct rows_reader **out, struct err *err);
    /* Appends text, or JSON with --json. */
    enum rc (*status)(const char *word, const struct options *o, struct buf *out,
                      struct err *err);
    /* Shows the run that is held, and appends text that says what it was. */
    enum rc (*publish)(const char *word, const struct options *o, struct buf *out,
                       struct err *err);
};

/* The row of a word. RC_USAGE, saying what to write instead, if it could be two things. */
enum rc drivers_find(const char *word, const struct driver **out, struct err *err) MUST_CHECK;

/* True for a live table; false, too, where nobody can tell. */
bool drivers_is_table(const char *word);

/* Call the row's function of the same name; RC_USAGE if it has none. For sources see job_source. */
enum rc drivers_sink(const char *word, const struct options *o, struct sink **out,
                     struct err *err) MUST_CHECK;
enum rc drivers_rows(const char *word, const struct options *o, const struct schema *schema,
                     struct rows_reader **out, struct err *err) MUST_CHECK;
enum rc drivers_status(const char *word, const struct options *o, struct buf *out,
                       struct err *err) MUST_CHECK;
enum rc drivers_publish(const char *word, const struct options *o, struct buf *out,
                        struct err *err) MUST_CHECK;

#endif
