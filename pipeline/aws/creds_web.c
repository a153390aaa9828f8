/* SPDX-License-Identifier: MIT */
/* The web identity of the environment, as EKS sets it for a pod. */
#include <stdlib.h>

#include "pipeline/aws/creds.h"

struct web {
    struct creds_provider base;
    const struct aws_settings *settings;
};

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    const struct aws_settings *s = ((struct web *)p)->settings;
    const char *file = vars_get(s->vars, "AWS_WEB_IDENTITY_TOKEN_FILE");
    const char *role = vars_get(s->vars, "AWS_ROLE_ARN");
    if (!file)
        return err_set(err, RC_END, "AWS_WEB_IDENTITY_TOKEN_FILE is not set");
    if (!role)
        return err_set(err, RC_AUTH, "AWS_WEB_IDENTITY_TOKEN_FILE is set, AWS_ROLE_ARN is not");
    struct creds_role r = {.role_arn = str_of(role),
                           .session_name = str_of(vars_get(s->vars, "AWS_ROLE_SESSION_NAME")),
                           .web_token_file = str_of(file)};
    return creds_web_get(s, &r, out, err);
}

static void release(struct creds_provider *p)
{
    free(p);
}

struct creds_provider *creds_web_new(const struct aws_settings *s)
{
    struct web *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->base = (struct creds_provider){"web identity", get, release};
    w->settings = s;
    return &w->base;
}
