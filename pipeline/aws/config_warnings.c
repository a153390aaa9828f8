/* SPDX-License-Identifier: MIT */
/*
 * Duplicates in the shared files are neighbours in a sorted list. Python's reader refuses such
 * files, others take the first or the last; here all count and the later line wins, as it does
 * in the SDKs. Values are never repeated: they may be secrets.
 */
#include "pipeline/aws/config_warnings.h"

#include <stdlib.h>
#include <strings.h>

enum { MAX_LINE = 4096, MAX_TOLD = 5 };

static void tell(const struct aws_settings *s, struct buf *line)
{
    if (!line->rc)
        s->options.tell(buf_cstr(line));
    buf_clear(line);
}

static void tell_profiles(const struct aws_settings *s, struct buf *line)
{
    const char *one = vars_get(s->vars, "AWS_PROFILE");
    const char *other = vars_get(s->vars, "AWS_DEFAULT_PROFILE");
    if (s->profile_explicit || !one || !other || strcmp(one, other) == 0)
        return;
    buf_addf(line,
             "AWS_PROFILE is \"%s\" and AWS_DEFAULT_PROFILE is \"%s\": \"%s\" is taken (the "
             "AWS command line takes the other)",
             one, other, one);
    tell(s, line);
}

/* ---- repeats ------------------------------------------------------------------------------- */

static bool is_attempts(struct str s)
{
    unsigned long long n = 0;
    return str_uint(s, &n) && n >= 1 && n <= 1000000;
}

static bool is_mode(struct str s)
{
    return str_is(s, "legacy") || str_is(s, "standard") || str_is(s, "adaptive");
}

static void tell_repeats(const struct aws_settings *s, struct buf *line)
{
    static const struct {
        const char *variable, *key, *want;
        bool (*good)(struct str s);
    } KNOWN[] = {{"AWS_MAX_ATTEMPTS", "max_attempts", "a number from 1 on", is_attempts},
                 {"AWS_RETRY_MODE", "retry_mode", "legacy, standard or adaptive", is_mode}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        const char *set = vars_get(s->vars, KNOWN[i].variable);
        struct str value = set ? str_of(set) : aws_settings_get(s, KNOWN[i].key);
        if (!value.n || KNOWN[i].good(value))
            continue;
        buf_addf(line, "%s is \"%.*s\", not %s; it does not apply here: --give-up does",
                 set ? KNOWN[i].variable : KNOWN[i].key, STR_FMT(value), KNOWN[i].want);
        tell(s, line);
    }
}

/* ---- what stands twice --------------------------------------------------------------------- */

static int by_bytes(struct str a, struct str b)
{
    int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int without_case(struct str a, struct str b)
{
    int order = strncasecmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* Orders by file, section and key; 0: both say the same thing. */
static int by_meaning(const struct aws_setting *a, const struct aws_setting *b)
{
    int order = (int)a->from_credentials - (int)b->from_credentials;
    if (!order)
        order = (int)a->kind - (int)b->kind;
    if (!order)
        order = by_bytes(a->section, b->section);
    if (!order)
        order = without_case(a->parent, b->parent);
    return order ? order : without_case(a->key, b->key);
}

static int compare(const void *x, const void *y)
{
    const struct aws_setting *a = *(const struct aws_setting *const *)x;
    const struct aws_setting *b = *(const struct aws_setting *const *)y;
    int order = by_meaning(a, b);
    return order ? order : a->line - b->line;
}

/* A key counts within one section: of a section that stands twice the section itself is told. */
static bool is_twice(const struct aws_setting *a, const struct aws_setting *b)
{
    return a->kind != AWS_OTHER_SECTION && by_meaning(a, b) == 0 &&
           (a->key.n == 0 || a->section_line == b->section_line);
}

static void tell_twice(const struct aws_settings *s, const struct aws_setting *a,
                       const struct aws_setting *b, struct buf *line)
{
    static const char *const KINDS[] = {[AWS_PROFILE] = "profile",
                                        [AWS_SSO_SESSION] = "sso-session",
                                        [AWS_SERVICES] = "services"};
    const struct buf *path =
        a->from_credentials ? &s->config.credentials_path : &s->config.config_path;
    buf_addf(line, "\"%.*s\": ", STR_FMT(buf_view(path)));
    if (a->key.n) {
        buf_addf(line, "\"%.*s\" of %s \"%.*s\" stands in lines %d and %d", STR_FMT(a->key),
                 KINDS[a->kind], STR_FMT(a->section), a->line, b->line);
        buf_addf(line, ": line %d is taken", b->line);
    } else {
        buf_addf(line, "%s \"%.*s\" begins in line %d and in line %d", KINDS[a->kind],
                 STR_FMT(a->section), a->line, b->line);
        buf_puts(line, ": both are taken, the later one first");
    }
    tell(s, line);
}

static enum rc tell_duplicates(const struct aws_settings *s, struct buf *line, struct err *err)
{
    const struct aws_config *c = &s->config;
    size_t found = 0;
    if (c->n < 2)
        return RC_OK;
    const struct aws_setting **v = calloc(c->n, sizeof(struct aws_setting *));
    if (!v)
        return err_nomem(err);
    for (size_t i = 0; i < c->n; i++)
        v[i] = &c->settings[i];
    qsort(v, c->n, sizeof(struct aws_setting *), compare);
    for (size_t i = 1; i < c->n; i++) {
        if (is_twice(v[i - 1], v[i]) && found++ < MAX_TOLD)
            tell_twice(s, v[i - 1], v[i], line);
    }
    if (found > MAX_TOLD) {
        buf_addf(line, "%zu more sections or settings of the AWS files stand twice",
                 found - MAX_TOLD);
        tell(s, line);
    }
    free(v);
    return RC_OK;
}

enum rc config_warnings_tell(const struct aws_settings *s, struct err *err)
{
    struct buf line;
    buf_init(&line, MAX_LINE);
    tell_profiles(s, &line);
    tell_repeats(s, &line);
    enum rc rc = tell_duplicates(s, &line, err);
    buf_release(&line);
    return rc;
}
