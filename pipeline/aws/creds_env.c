/* SPDX-License-Identifier: MIT */
/* Keys in environment variables. One without the other is an error, not "not configured". */
#include <stdlib.h>

#include "pipeline/aws/creds.h"
#include "pipeline/aws/timefmt.h"

struct from_env {
    struct creds_provider base;
    const struct aws_settings *settings;
};

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    const struct vars *v = ((struct from_env *)p)->settings->vars;
    const char *id = vars_get(v, "AWS_ACCESS_KEY_ID");
    const char *secret = vars_get(v, "AWS_SECRET_ACCESS_KEY");
    const char *token = vars_get(v, "AWS_SESSION_TOKEN");
    const char *until = vars_get(v, "AWS_CREDENTIAL_EXPIRATION");
    if (!id && !secret)
        return err_set(err, RC_END, "AWS_ACCESS_KEY_ID is not set");
    if (!token)
        token = vars_get(v, "AWS_SECURITY_TOKEN");
    enum rc rc = creds_set(out, str_of(id), str_of(secret), str_of(token), p->name, err);
    if (!rc && until && !timefmt_read_iso(str_of(until), &out->expires_us))
        rc = err_set(err, RC_AUTH, "AWS_CREDENTIAL_EXPIRATION is no date: \"%s\"", until);
    return rc;
}

static void release(struct creds_provider *p)
{
    free(p);
}

struct creds_provider *creds_env_new(const struct aws_settings *s)
{
    struct from_env *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->base = (struct creds_provider){"environment", get, release};
    e->settings = s;
    return &e->base;
}
