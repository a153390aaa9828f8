/* SPDX-License-Identifier: MIT */
/*
 * Keeps what the inner provider gave. Fifteen minutes before expiry one thread tries to renew
 * and the others go on with the old ones; ten minutes before, or when the service refused
 * them, all wait for the one that renews. Only expired credentials are an error: before that
 * a failed renewal is tried again a little later.
 */
#include <pthread.h>
#include <stdlib.h>

#include "pipeline/aws/creds/creds.h"

static const int64_t MINUTE = INT64_C(60) * 1000000;
static const int64_t EARLY = INT64_C(5) * 60 * 1000000; /* of those who ask ahead of time */
static const int64_t AGAIN = INT64_C(10) * 1000000;

struct cache {
    struct creds_provider base;
    struct creds_provider *inner;
    const struct env *env;
    struct clock_skew *skew;
    pthread_mutex_t mu;
    pthread_cond_t changed;
    struct creds creds; /* lock: mu, as all below */
    bool have, refused, busy;
    int64_t not_before_us; /* after a failed early renewal */
};

/* As those who gave the credentials have it. */
static int64_t now_of(const struct cache *c)
{
    return c->env->now_us(c->env->ctx) + (c->skew ? clock_skew_get(c->skew) : 0);
}

enum need { NEED_NOTHING, NEED_SOON, NEED_NOW };

/* lock: c->mu. As it will be `early` from now. */
static enum need need_of(const struct cache *c, int64_t now, int64_t early)
{
    if (!c->have || c->refused)
        return NEED_NOW;
    if (c->creds.expires_us == 0 || (now < c->creds.expires_us && now < c->not_before_us))
        return NEED_NOTHING;
    int64_t left = c->creds.expires_us - now - early;
    if (left > 15 * MINUTE)
        return NEED_NOTHING;
    return left > 10 * MINUTE ? NEED_SOON : NEED_NOW;
}

/* lock: c->mu. Takes over what the provider gave. Credentials that live only minutes are
 * renewed at half their life, not at every question. */
static enum rc take(struct cache *c, const struct creds *fresh, struct err *err)
{
    int64_t now = now_of(c);
    int64_t left = fresh->expires_us - now;
    if (fresh->expires_us && left <= 0)
        return err_set(err, RC_AUTH, "the credentials that were given have already expired");
    uint64_t version = c->creds.version + 1;
    enum rc rc = creds_copy(&c->creds, fresh, err);
    c->creds.version = version;
    c->have = !rc;
    c->refused = false;
    c->not_before_us = fresh->expires_us && left <= 15 * MINUTE + EARLY ? now + left / 2 : 0;
    return rc;
}

/* lock: c->mu, let go while the provider works. */
static enum rc renew(struct cache *c, struct err *err)
{
    struct creds fresh;
    creds_init(&fresh);
    c->busy = true;
    (void)pthread_mutex_unlock(&c->mu);
    enum rc rc = creds_get(c->inner, &fresh, err);
    (void)pthread_mutex_lock(&c->mu);
    if (!rc)
        rc = take(c, &fresh, err);
    if (rc)
        c->not_before_us = now_of(c) + AGAIN;
    c->busy = false;
    (void)pthread_cond_broadcast(&c->changed);
    creds_release(&fresh);
    return rc;
}

/* lock: c->mu. A failed renewal is harmless while the old ones last. */
static enum rc make_ready(struct cache *c, struct err *err)
{
    for (;;) {
        int64_t now = now_of(c);
        enum need need = need_of(c, now, 0);
        if (need == NEED_NOTHING || (need == NEED_SOON && c->busy))
            return RC_OK;
        if (!c->busy) {
            enum rc rc = renew(c, err);
            bool usable = c->have && !c->refused && c->creds.expires_us > now;
            return usable ? RC_OK : rc;
        }
        (void)pthread_cond_wait(&c->changed, &c->mu);
    }
}

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    struct cache *c = (struct cache *)p;
    (void)pthread_mutex_lock(&c->mu);
    enum rc rc = make_ready(c, err);
    if (!rc)
        rc = creds_copy(out, &c->creds, err);
    (void)pthread_mutex_unlock(&c->mu);
    return rc;
}

static void release(struct creds_provider *p)
{
    struct cache *c = (struct cache *)p;
    creds_free(c->inner);
    creds_release(&c->creds);
    (void)pthread_cond_destroy(&c->changed);
    (void)pthread_mutex_destroy(&c->mu);
    free(c);
}

struct creds_provider *creds_cache_new(struct creds_provider *inner, const struct env *env,
                                       struct clock_skew *skew)
{
    struct cache *c = inner ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        creds_free(inner);
        return NULL;
    }
    c->base = (struct creds_provider){"cache", get, release};
    c->inner = inner;
    c->env = env;
    c->skew = skew;
    creds_init(&c->creds);
    (void)pthread_mutex_init(&c->mu, NULL);
    (void)pthread_cond_init(&c->changed, NULL);
    return &c->base;
}

enum rc creds_cache_keep(struct creds_provider *cache, struct err *err)
{
    struct cache *c = (struct cache *)cache;
    enum rc rc = RC_OK;
    (void)pthread_mutex_lock(&c->mu);
    /* the main thread renews earlier than a worker would, so that no worker has to */
    int64_t now = now_of(c);
    if (!c->busy && need_of(c, now, EARLY) != NEED_NOTHING)
        rc = renew(c, err);
    (void)pthread_mutex_unlock(&c->mu);
    return rc;
}

void creds_cache_drop(struct creds_provider *cache, uint64_t version)
{
    struct cache *c = (struct cache *)cache;
    (void)pthread_mutex_lock(&c->mu);
    if (c->have && c->creds.version == version)
        c->refused = true;
    (void)pthread_mutex_unlock(&c->mu);
}
