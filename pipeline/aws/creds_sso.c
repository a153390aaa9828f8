/* SPDX-License-Identifier: MIT */
/*
 * IAM Identity Center: the token that `aws sso login` left in its cache buys the role's
 * credentials. The token is only read: renewing it is the login command's business, so that
 * nothing secret is ever written.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-sso-credentials.html
 */
#include <openssl/sha.h>
#include <stdio.h>
#include <yyjson.h>

#include "pipeline/aws/aws_error.h"
#include "pipeline/aws/creds.h"
#include "pipeline/aws/creds_json.h"
#include "pipeline/aws/sigv4.h"
#include "pipeline/aws/timefmt.h"

enum { MAX_TOKEN = 64 * 1024 };

struct sso {
    const struct aws_settings *settings;
    struct str profile, account, role, region, cache_key;
    struct buf token; /* wiped */
};

static enum rc log_in(const struct sso *o, const char *what, struct err *err)
{
    (void)err_set(err, RC_AUTH, "profile \"%.*s\": %s", STR_FMT(o->profile), what);
    return err_hint(err, "run: aws sso login --profile %.*s", STR_FMT(o->profile));
}

static void cache_path(const struct sso *o, struct buf *out)
{
    unsigned char hash[SHA_DIGEST_LENGTH];
    (void)SHA1((const unsigned char *)o->cache_key.p, o->cache_key.n, hash);
    const char *home = vars_get(o->settings->vars, "HOME");
    buf_addf(out, "%s/.aws/sso/cache/", home ? home : "");
    for (size_t i = 0; i < sizeof hash; i++)
        buf_addf(out, "%02x", hash[i]);
    buf_puts(out, ".json");
}

static struct str member(yyjson_val *o, const char *name)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    return yyjson_is_str(v) ? str_make(yyjson_get_str(v), yyjson_get_len(v)) : STR("");
}

static enum rc take_token(struct sso *o, yyjson_val *root, struct err *err)
{
    int64_t until = 0;
    struct str token = member(root, "accessToken");
    if (!token.n || !timefmt_read_iso(member(root, "expiresAt"), &until))
        return log_in(o, "the cached SSO token cannot be read", err);
    if (until <= o->settings->env->now_us(o->settings->env->ctx))
        return log_in(o, "the SSO session has expired", err);
    if (buf_grow(&o->token, token.n))
        buf_add_str(&o->token, token);
    return buf_check(&o->token, err);
}

static enum rc read_token(struct sso *o, struct err *err)
{
    struct buf path, text;
    buf_init(&path, 8192);
    buf_init(&text, MAX_TOKEN);
    cache_path(o, &path);
    FILE *f = fopen(buf_cstr(&path), "rbe");
    if (f && buf_grow(&text, MAX_TOKEN))
        text.len = fread(text.p, 1, MAX_TOKEN, f);
    enum rc rc;
    if (f)
        (void)fclose(f);
    if (!f) {
        rc = log_in(o, "there is no SSO token", err);
    } else {
        /* in situ, so that the only copy lies in the wiped buffer; it has room for padding */
        yyjson_doc *doc = NULL;
        if (text.len > 0 && text.len + YYJSON_PADDING_SIZE <= MAX_TOKEN) {
            memset(text.p + text.len, 0, YYJSON_PADDING_SIZE);
            doc = yyjson_read_opts(text.p, text.len, YYJSON_READ_INSITU, NULL, NULL);
        }
        rc = take_token(o, yyjson_doc_get_root(doc), err);
        yyjson_doc_free(doc);
    }
    buf_wipe(&text);
    buf_release(&path);
    return rc;
}

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
    buf_add_str(&region, o->region);
    enum rc rc = endpoint_resolve(o->settings, AWS_SSO, buf_cstr(&region), &at, err);
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
        rc = http_fetch(&o->settings->http, &call, err);
    struct aws_failure f;
    aws_error_read(&call, &f);
    if (!rc && call.status == 401) {
        rc = log_in(o, "the SSO session is not accepted any more", err);
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
    struct str session = aws_config_get(c, AWS_PROFILE, o->profile, "sso_session");
    struct str start = aws_config_get(c, AWS_PROFILE, o->profile, "sso_start_url");
    o->account = aws_config_get(c, AWS_PROFILE, o->profile, "sso_account_id");
    o->role = aws_config_get(c, AWS_PROFILE, o->profile, "sso_role_name");
    o->region = aws_config_get(c, AWS_PROFILE, o->profile, "sso_region");
    if (!session.n && !start.n)
        return err_set(err, RC_END, "no SSO session");
    o->cache_key = session.n ? session : start;
    if (session.n) {
        if (!aws_config_has(c, AWS_SSO_SESSION, session)) {
            return err_set(err, RC_AUTH, "profile \"%.*s\": there is no [sso-session %.*s]",
                           STR_FMT(o->profile), STR_FMT(session));
        }
        o->region = aws_config_get(c, AWS_SSO_SESSION, session, "sso_region");
    }
    if (!o->account.n || !o->role.n || !o->region.n) {
        return err_set(err, RC_AUTH, "profile \"%.*s\": %s is missing", STR_FMT(o->profile),
                       !o->account.n ? "sso_account_id"
                       : !o->role.n  ? "sso_role_name"
                                     : "sso_region");
    }
    return RC_OK;
}

enum rc creds_sso_get(const struct aws_settings *s, const struct aws_config *config,
                      struct str profile, struct creds *out, struct err *err)
{
    struct sso o = {.settings = s, .profile = profile};
    buf_init(&o.token, MAX_TOKEN);
    enum rc rc = find_session(&o, config, err);
    if (!rc)
        rc = read_token(&o, err);
    if (!rc)
        rc = get_role(&o, out, err);
    buf_wipe(&o.token);
    return rc;
}
