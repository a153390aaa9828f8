/* SPDX-License-Identifier: MIT */
/*
 * One attempt of one second each by default, as the SDKs do; AWS_METADATA_SERVICE_TIMEOUT
 * and AWS_METADATA_SERVICE_NUM_ATTEMPTS change that.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-imds-credentials.html
 */
#include "pipeline/aws/creds/imds.h"

#include <stdio.h>
#include <strings.h>

#include "pipeline/aws/aws_error.h"

static const char TTL[] = "x-aws-ec2-metadata-token-ttl-seconds";
static const char TOKEN[] = "x-aws-ec2-metadata-token";

static int64_t number(const struct aws_settings *s, const char *name, int64_t normal)
{
    const char *text = vars_get(s->vars, name);
    unsigned long long n = 0;
    return text && str_uint(str_of(text), &n) && n > 0 && n < 3600 ? (int64_t)n : normal;
}

static void choose_base(struct imds *m)
{
    const struct vars *v = m->settings->vars;
    const char *url = vars_get(v, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
    const char *mode = vars_get(v, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE");
    struct str base = str_of(url);
    if (!url && mode && strcasecmp(mode, "ipv6") == 0) {
        base = STR("http://[fd00:ec2::254]");
    } else if (!url) {
        base = STR("http://169.254.169.254");
    }
    while (base.n > 0 && base.p[base.n - 1] == '/')
        base.n--;
    (void)snprintf(m->base, sizeof m->base, "%.*s", STR_FMT(base));
}

static enum rc ask(struct imds *m, const char *path, const struct http_header *header,
                   struct http_call *call, struct err *err)
{
    char url[1024];
    (void)snprintf(url, sizeof url, "%s%s", m->base, path);
    call->url = url;
    call->headers = header;
    call->n_headers = 1;
    int64_t ms = 1000 * number(m->settings, "AWS_METADATA_SERVICE_TIMEOUT", 1);
    struct http_config config = {.env = m->settings->env,
                                 .connect_ms = ms,
                                 .first_byte_ms = ms,
                                 .stall_ms = ms,
                                 .max_body = 1 << 20,
                                 .stop = m->settings->http.stop,
                                 .no_proxy = true};
    int64_t tries = number(m->settings, "AWS_METADATA_SERVICE_NUM_ATTEMPTS", 1);
    enum rc rc = RC_OK;
    for (int64_t i = 0; i < tries && !rc; i++) {
        rc = http_fetch(&config, call, err);
        if (!rc && call->result == HTTP_DONE && call->status < 500)
            break;
    }
    call->url = NULL; /* this function's array ends here */
    call->headers = NULL;
    return rc;
}

enum rc imds_open(struct imds *m, const struct aws_settings *s, struct err *err)
{
    *m = (struct imds){.settings = s};
    buf_init(&m->token, 4096);
    if (vars_flag(s->vars, "AWS_EC2_METADATA_DISABLED"))
        return err_set(err, RC_NONE, "turned off by AWS_EC2_METADATA_DISABLED");
    choose_base(m);
    struct http_header ttl = {str_of(TTL), STR("21600")};
    struct http_call call;
    http_call_init(&call);
    call.method = "PUT";
    enum rc rc = ask(m, "/latest/api/token", &ttl, &call, err);
    if (!rc && aws_error_none(&call)) {
        buf_add_str(&m->token, buf_view(&call.body));
    } else if (!rc && call.result == HTTP_DONE) {
        rc = err_set(err, call.status >= 500 ? RC_TRANSIENT : RC_NONE,
                     "the metadata service answered %ld", call.status);
    } else if (!rc) {
        rc = err_set(err, RC_NONE, "no metadata service: %s", call.detail);
    }
    http_call_release(&call);
    return rc ? rc : buf_check(&m->token, err);
}

void imds_close(struct imds *m)
{
    buf_wipe(&m->token);
}

enum rc imds_get(struct imds *m, const char *path, struct buf *out, struct err *err)
{
    struct http_header token = {str_of(TOKEN), buf_view(&m->token)};
    struct http_call call;
    http_call_init(&call);
    call.method = "GET";
    enum rc rc = ask(m, path, &token, &call, err);
    if (!rc && aws_error_none(&call)) {
        buf_add_str(out, buf_view(&call.body));
    } else if (!rc && call.status == 404) {
        rc = err_set(err, RC_NONE, "the metadata service has no \"%s\"", path);
    } else if (!rc) {
        rc = err_set(err, RC_TRANSIENT, "metadata service: %ld %s", call.status, call.detail);
    }
    http_call_release(&call);
    return rc ? rc : buf_check(out, err);
}

bool imds_region(const struct aws_settings *s, struct buf *out)
{
    struct err err = {0};
    struct imds m;
    enum rc rc = imds_open(&m, s, &err);
    if (!rc)
        rc = imds_get(&m, "/latest/meta-data/placement/region", out, &err);
    imds_close(&m);
    return !rc && out->len > 0;
}
