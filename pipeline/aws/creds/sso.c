/* SPDX-License-Identifier: MIT */
/*
 * IAM Identity Center: the token that `aws sso login` left in its cache buys the role's
 * credentials.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-sso-credentials.html
 */
#include "pipeline/aws/creds/sso.h"

#include "pipeline/aws/aws_error.h"
#include "pipeline/aws/creds/creds.h"
#include "pipeline/aws/creds/creds_json.h"
#include "pipeline/aws/sign/sigv4.h"

enum { MAX_TOKEN = 64 * 1024 };

struct sso {
    struct creds_sso_session session;
    struct str account, role;
    struct buf token; /* wiped */
};

static enum rc get_role(struct sso *o, struct creds *out, struct err *err)
{
    static const struct creds_names names = {"accessKeyId", "secretAccessKey", "sessionToken",
                                             "expiration"};
    struct endpoint at;
    struct buf url, region;
    struct http_call call;
    buf_init(&url, 4096);
    buf_init(&region, 128);
    http_call_init(&call);
    buf_add_str(&region, o->session.region);
    enum rc rc = endpoint_resolve(o->session.settings, AWS_SSO, buf_cstr(&region), &at, err);
    if (!rc) {
        buf_addf(&url, "%sfederation/credentials?role_name=", at.url);
        sigv4_encode(o->role, false, &url);
        buf_puts(&url, "&account_id=");
        sigv4_encode(o->account, false, &url);
        rc = buf_check(&url, err);
    }
    struct http_header header = {STR("x-amz-sso_bearer_token"), buf_view(&o->token)};
    call.method = "GET";
    call.url = buf_cstr(&url);
    call.headers = &header;
    call.n_headers = 1;
    if (!rc)
        rc = http_fetch(&o->session.settings->http, &call, err);
    struct aws_failure f;
    aws_error_read(&call, &f);
    (void)clock_skew_learn(o->session.settings->skew, &call, 0);
    if (!rc && call.status == 401) {
        rc = creds_sso_log_in(&o->session, "the SSO session is not accepted any more", err);
    } else if (!rc && f.class != AWS_OK) {
        rc = aws_error_set(&f, "SSO GetRoleCredentials", err);
    } else if (!rc) {
        rc = creds_json_read(buf_view(&call.body), &names, "SSO", out, err);
    }
    http_call_release(&call);
    buf_release(&region);
    buf_release(&url);
    return rc;
}

/* The session's own section, or the older keys in the profile itself. */
static enum rc find_session(struct sso *o, const struct aws_config *c, struct err *err)
{
    struct str p = o->session.profile;
    struct str session = aws_config_get(c, AWS_PROFILE, p, "sso_session");
    struct str start = aws_config_get(c, AWS_PROFILE, p, "sso_start_url");
    o->account = aws_config_get(c, AWS_PROFILE, p, "sso_account_id");
    o->role = aws_config_get(c, AWS_PROFILE, p, "sso_role_name");
    o->session.region = aws_config_get(c, AWS_PROFILE, p, "sso_region");
    if (!session.n && !start.n)
        return err_set(err, RC_NONE, "no SSO session");
    o->session.cache_key = session.n ? session : start;
    if (session.n) {
        if (!aws_config_has(c, AWS_SSO_SESSION, session)) {
            return err_set(err, RC_AUTH, "profile \"%.*s\": there is no [sso-session %.*s]",
                           STR_FMT(p), STR_FMT(session));
        }
        o->session.region = aws_config_get(c, AWS_SSO_SESSION, session, "sso_region");
    }
    if (!o->account.n || !o->role.n || !o->session.region.n) {
        return err_set(err, RC_AUTH, "profile \"%.*s\": %s is missing", STR_FMT(p),
                       !o->account.n ? "sso_account_id"
                       : !o->role.n  ? "sso_role_name"
                                     : "sso_region");
    }
    return RC_OK;
}

enum rc creds_sso_get(const struct aws_settings *s, const struct aws_config *config,
                      struct str profile, struct creds *out, struct err *err)
{
    struct sso o = {.session = {.settings = s, .profile = profile}};
    buf_init(&o.token, MAX_TOKEN);
    enum rc rc = find_session(&o, config, err);
    if (!rc)
        rc = creds_sso_token(&o.session, &o.token, err);
    if (!rc)
        rc = get_role(&o, out, err);
    buf_wipe(&o.token);
    return rc;
}
