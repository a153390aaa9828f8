/* SPDX-License-Identifier: MIT */
/* The web identity of the environment, as EKS sets it for a pod. */
#include "pipeline/aws/creds/creds_private.h"

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    const struct aws_settings *s = creds_settings(p);
    const char *file = vars_get(s->vars, "AWS_WEB_IDENTITY_TOKEN_FILE");
    const char *role = vars_get(s->vars, "AWS_ROLE_ARN");
    if (!file)
        return err_set(err, RC_NONE, "AWS_WEB_IDENTITY_TOKEN_FILE is not set");
    if (!role)
        return err_set(err, RC_AUTH, "AWS_WEB_IDENTITY_TOKEN_FILE is set, AWS_ROLE_ARN is not");
    struct creds_role r = {.role_arn = str_of(role),
                           .session_name = str_of(vars_get(s->vars, "AWS_ROLE_SESSION_NAME")),
                           .web_token_file = str_of(file)};
    return creds_web_get(s, &r, out, err);
}

struct creds_provider *creds_web_new(const struct aws_settings *s)
{
    return creds_from_settings_new("web identity", get, s);
}
