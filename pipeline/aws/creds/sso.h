/* SPDX-License-Identifier: MIT */
/* The token of an IAM Identity Center session, as `aws sso login` keeps it. */
#ifndef AWS_CREDS_SSO_H
#define AWS_CREDS_SSO_H

#include "pipeline/aws/settings.h"

struct creds_sso_session {
    const struct aws_settings *settings;
    struct str profile;   /* for messages */
    struct str region;    /* of the session */
    struct str cache_key; /* its name, or the start URL */
};

/* An RC_AUTH that tells how to log in. */
enum rc creds_sso_log_in(const struct creds_sso_session *s, const char *what, struct err *err);

/* Appends the access token, renewed if it must be and can be. `token` is to be wiped. */
enum rc creds_sso_token(const struct creds_sso_session *s, struct buf *token,
                        struct err *err) MUST_CHECK;

#endif
