/* SPDX-License-Identifier: MIT */
/*
 * The two calls of the security token service: AssumeRole, signed by other credentials, and
 * AssumeRoleWithWebIdentity, which carries its own proof. Both are tried three times.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
 */
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/aws/creds/creds_private.h"
#include "pipeline/aws/dynamodb/retry.h"
#include "pipeline/aws/sign/signer.h"
#include "pipeline/aws/xml.h"
#include "pipeline/base/timefmt.h"

enum { MAX_FORM = 256 * 1024 };

static const struct retry_policy three_times = {.base_us = 50000,
                                                .throttle_base_us = 1000000,
                                                .cap_us = 20000000,
                                                .probe_us = 1000000,
                                                .give_up_us = INT64_C(60) * 1000000,
                                                .max_attempts = 3};

static void add_field(struct buf *form, const char *name, struct str value)
{
    if (!value.n)
        return;
    buf_addf(form, "&%s=", name);
    sigv4_encode(value, false, form);
}

static void add_session(struct buf *form, const struct aws_settings *s,
                        const struct creds_role *role)
{
    char name[64];
    (void)snprintf(name, sizeof name, "renorm-%lld",
                   (long long)(s->env->now_us(s->env->ctx) / 1000000));
    add_field(form, "RoleArn", role->role_arn);
    add_field(form, "RoleSessionName",
              role->session_name.n ? role->session_name : str_of(name));
    add_field(form, "DurationSeconds", role->duration);
    add_field(form, "ExternalId", role->external_id);
    add_field(form, "SerialNumber", role->mfa_serial);
    add_field(form, "TokenCode", role->mfa_code);
}

static enum rc read_result(struct str body, const char *who, struct creds *out, struct err *err)
{
    enum { ID, SECRET, TOKEN, EXPIRES, FIELDS };
    static const char *const names[FIELDS] = {"AccessKeyId", "SecretAccessKey", "SessionToken",
                                              "Expiration"};
    struct buf field[FIELDS];
    bool found = true;
    for (int i = 0; i < FIELDS; i++) {
        buf_init(&field[i], MAX_FORM);
        found = xml_text(body, names[i], &field[i]) && found;
    }
    enum rc rc = RC_OK;
    if (!found)
        rc = err_set(err, RC_AUTH, "%s: STS answered without credentials", who);
    if (!rc) {
        rc = creds_set(out, buf_view(&field[ID]), buf_view(&field[SECRET]),
                       buf_view(&field[TOKEN]), who, err);
    }
    if (!rc && !timefmt_read_iso(buf_view(&field[EXPIRES]), &out->expires_us))
        rc = err_set(err, RC_AUTH, "%s: STS answered with an expiration that is no date", who);
    for (int i = 0; i < FIELDS; i++)
        buf_wipe(&field[i]);
    return rc;
}

/* One call; with a signer, or unsigned. */
struct sts {
    const struct aws_settings *settings;
    struct endpoint endpoint;
    struct signer *signer;
    struct buf *form;
    struct signature signature;
    struct http_header headers[4];
    struct http_call call;
    int64_t skew_us; /* signed with */
};

static enum rc attempt(struct sts *t, struct err *err)
{
    size_t n = 0;
    t->headers[n++] = (struct http_header){
        STR("Content-Type"), STR("application/x-www-form-urlencoded; charset=utf-8")};
    enum rc rc = RC_OK;
    if (t->signer) {
        struct signer_request r = {.method = STR("POST"),
                                   .url = str_of(t->endpoint.url),
                                   .body = buf_view(t->form),
                                   .headers = t->headers,
                                   .n_headers = n};
        t->skew_us = clock_skew_get(t->settings->skew);
        int64_t now = t->settings->env->now_us(t->settings->env->ctx) + t->skew_us;
        rc = signer_sign(t->signer, &r, now, &t->signature, err);
        t->headers[n++] = (struct http_header){STR("X-Amz-Date"), str_of(t->signature.date)};
        t->headers[n++] =
            (struct http_header){STR("Authorization"), buf_view(&t->signature.authorization)};
        if (t->signature.token.len) {
            t->headers[n++] = (struct http_header){STR("X-Amz-Security-Token"),
                                                   buf_view(&t->signature.token)};
        }
    }
    t->call.method = "POST";
    t->call.url = t->endpoint.url;
    t->call.headers = t->headers;
    t->call.n_headers = n;
    t->call.send = buf_view(t->form);
    return rc ? rc : http_fetch(&t->settings->http, &t->call, err);
}

static enum rc call(struct sts *t, const char *who, struct creds *out, struct err *err)
{
    const struct env *env = t->settings->env;
    struct retry retry;
    struct retry_op op = {0};
    retry_init(&retry, env, &three_times);
    enum rc rc = attempt(t, err);
    bool clock_off = clock_skew_learn(t->settings->skew, &t->call, t->skew_us);
    struct aws_failure f;
    aws_error_read(&t->call, &f);
    if (!rc && f.class == AWS_SKEW && clock_off) /* once: the clock is right now */
        rc = attempt(t, err);
    while (!rc && !aws_error_none(&t->call)) {
        int64_t at = 0;
        aws_error_read(&t->call, &f);
        rc = retry_failed(&retry, &op, &f, who, &at, err);
        if (!rc) {
            rc = http_rest(&t->settings->http, at, err);
            if (!rc)
                rc = attempt(t, err);
        }
    }
    if (!rc)
        rc = read_result(buf_view(&t->call.body), who, out, err);
    retry_release(&retry);
    return rc;
}

static enum rc run(const struct aws_settings *s, struct signer *signer, struct buf *form,
                   const char *who, struct creds *out, struct err *err)
{
    struct sts t = {.settings = s, .signer = signer, .form = form};
    signer_signature_init(&t.signature);
    http_call_init(&t.call);
    enum rc rc = buf_check(form, err);
    if (!rc)
        rc = aws_settings_need_region(s, err);
    if (!rc)
        rc = endpoint_resolve(s, AWS_STS, NULL, &t.endpoint, err);
    if (!rc && signer)
        (void)snprintf(signer->region, sizeof signer->region, "%s", t.endpoint.signing_region);
    if (!rc)
        rc = call(&t, who, out, err);
    http_call_release(&t.call);
    signer_signature_release(&t.signature);
    return rc;
}

enum rc creds_role_get(const struct aws_settings *s, const struct creds_role *role,
                       const struct creds *source, struct creds *out, struct err *err)
{
    char who[320];
    (void)snprintf(who, sizeof who, "AssumeRole \"%.*s\"",
                   (int)(role->role_arn.n < 256 ? role->role_arn.n : 256), role->role_arn.p);
    struct creds_provider *keys = creds_static_new(
        buf_view(&source->key_id), buf_view(&source->secret), buf_view(&source->token));
    if (!keys)
        return err_nomem(err);
    struct signer signer;
    signer_init(&signer, keys, s->region, "sts");
    struct buf form;
    buf_init(&form, MAX_FORM);
    buf_puts(&form, "Action=AssumeRole&Version=2011-06-15");
    add_session(&form, s, role);
    enum rc rc = run(s, &signer, &form, who, out, err);
    buf_wipe(&form);
    signer_release(&signer);
    creds_free(keys);
    return rc;
}

static enum rc read_token(const char *path, struct buf *out, struct err *err)
{
    static const char WHAT[] = "the web identity token file";
    enum rc rc = creds_token_file(path, WHAT, " \t\r\n", out, err);
    if (!rc && out->len == 0)
        rc = err_set(err, RC_AUTH, "%s \"%s\" is empty", WHAT, path);
    return rc;
}

enum rc creds_web_get(const struct aws_settings *s, const struct creds_role *role,
                      struct creds *out, struct err *err)
{
    struct buf form, token, path;
    buf_init(&form, MAX_FORM);
    buf_init(&token, MAX_FORM);
    buf_init(&path, 8192);
    buf_add_str(&path, role->web_token_file);
    enum rc rc = buf_check(&path, err);
    if (!rc) /* read anew each time: it is rotated */
        rc = read_token(buf_cstr(&path), &token, err);
    if (!rc) {
        (void)buf_room(&form, 3 * token.len + 4096);
        buf_puts(&form, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15");
        add_session(&form, s, role);
        add_field(&form, "WebIdentityToken", buf_view(&token));
        rc = run(s, NULL, &form, "AssumeRoleWithWebIdentity", out, err);
    }
    buf_wipe(&form);
    buf_wipe(&token);
    buf_release(&path);
    return rc;
}
