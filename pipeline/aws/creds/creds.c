/* SPDX-License-Identifier: MIT */
/* What all providers share, the provider of given keys, and the default composition. */
#include "pipeline/aws/creds/creds.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/aws/creds/creds_private.h"

enum { MAX_SECRET = 64 * 1024 };

void creds_init(struct creds *c)
{
    *c = (struct creds){0};
    buf_init(&c->key_id, MAX_SECRET);
    buf_init(&c->secret, MAX_SECRET);
    buf_init(&c->token, MAX_SECRET);
}

void creds_release(struct creds *c)
{
    buf_wipe(&c->key_id);
    buf_wipe(&c->secret);
    buf_wipe(&c->token);
    creds_init(c);
}

/* Growing by realloc could leave a copy behind: take the room first. */
static enum rc put(struct buf *b, struct str s, struct err *err)
{
    buf_wipe(b);
    if (buf_grow(b, s.n))
        buf_add_str(b, s);
    return buf_check(b, err);
}

enum rc creds_copy(struct creds *to, const struct creds *from, struct err *err)
{
    enum rc rc = put(&to->key_id, buf_view(&from->key_id), err);
    if (!rc)
        rc = put(&to->secret, buf_view(&from->secret), err);
    if (!rc)
        rc = put(&to->token, buf_view(&from->token), err);
    to->expires_us = from->expires_us;
    to->version = from->version;
    return rc;
}

enum rc creds_set(struct creds *c, struct str key_id, struct str secret, struct str token,
                  const char *who, struct err *err)
{
    if (!key_id.n || !secret.n) {
        return err_set(err, RC_AUTH, "%s: partial credentials, the %s is missing", who,
                       key_id.n ? "secret access key" : "access key id");
    }
    enum rc rc = put(&c->key_id, key_id, err);
    if (!rc)
        rc = put(&c->secret, secret, err);
    if (!rc)
        rc = put(&c->token, token, err);
    c->expires_us = 0;
    return rc;
}

enum rc creds_get(struct creds_provider *p, struct creds *out, struct err *err)
{
    return p->get(p, out, err);
}

void creds_free(struct creds_provider *p)
{
    if (p)
        p->free(p);
}

enum rc creds_token_file(const char *path, const char *what, const char *trim, struct buf *out,
                         struct err *err)
{
    FILE *f = fopen(path, "rbe");
    if (!f)
        return err_set(err, RC_AUTH, "%s \"%s\" cannot be read", what, path);
    if (buf_grow(out, out->max / 2))
        out->len = fread(out->p, 1, out->max / 2, f);
    (void)fclose(f);
    while (out->len > 0 && strchr(trim, out->p[out->len - 1]))
        out->len--;
    return RC_OK;
}

static void free_plain(struct creds_provider *p)
{
    free(p);
}

struct creds_provider *creds_from_settings_new(const char *name, creds_get_fn *get,
                                               const struct aws_settings *s)
{
    struct creds_from_settings *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->base = (struct creds_provider){name, get, free_plain};
    p->settings = s;
    return &p->base;
}

struct given {
    struct creds_provider base;
    struct creds creds;
};

static enum rc given_get(struct creds_provider *p, struct creds *out, struct err *err)
{
    struct given *g = (struct given *)p;
    return creds_copy(out, &g->creds, err);
}

static void given_free(struct creds_provider *p)
{
    struct given *g = (struct given *)p;
    creds_release(&g->creds);
    free(g);
}

struct creds_provider *creds_static_new(struct str key_id, struct str secret, struct str token)
{
    struct err err;
    struct given *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->base = (struct creds_provider){"given keys", given_get, given_free};
    creds_init(&g->creds);
    if (creds_set(&g->creds, key_id, secret, token, "given keys", &err)) {
        given_free(&g->base);
        return NULL;
    }
    return &g->base;
}

struct creds_provider *creds_default_new(const struct aws_settings *s)
{
    struct creds_provider *list[6];
    size_t n = 0;
    /* a profile named by option is meant, whatever the environment holds */
    if (!s->profile_explicit)
        list[n++] = creds_env_new(s);
    list[n++] = creds_profile_new(s, s->profile, CREDS_PROFILE_ROLE);
    list[n++] = creds_web_new(s);
    list[n++] = creds_profile_new(s, s->profile, CREDS_PROFILE_REST);
    list[n++] = creds_container_new(s);
    list[n++] = creds_imds_new(s);
    struct creds_provider *chain = creds_chain_new(list, n);
    return chain ? creds_cache_new(chain, s->env, s->skew) : NULL;
}
