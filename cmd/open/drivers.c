/* SPDX-License-Identifier: MIT */
/*
 * The rows are asked from top to bottom: schemes, then connection strings, then what looks like an
 * address and is none, then paths.
 */
#include "cmd/open/drivers.h"

#include <string.h>

#include "cmd/open/database_address.h"
#include "cmd/open/path_address.h"
#include "cmd/open/table_address.h"
#include "pipeline/model/read/reader.h"
#include "sinks/null.h"

static enum rc is_nothing(const char *word, bool *yes, struct err *err)
{
    (void)err;
    *yes = str_is(str_of(word), "null:");
    return RC_OK;
}

static enum rc nothing_sink(const char *word, const struct options *o, struct sink **out,
                            struct err *err)
{
    (void)word;
    (void)o;
    *out = null_sink_new();
    return *out ? RC_OK : err_nomem(err);
}

/* S3 has no driver yet; its row keeps an address from being taken for a folder. */
static enum rc is_s3(const char *word, bool *yes, struct err *err)
{
    (void)err;
    *yes = str_starts(str_of(word), STR("s3://"));
    return RC_OK;
}

/* The letters before the first colon, if they could be a scheme; else empty. */
static struct str scheme_of(const char *word)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char REST[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    size_t n = strspn(word, REST);
    return str_make(word, strspn(word, LETTERS) && word[n] == ':' ? n : 0);
}

/*
 * A mistyped address would become a folder of that name, with the password in it: what begins as
 * an address does is none, unless a row above takes it. Only the scheme is shown.
 */
static enum rc is_strange(const char *word, bool *yes, struct err *err)
{
    static const char *const KNOWN[] = {"postgresql", "postgres", "dynamodb", "s3", "null"};
    static const char *const FULL[] = {"postgresql://", "postgresql://", "dynamodb:", "s3://",
                                       "null:"};
    struct str scheme = scheme_of(word);
    *yes = false;
    if (!scheme.n)
        return RC_OK;
    (void)err_set(err, RC_USAGE, "\"%.*s:\" begins no address that renorm knows",
                  (int)(scheme.n < 40 ? scheme.n : 40), scheme.p);
    const char *near = name_nearest(scheme, KNOWN, sizeof KNOWN / sizeof *KNOWN);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (near && strcmp(near, KNOWN[i]) == 0) {
            return err_hint(err, "did you mean %s...? A path of that name begins with ./",
                            FULL[i]);
        }
    }
    return err_hint(err, "addresses begin with dynamodb: or postgresql://; a path of that name "
                         "begins with ./");
}

static const struct driver DRIVERS[] = {
    {.accepts = table_address_accepts,
     .source = table_address_open,
     .alone = "a live table",
     .live = true},
    {.accepts = is_nothing, .sink = nothing_sink},
    {.accepts = is_s3},
    {.accepts = database_accepts,
     .source = database_rejects,
     .alone = "a database",
     .sink = database_sink,
     .table_name = database_table_name,
     .tell = database_tell,
     .rows = database_rows,
     .status = database_status},
    {.accepts = is_strange},
    {.accepts = path_address_input, .source = path_address_source},
    {.accepts = path_address_accepts,
     .source = path_address_source,
     .sink = path_address_sink,
     .rows = path_address_rows,
     .status = path_address_status},
};

enum rc drivers_find(const char *word, const struct driver **out, struct err *err)
{
    bool yes = false;
    *out = DRIVERS;
    enum rc rc = (*out)->accepts(word, &yes, err);
    while (!rc && !yes) /* the last row accepts any word */
        rc = (++*out)->accepts(word, &yes, err);
    return rc;
}

bool drivers_is_table(const char *word)
{
    const struct driver *d = NULL;
    struct err err = {0};
    return !drivers_find(word, &d, &err) && d->live;
}

enum rc drivers_sink(const char *word, const struct options *o, struct sink **out,
                     struct err *err)
{
    const struct driver *d = NULL;
    enum rc rc = drivers_find(word, &d, err);
    if (!rc && !d->sink) {
        return err_set(err, RC_USAGE, "\"%s\" is no sink of this build\nhint: name a folder",
                       word);
    }
    return rc ? rc : d->sink(word, o, out, err);
}

enum rc drivers_rows(const char *word, const struct options *o, const struct schema *schema,
                     struct rows_reader **out, struct err *err)
{
    const struct driver *d = NULL;
    enum rc rc = drivers_find(word, &d, err);
    if (!rc && !d->rows) {
        return err_set(err, RC_USAGE,
                       "\"%s\" cannot be verified\nhint: name a folder or a database", word);
    }
    return rc ? rc : d->rows(word, o, schema, out, err);
}

enum rc drivers_status(const char *word, const struct options *o, struct buf *out,
                       struct err *err)
{
    const struct driver *d = NULL;
    enum rc rc = drivers_find(word, &d, err);
    if (!rc && !d->status) {
        return err_set(err, RC_USAGE, "\"%s\" has no status\nhint: name a folder or a database",
                       word);
    }
    return rc ? rc : d->status(word, o, out, err);
}
