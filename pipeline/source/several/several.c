/* SPDX-License-Identifier: MIT */
/*
 * Tables are set to the largest number of segments that any of them wants. Where files do not know how
 * many they have, neither does the whole, and then the tables' number is part of the identity.
 */
#include "pipeline/source/several/several.h"

#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/several/several_private.h"

static struct several *self(const struct source *s)
{
    return (struct several *)(void *)(uintptr_t)s;
}

size_t several_find(const struct several *s, uint32_t segment, uint32_t *own)
{
    size_t i = s->each ? segment / s->each : s->ntables;
    if (i > s->ntables)
        i = s->ntables;
    *own = segment - (uint32_t)i * s->each;
    return i;
}

uint32_t several_segment(const struct several *s, size_t i, uint32_t own)
{
    return (uint32_t)i * s->each + own;
}

/* Of the files, which come last; 0: there are none. */
static const struct source *files_of(const struct several *s)
{
    return s->n > s->ntables ? s->v[s->ntables] : NULL;
}

/* The oldest and longest times that any of them names. */
static void set_times(struct several *s)
{
    struct source *b = &s->base;
    b->same_us = b->max_age_us = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct source *v = s->v[i];
        bool shorter = v->max_age_us && (!b->max_age_us || v->max_age_us < b->max_age_us);
        b->same_us = v->same_us > b->same_us ? v->same_us : b->same_us;
        b->max_age_us = shorter ? v->max_age_us : b->max_age_us;
    }
}

static void set_segments(struct several *s)
{
    struct source *b = &s->base;
    bool has_files = s->n > s->ntables;
    uint32_t of_files = has_files ? s->v[s->ntables]->segments : 0;
    b->segments = (uint32_t)s->ntables * s->each + of_files;
    if (has_files && of_files == 0)
        b->segments = 0;
    b->ahead = UINT32_MAX;
    for (size_t i = 0; i < s->n; i++)
        b->ahead = s->v[i]->ahead < b->ahead ? s->v[i]->ahead : b->ahead;
    b->ahead = b->ahead ? b->ahead : 1;
}

/* Gives all tables so many segments; the time of a run that is begun now is no matter. */
static enum rc set_each(struct several *s, uint32_t each, int64_t started_us, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; !rc && i < s->ntables; i++)
        rc = s->v[i]->ops->resume(s->v[i], each, started_us, err);
    s->each = each;
    set_segments(s);
    return rc;
}

static enum rc resume(struct source *base, uint32_t segments, int64_t started_us,
                      struct err *err)
{
    struct several *s = self(base);
    const struct source *files = files_of(s);
    uint32_t fixed = files ? files->segments : 0, n = (uint32_t)s->ntables;
    if (!segments || (files && !files->segments))
        return set_each(s, s->each, started_us, err);
    if (segments <= fixed || (segments - fixed) % n) {
        (void)err_set(err, RC_USAGE,
                      "the unfinished run has %u segments, which are not those of "
                      "these sources",
                      segments);
        return err_hint(err, "--restart begins anew");
    }
    return set_each(s, (segments - fixed) / n, started_us, err);
}

static enum rc take(struct source *base, struct reader *r, uint32_t *segment, struct err *err)
{
    (void)base;
    return several_reader_take(r, segment, err);
}

static struct reader *new_reader(struct source *base, struct err *err)
{
    return several_reader_new(self(base), err);
}

static enum rc tick(struct source *base, struct err *err)
{
    const struct several *s = self(base);
    enum rc rc = RC_OK;
    for (size_t i = 0; !rc && i < s->n; i++)
        rc = s->v[i]->ops->tick ? s->v[i]->ops->tick(s->v[i], err) : RC_OK;
    return rc;
}

static enum rc confirm(struct source *base, struct err *err)
{
    const struct several *s = self(base);
    enum rc rc = RC_OK;
    for (size_t i = 0; !rc && i < s->n; i++)
        rc = s->v[i]->ops->confirm ? s->v[i]->ops->confirm(s->v[i], err) : RC_OK;
    return rc;
}

static void usage(struct source *base, struct source_usage *out)
{
    const struct several *s = self(base);
    *out = (struct source_usage){0};
    for (size_t i = 0; i < s->n; i++) {
        struct source_usage one = {0};
        if (s->v[i]->ops->usage)
            s->v[i]->ops->usage(s->v[i], &one);
        out->units += one.units;
        out->allowed += one.allowed;
        out->throttles += one.throttles;
        out->retries += one.retries;
    }
}

static void several_free(struct source *base)
{
    struct several *s = self(base);
    for (size_t i = 0; i < s->n; i++)
        s->v[i]->ops->free(s->v[i]);
    free(s->v);
    free(s->keys);
    free(s->base.parts);
    buf_release(&s->identity);
    buf_release(&s->description);
    buf_release(&s->notice);
    free(s);
}

static const struct source_ops OPS = {.take = take,
                                      .reader = new_reader,
                                      .free = several_free,
                                      .resume = resume,
                                      .tick = tick,
                                      .confirm = confirm,
                                      .usage = usage};

enum rc several_identify(struct source *base, struct err *err)
{
    struct several *s = self(base);
    buf_clear(&s->identity);
    buf_puts(&s->identity, "several 1");
    if (!s->base.segments)
        buf_addf(&s->identity, " segments %u", s->each);
    for (size_t i = 0; i < s->n; i++) {
        buf_putc(&s->identity, '\n');
        buf_add_str(&s->identity, s->v[i]->identity);
    }
    base->identity = buf_view(&s->identity);
    return buf_check(&s->identity, err);
}

/* Items expire by one attribute, whatever table they are in. */
static enum rc set_ttl(struct several *s, struct err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        struct str ttl = s->v[i]->ttl;
        if (ttl.n && s->base.ttl.n && !str_eq(ttl, s->base.ttl)) {
            (void)err_set(err, RC_USAGE,
                          "the tables have different TTL attributes, \"%.*s\" and \"%.*s\"",
                          STR_FMT(s->base.ttl), STR_FMT(ttl));
            return err_hint(err, "--ttl NAME or --ttl off says which one counts");
        }
        s->base.ttl = ttl.n ? ttl : s->base.ttl;
    }
    return RC_OK;
}

static bool has(const struct str *v, size_t n, struct str name)
{
    for (size_t i = 0; i < n; i++) {
        if (str_eq(v[i], name))
            return true;
    }
    return false;
}

/* The key is that of the first one that knows its own; each part has its own besides. */
static enum rc set_names(struct several *s, struct err *err)
{
    struct source *b = &s->base;
    size_t keys = 0, parts = 0;
    for (size_t i = 0; i < s->n; i++) {
        keys += s->v[i]->nindexing;
        parts += s->v[i]->nparts;
    }
    s->keys = calloc(keys + 1, sizeof *s->keys);
    b->parts = calloc(parts + 1, sizeof *b->parts); /* NOLINT(bugprone-sizeof-expression) */
    if (!s->keys || !b->parts)
        return err_nomem(err);
    b->indexing = s->keys;
    for (size_t i = 0; i < s->n; i++) {
        const struct source *v = s->v[i];
        if (!b->nkey) {
            b->key = v->key;
            b->nkey = v->nkey;
        }
        for (size_t k = 0; k < v->nindexing; k++) {
            if (!has(s->keys, b->nindexing, v->indexing[k]))
                s->keys[b->nindexing++] = v->indexing[k];
        }
        for (size_t k = 0; k < v->nparts; k++)
            b->parts[b->nparts++] = v->parts[k];
    }
    return RC_OK;
}

/* Items of one run have one form. */
static enum rc set_form(struct several *s, struct err *err)
{
    s->base.plain = s->v[0]->plain;
    for (size_t i = 1; i < s->n; i++) {
        if (s->v[i]->plain == s->base.plain)
            continue;
        (void)err_set(err, RC_USAGE, "%.*s and %.*s have items of different forms",
                      STR_FMT(s->v[0]->description), STR_FMT(s->v[i]->description));
        return err_hint(err, "files beside a live table hold items with type tags");
    }
    return RC_OK;
}

static enum rc same_twice(const struct several *s, struct err *err)
{
    for (size_t i = 0; i < s->ntables; i++) {
        for (size_t k = 0; k < i; k++) {
            if (str_eq(s->v[i]->identity, s->v[k]->identity)) {
                return err_set(err, RC_USAGE, "%.*s is named twice",
                               STR_FMT(s->v[i]->description));
            }
        }
    }
    return RC_OK;
}

static enum rc describe(struct several *s, struct err *err)
{
    bool bytes = true;
    s->base.resumable = true;
    for (size_t i = 0; i < s->n; i++) {
        const struct source *v = s->v[i];
        buf_puts(&s->description, i ? "; " : "");
        buf_add_str(&s->description, v->description);
        buf_puts(&s->notice, s->notice.len && v->notice.n ? "; " : "");
        buf_add_str(&s->notice, v->notice);
        bytes = bytes && v->bytes;
        s->base.bytes += v->bytes;
        s->base.resumable = s->base.resumable && v->resumable;
    }
    if (!bytes)
        s->base.bytes = 0;
    s->base.description = buf_view(&s->description);
    s->base.notice = buf_view(&s->notice);
    enum rc rc = buf_check(&s->description, err);
    return rc ? rc : buf_check(&s->notice, err);
}

static uint32_t most_segments(const struct several *s)
{
    uint32_t most = 0;
    for (size_t i = 0; i < s->ntables; i++)
        most = s->v[i]->segments > most ? s->v[i]->segments : most;
    return most;
}

static struct several *make(struct source **v, size_t n)
{
    struct several *s = calloc(1, sizeof *s);
    struct source **own = calloc(n + 1, sizeof *own); /* NOLINT(bugprone-sizeof-expression) */
    if (!s || !own) {
        free(s);
        free(own);
        return NULL;
    }
    s->base.ops = &OPS;
    s->base.kind = "several";
    s->v = own;
    for (size_t i = 0; i < n; i++) {
        s->ntables += v[i]->ops->resume != NULL;
        own[s->n++] = v[i];
    }
    buf_init(&s->identity, BUF_NO_LIMIT);
    buf_init(&s->description, BUF_NO_LIMIT);
    buf_init(&s->notice, BUF_NO_LIMIT);
    return s;
}

enum rc several_new(struct source **v, size_t n, struct source **out, struct err *err)
{
    struct several *s = make(v, n);
    *out = NULL;
    if (!s) {
        for (size_t i = 0; i < n; i++)
            v[i]->ops->free(v[i]);
        return err_nomem(err);
    }
    enum rc rc = set_each(s, most_segments(s), INT64_MAX / 2, err);
    set_times(s);
    if (!rc)
        rc = same_twice(s, err);
    if (!rc)
        rc = set_form(s, err);
    if (!rc)
        rc = set_ttl(s, err);
    if (!rc)
        rc = set_names(s, err);
    if (!rc)
        rc = describe(s, err);
    if (!rc)
        rc = several_identify(&s->base, err);
    if (rc) {
        several_free(&s->base);
        return rc;
    }
    *out = &s->base;
    return RC_OK;
}

size_t several_count(const struct source *s)
{
    return s->ops == &OPS ? self(s)->n : 0;
}

struct source *several_get(struct source *s, size_t i)
{
    return self(s)->v[i];
}
