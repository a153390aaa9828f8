/* SPDX-License-Identifier: MIT */
/*
 * The first provider that is configured decides: if it fails, that is the error, since going
 * on would use another identity than the one that was meant.
 */
#include <stdlib.h>

#include "pipeline/aws/creds/creds.h"

struct chain {
    struct creds_provider base;
    size_t n;
    struct creds_provider *providers[];
};

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    struct chain *c = (struct chain *)p;
    struct buf tried;
    buf_init(&tried, sizeof err->msg);
    enum rc rc = RC_NONE;
    for (size_t i = 0; i < c->n && rc == RC_NONE; i++) {
        struct err why = {0};
        rc = creds_get(c->providers[i], out, &why);
        if (rc == RC_NONE) {
            buf_addf(&tried, "%s%s: %s", i ? "; " : "", c->providers[i]->name, why.msg);
        } else if (rc) {
            *err = why;
        }
    }
    if (rc == RC_NONE) {
        (void)err_set(err, RC_AUTH, "no credentials found (%s)", buf_cstr(&tried));
        rc = err_hint(err, "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    }
    buf_release(&tried);
    return rc;
}

static void release(struct creds_provider *p)
{
    struct chain *c = (struct chain *)p;
    for (size_t i = 0; i < c->n; i++)
        creds_free(c->providers[i]);
    free(c);
}

struct creds_provider *creds_chain_new(struct creds_provider **providers, size_t n)
{
    struct chain *c = calloc(1, sizeof *c + n * sizeof(struct creds_provider *));
    bool ok = c != NULL;
    for (size_t i = 0; i < n; i++) {
        ok = ok && providers[i];
        if (!c) {
            creds_free(providers[i]);
        } else if (providers[i]) {
            c->providers[c->n++] = providers[i];
        }
    }
    if (!c)
        return NULL;
    c->base = (struct creds_provider){"chain", get, release};
    if (ok)
        return &c->base;
    release(&c->base);
    return NULL;
}
