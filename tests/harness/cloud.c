/* SPDX-License-Identifier: MIT */
/* The answers are the least that each service sends; requests are noted line by line. */
#include "tests/harness/cloud.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void keep(char *out, size_t size, struct str s)
{
    (void)snprintf(out, size, "%.*s", STR_FMT(s));
}

static void sts(const struct httpd_request *r, struct httpd_reply *reply, struct cloud *c)
{
    char body[1024];
    struct str who = httpd_header(r, "Authorization");
    struct str date = httpd_header(r, "X-Amz-Date");
    const char *clock = c->clock ? c->clock : "";
    if (c->clock && !str_starts(date, str_of(c->hour))) {
        httpd_answer(reply, 403, clock,
                     STR("<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>"
                         "Signature not yet current</Message></Error></ErrorResponse>"));
        return;
    }
    bool chained = str_find(who, STR("Credential=ASIA"), 0) < who.n;
    (void)snprintf(
        body, sizeof body,
        "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
        "<AssumeRoleResult><Credentials><AccessKeyId>ASIA%d</AccessKeyId>"
        "<SecretAccessKey>s+/=&amp;</SecretAccessKey><SessionToken>tok</SessionToken>"
        "<Expiration>%s</Expiration></Credentials></AssumeRoleResult>"
        "</AssumeRoleResponse>",
        chained ? 2 : 1, c->expires);
    httpd_answer(reply, 200, clock, str_of(body));
}

static void document(struct httpd_reply *reply, const struct cloud *c)
{
    char body[512];
    (void)snprintf(body, sizeof body,
                   "{\"Code\":\"Success\",\"AccessKeyId\":\"ROLE\",\"SecretAccessKey\":\"sec\","
                   "\"Token\":\"tok\",\"Expiration\":\"%s\"}",
                   c->expires);
    httpd_answer(reply, 200, "", str_of(body));
}

static void refuse(struct httpd_reply *reply, const struct cloud *c)
{
    httpd_answer(reply, c->status, "",
                 STR("<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message>"
                     "</Error></ErrorResponse>"));
}

static void cloud(const struct httpd_request *r, struct httpd_reply *reply, void *ctx)
{
    struct cloud *c = ctx;
    size_t n = strlen(c->seen);
    (void)snprintf(c->seen + n, sizeof c->seen - n, "%.*s %.*s %.*s\n", STR_FMT(r->method),
                   STR_FMT(r->target), STR_FMT(r->body));
    keep(c->authorization, sizeof c->authorization, httpd_header(r, "Authorization"));
    struct str token = httpd_header(r, "x-aws-ec2-metadata-token");
    if (!token.n)
        token = httpd_header(r, "x-amz-sso_bearer_token");
    keep(c->token, sizeof c->token, token);
    if (c->fail > 0) {
        c->fail--;
        httpd_answer(reply, 500, "", STR(""));
    } else if (c->status) {
        refuse(reply, c);
    } else if (str_is(r->target, "/token") && c->renewal) {
        httpd_answer(reply, c->renewal, "x-amzn-errortype: InvalidGrantException\r\n",
                     STR("{\"error\":\"invalid_grant\",\"message\":\"too late\"}"));
    } else if (str_is(r->target, "/token")) {
        httpd_answer(
            reply, 200, "",
            STR("{\"accessToken\":\"NEW\",\"expiresIn\":3600,\"refreshToken\":\"R2\"}"));
    } else if (str_is(r->target, "/latest/api/token")) {
        httpd_answer(reply, 200, "", STR("IMDSTOKEN"));
    } else if (str_is(r->target, "/latest/meta-data/iam/security-credentials/")) {
        httpd_answer(reply, 200, "", STR("my-role"));
    } else if (str_starts(r->target, STR("/federation/"))) {
        httpd_answer(reply, 200, "",
                     STR("{\"roleCredentials\":{\"accessKeyId\":\"SSO\",\"secretAccessKey\":"
                         "\"sec\",\"sessionToken\":\"tok\",\"expiration\":1800000000000}}"));
    } else if (str_is(r->method, "POST")) {
        sts(r, reply, c);
    } else {
        document(reply, c);
    }
}

int cloud_open(void **state)
{
    static struct cloud_test f;
    memset(&f, 0, sizeof f);
    awsenv_open(&f.e);
    f.cloud.expires = "2026-01-02T04:04:05Z";
    f.server = httpd_new(cloud, &f.cloud);
    assert_non_null(f.server);
    awsenv_set(&f.e, "AWS_REGION", "eu-west-1");
    awsenv_set(&f.e, "AWS_ENDPOINT_URL", httpd_url(f.server));
    awsenv_set(&f.e, "AWS_METADATA_SERVICE_TIMEOUT", "60");
    creds_init(&f.creds);
    *state = &f;
    return 0;
}

int cloud_close(void **state)
{
    struct cloud_test *f = *state;
    httpd_free(f->server);
    creds_release(&f->creds);
    aws_settings_release(&f->s);
    awsenv_close(&f->e);
    return 0;
}

/* Asks the default chain of the world as it is now. */
static enum rc ask(struct cloud_test *f)
{
    struct aws_options options = {.ask = f->ask};
    aws_settings_release(&f->s);
    awsenv_settings(&f->e, &options, &f->s);
    struct creds_provider *p = creds_default_new(&f->s);
    assert_non_null(p);
    err_clear(&f->err);
    (void)httpd_requests(f->server); /* its lock orders our writes and the server's */
    f->cloud.seen[0] = '\0';
    enum rc rc = creds_get(p, &f->creds, &f->err);
    (void)httpd_requests(f->server);
    creds_free(p);
    return rc;
}

void cloud_good(struct cloud_test *f, const char *key_id)
{
    if (ask(f))
        fail_msg("%s", f->err.msg);
    assert_string_equal(buf_cstr(&f->creds.key_id), key_id);
}

void cloud_bad(struct cloud_test *f, const char *part)
{
    cloud_fails(f, RC_AUTH, part);
}

void cloud_fails(struct cloud_test *f, enum rc rc, const char *part)
{
    assert_int_equal(ask(f), rc);
    if (!strstr(f->err.msg, part))
        fail_msg("\"%s\" lacks \"%s\"", f->err.msg, part);
}

bool cloud_saw(const struct cloud_test *f, const char *part)
{
    return strstr(f->cloud.seen, part) != NULL;
}
