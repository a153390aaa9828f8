/* SPDX-License-Identifier: MIT */
/*
 * The rows are asked from top to bottom: schemes, then connection strings, then what looks like an
 * address and is none, then paths.
 */
#include "cmd/open/drivers.h"

#include <stdio.h>
#include <string.h>

#include "cmd/open/bucket_address.h"
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

/* The letters before the first colon, if they could be a scheme; else empty. */
static struct str scheme_of(const char *word)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char REST[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    size_t n = strspn(word, REST);
    return str_make(word, strspn(word, LETTERS) && word[n] == ':' ? n : 0);
}

static enum rc is_strange(const char *word, bool *yes, struct err *err);

static const struct driver DRIVERS[] = {
    {.schemes = {"dynamodb:"},
     .source = table_address_open,
     .alone = "a live table",
     .live = true},
    {.schemes = {"null:"}, .unlisted = true, .accepts = is_nothing, .sink = nothing_sink},
    {.schemes = {"s3://"}, .source = bucket_address_source, .alone = "a place in a bucket"},
    {.schemes = {"postgresql://", "postgres://"},
     .accepts = database_accepts,
     .source = database_rejects,
     .alone = "a database",
     .sink = database_sink,
     .table_name = database_table_name,
     .tell = database_tell,
     .rows = database_rows,
     .status = database_status,
     .publish = database_publish},
    {.accepts = is_strange},
    {.accepts = path_address_input, .source = path_address_source},
    {.accepts = path_address_accepts,
     .source = path_address_source,
     .sink = path_address_sink,
     .rows = path_address_rows,
     .status = path_address_status,
     .publish = path_address_publish},
};

enum { ROWS = sizeof DRIVERS / sizeof DRIVERS[0] };

/* Appends the schemes to write instead: "dynamodb: or postgresql://". */
static void list_schemes(struct buf *out)
{
    const char *last = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        if (!DRIVERS[i].schemes[0] || DRIVERS[i].unlisted)
            continue;
        if (last)
            buf_addf(out, "%s%s", out->len ? ", " : "", last);
        last = DRIVERS[i].schemes[0];
    }
    buf_addf(out, "%s%s", out->len ? " or " : "", last ? last : "");
}

/* The scheme that a mistyped one comes near to, as its row would have it written; or NULL. */
static const char *nearest(struct str scheme)
{
    enum { MOST = ROWS * DRIVER_SCHEMES, LENGTH = 16 };
    char names[MOST][LENGTH];
    const char *known[MOST], *first[MOST];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < DRIVER_SCHEMES && DRIVERS[i].schemes[k]; k++, n++) {
            struct str name = scheme_of(DRIVERS[i].schemes[k]);
            (void)snprintf(names[n], LENGTH, "%.*s", STR_FMT(name));
            known[n] = names[n];
            first[n] = DRIVERS[i].schemes[0];
        }
    }
    const char *near = name_nearest(scheme, known, n);
    for (size_t i = 0; near && i < n; i++) {
        if (known[i] == near)
            return first[i];
    }
    return NULL;
}

/*
 * What stands where a scheme would, if the word is written as an address is: behind blanks, too,
 * and with :// anywhere in what does not begin as paths do. Its p is NULL if it is not.
 */
static struct str strange_scheme(const char *word)
{
    const char *at = word + strspn(word, " \t\n\r");
    struct str scheme = scheme_of(at);
    const char *mark = strstr(at, "://");
    if (scheme.n || !mark || *at == '.' || *at == '/')
        return scheme.n ? scheme : str_make(NULL, 0);
    const char *begin = mark;
    while (begin > at && !strchr("/ \t\n\r@:", begin[-1]))
        begin--;
    return str_make(begin, (size_t)(mark - begin));
}

/*
 * A mistyped address would become a folder of that name, with the password in it: what begins as
 * an address does is none, unless a row above takes it. Only the scheme is shown.
 */
static enum rc is_strange(const char *word, bool *yes, struct err *err)
{
    struct buf known;
    struct str scheme = strange_scheme(word);
    *yes = false;
    if (!scheme.p)
        return RC_OK;
    (void)err_set(err, RC_USAGE, "\"%.*s:\" begins no address that renorm knows",
                  (int)(scheme.n < 40 ? scheme.n : 40), scheme.p);
    const char *near = nearest(scheme);
    if (near)
        return err_hint(err, "did you mean %s...? A path of that name begins with ./", near);
    buf_init(&known, 256);
    list_schemes(&known);
    (void)err_hint(err, "addresses begin with %s; a path of that name begins with ./",
                   buf_cstr(&known));
    buf_release(&known);
    return RC_USAGE;
}

static enum rc accepts(const struct driver *d, const char *word, bool *yes, struct err *err)
{
    if (d->accepts)
        return d->accepts(word, yes, err);
    *yes = false;
    for (size_t k = 0; k < DRIVER_SCHEMES && d->schemes[k]; k++)
        *yes |= str_starts(str_of(word), str_of(d->schemes[k]));
    return RC_OK;
}

enum rc drivers_find(const char *word, const struct driver **out, struct err *err)
{
    bool yes = false;
    *out = DRIVERS;
    enum rc rc = accepts(*out, word, &yes, err);
    while (!rc && !yes) /* the last row accepts any word */
        rc = accepts(++*out, word, &yes, err);
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

enum rc drivers_publish(const char *word, const struct options *o, struct buf *out,
                        struct err *err)
{
    const struct driver *d = NULL;
    enum rc rc = drivers_find(word, &d, err);
    if (!rc && !d->publish) {
        return err_set(err, RC_USAGE, "\"%s\" holds no runs\nhint: name a folder or a database",
                       word);
    }
    return rc ? rc : d->publish(word, o, out, err);
}
