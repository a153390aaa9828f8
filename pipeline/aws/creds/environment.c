/* SPDX-License-Identifier: MIT */
/* Keys in environment variables. One without the other is an error, not "not configured". */
#include "pipeline/aws/creds/creds_private.h"
#include "pipeline/base/timefmt.h"

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    const struct vars *v = creds_settings(p)->vars;
    const char *id = vars_get(v, "AWS_ACCESS_KEY_ID");
    const char *secret = vars_get(v, "AWS_SECRET_ACCESS_KEY");
    const char *token = vars_get(v, "AWS_SESSION_TOKEN");
    const char *until = vars_get(v, "AWS_CREDENTIAL_EXPIRATION");
    if (!id && !secret)
        return err_set(err, RC_NONE, "AWS_ACCESS_KEY_ID is not set");
    if (!token)
        token = vars_get(v, "AWS_SECURITY_TOKEN");
    enum rc rc = creds_set(out, str_of(id), str_of(secret), str_of(token), p->name, err);
    if (!rc && until && !timefmt_read_iso(str_of(until), &out->expires_us))
        rc = err_set(err, RC_AUTH, "AWS_CREDENTIAL_EXPIRATION is no date: \"%s\"", until);
    return rc;
}

struct creds_provider *creds_env_new(const struct aws_settings *s)
{
    return creds_from_settings_new("environment", get, s);
}
