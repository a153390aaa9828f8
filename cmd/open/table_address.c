/* SPDX-License-Identifier: MIT */
/* Takes the address of a table apart, and adds the options of the command line. */
#include "cmd/open/table_address.h"

#include <stdlib.h>

#include "cmd/open/prompt.h"
#include "cmd/print/tell.h"
#include "pipeline/source/table/scan.h"

static const int64_t SECOND = 1000000;
static const struct str SCHEME = {"dynamodb:", 9};

static int hex(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Returns the text with %XX decoded, in the arena; NULL when out of memory. */
static char *unescape(struct arena *a, struct str s)
{
    char *out = arena_cstr(a, s);
    char *to = out;
    for (size_t i = 0; out && i < s.n; i++) {
        bool escape =
            s.p[i] == '%' && i + 2 < s.n && hex(s.p[i + 1]) >= 0 && hex(s.p[i + 2]) >= 0;
        *to++ = escape ? (char)(hex(s.p[i + 1]) * 16 + hex(s.p[i + 2])) : s.p[i];
        i += escape ? 2 : 0;
    }
    if (out)
        *to = '\0';
    return out;
}

/* Takes one "name=value" of those behind the question mark. */
static enum rc set_member(struct scan_options *opts, struct str name, char *value,
                          struct err *err)
{
    if (str_is(name, "index")) {
        opts->index = str_of(value);
    } else if (str_is(name, "region")) {
        opts->aws.region = value;
    } else if (str_is(name, "endpoint")) {
        opts->aws.endpoint = value;
    } else if (str_is(name, "profile")) {
        opts->aws.profile = value;
    } else {
        (void)err_set(err, RC_USAGE, "a table's address has no \"%.*s\"", STR_FMT(name));
        return err_hint(err, "dynamodb:TABLE?index=NAME&region=NAME&endpoint=URL&profile=NAME");
    }
    return RC_OK;
}

static enum rc parse_address(struct arena *a, const char *word, struct scan_options *opts,
                             struct err *err)
{
    struct str all = str_make(word + SCHEME.n, strlen(word) - SCHEME.n);
    size_t mark = str_find(all, STR("?"), 0);
    opts->table = str_make(all.p, mark);
    struct str rest = str_from(all, mark < all.n ? mark + 1 : all.n);
    enum rc rc = RC_OK;
    while (!rc && rest.n) {
        size_t end = str_find(rest, STR("&"), 0);
        struct str one = str_make(rest.p, end);
        size_t equals = str_find(one, STR("="), 0);
        struct str value = str_from(one, equals < one.n ? equals + 1 : one.n);
        char *text = unescape(a, value);
        rc = text ? set_member(opts, str_make(one.p, equals), text, err) : err_nomem(err);
        rest = str_from(rest, end < rest.n ? end + 1 : rest.n);
    }
    if (!rc && opts->table.n == 0)
        rc = err_set(err, RC_USAGE, "\"%s\" names no table\nhint: dynamodb:TABLE", word);
    return rc;
}

static enum rc parse_pace(const struct options *o, struct scan_pace *pace, struct err *err)
{
    unsigned long long n = 0;
    if (o->rcu && o->rcu_percent)
        return err_set(err, RC_USAGE, "--rcu and --rcu-percent exclude each other");
    if (o->rcu_percent) {
        *pace = (struct scan_pace){SCAN_PACE_PERCENT, (int64_t)o->rcu_percent};
    } else if (o->rcu && strcmp(o->rcu, "max") == 0) {
        *pace = (struct scan_pace){SCAN_PACE_MAX, 0};
    } else if (o->rcu && str_uint(str_of(o->rcu), &n) && n >= 1 && n <= 10000000) {
        *pace = (struct scan_pace){SCAN_PACE_UNITS, (int64_t)n};
    } else if (o->rcu) {
        return err_set(err, RC_USAGE, "--rcu takes a number from 1 on, or max, not \"%s\"",
                       o->rcu);
    }
    if (o->join && (pace->kind == SCAN_PACE_DEFAULT || pace->kind == SCAN_PACE_MAX)) {
        (void)err_set(err, RC_USAGE,
                      "--join: the budget is this process's own, and its share "
                      "is not said");
        return err_hint(err, "--rcu N or --rcu-percent P in every process of the run");
    }
    return RC_OK;
}

/* Reads a whole number of `unit`s. */
static enum rc parse_time(const char *name, const char *text, int64_t unit, int64_t *out,
                          struct err *err)
{
    unsigned long long n = 0;
    if (!text)
        return RC_OK;
    if (!str_uint(str_of(text), &n) || n < 1 || n > 1000000) {
        return err_set(err, RC_USAGE, "--%s takes a number from 1 to 1000000, not \"%s\"", name,
                       text);
    }
    *out = (int64_t)n * unit;
    return RC_OK;
}

enum rc table_address_give_up(const struct options *o, int64_t *out, struct err *err)
{
    return parse_time("give-up", o->give_up, SECOND, out, err);
}

static enum rc parse_options(const struct options *o, struct scan_options *opts,
                             struct err *err)
{
    enum rc rc = parse_pace(o, &opts->pace, err);
    if (!rc)
        rc = table_address_give_up(o, &opts->give_up_us, err);
    if (!rc)
        rc = parse_time("max-age", o->max_age, 3600 * SECOND, &opts->max_age_us, err);
    if (!rc && o->now)
        rc = job_now(o, &opts->now_us, err);
    return rc;
}

/* Prints with --quiet, too: the wait would look like a hang. */
void table_address_trouble(const struct err *err, int64_t left_us)
{
    tell_warning("%s\ntrying again, for %lld s at most", err->msg,
                 (long long)(left_us / SECOND));
}

/* Prints with --quiet, too: another profile may be another account. */
void table_address_tell(const char *line)
{
    (void)fprintf(stderr, "renorm: %s\n", line);
}

enum rc table_address_open(struct job *job, const char *const *words, size_t n,
                           const struct options *o, struct err *err)
{
    (void)n; /* always 1: see `alone` of struct driver */
    struct scan_options opts = {.index = str_of(o->index),
                                .aws = {.region = o->region,
                                        .endpoint = o->endpoint,
                                        .profile = o->profile,
                                        .ask = prompt_terminal,
                                        .tell = table_address_tell,
                                        .stop = job->stop},
                                .segments = (uint32_t)o->segments,
                                .scatter = o->scatter,
                                .workers = (unsigned)o->workers,
                                .strong = o->strong,
                                .gzip = o->gzip,
                                .ask_ttl = !o->ttl,
                                .watch_us = (int64_t)o->watch_seconds * SECOND,
                                .trouble = table_address_trouble,
                                .env = &env_real,
                                .vars = &vars_real};
    enum rc rc = parse_address(&job->texts, words[0], &opts, err);
    if (!rc)
        rc = parse_options(o, &opts, err);
    return rc ? rc : scan_open(&opts, &job->source, err);
}
