/* SPDX-License-Identifier: MIT */
/* A transfer that failed rests here until it is due; nothing else has to be remembered. */
#include "pipeline/source/s3/s3_link.h"

#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/s3/s3_bytes.h"
#include "pipeline/source/s3/s3_origin.h"

static struct s3_link *of(struct origin_link *l)
{
    return (struct s3_link *)(void *)l;
}

enum rc s3_link_wait(struct s3_link *l, struct pollfd *extra, size_t nextra, int timeout_ms,
                     struct err *err)
{
    int64_t now = l->s3->env->mono_us(l->s3->env->ctx), ms = timeout_ms;
    for (struct s3_bytes *b = l->open; b; b = b->next) {
        int64_t due = s3_bytes_turn(b, now);
        int64_t left = due == INT64_MAX ? ms : due > now ? (due - now + 999) / 1000 : 0;
        ms = left < ms ? left : ms;
    }
    return http_poll(l->loop, extra, nextra, ms, err);
}

static enum rc wait_link(struct origin_link *l, struct pollfd *extra, size_t nextra,
                         int timeout_ms, struct err *err)
{
    return s3_link_wait(of(l), extra, nextra, timeout_ms, err);
}

static void wake(struct origin_link *l)
{
    http_wakeup(of(l)->loop);
}

static void free_link(struct origin_link *l)
{
    s3_link_free(of(l));
}

static enum rc open_object(const struct origin *o, const char *name, struct bytes **out,
                           struct err *err)
{
    struct s3_link *l = (struct s3_link *)(uintptr_t)o;
    struct s3_object *object = s3_origin_object(l->origin, name);
    if (!object)
        return err_set(err, RC_SOURCE, "\"%s\" was not there when the run began", name);
    struct s3_bytes *b = s3_bytes_open(l, object, err);
    *out = b ? &b->base : NULL;
    return b ? RC_OK : err->rc;
}

struct s3_link *s3_link_new(const struct s3_origin *origin, struct s3 *s3, struct err *err)
{
    static const struct origin_ops OPS = {.open = open_object};
    static const struct origin_link_ops LINK_OPS = {
        .wait = wait_link, .wake = wake, .free = free_link};
    struct s3_link *l = memory_new(sizeof *l, err);
    if (!l)
        return NULL;
    l->base = (struct origin_link){{&OPS}, &LINK_OPS};
    l->origin = origin;
    l->s3 = s3;
    if (http_loop_new(&l->loop, &s3->http, err)) {
        free(l);
        return NULL;
    }
    return l;
}

void s3_link_free(struct s3_link *l)
{
    if (!l)
        return;
    while (l->open)
        bytes_close(&l->open->base);
    http_loop_free(l->loop);
    free(l);
}
