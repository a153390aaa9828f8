/* SPDX-License-Identifier: MIT */
/*
 * The endpoint of ECS and of EKS Pod Identity. Plain HTTP is accepted for loopback and for
 * the link-local addresses of the two services only: elsewhere the token would leak.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
#include "pipeline/aws/creds/container.h"

#include "pipeline/aws/aws_error.h"
#include "pipeline/aws/creds/creds_json.h"
#include "pipeline/aws/creds/creds_private.h"

enum { TRIES = 3, MAX_TOKEN = 64 * 1024 };

static struct str without_port(struct str host)
{
    if (host.n && host.p[0] == '[')
        return str_make(host.p, str_find(host, STR("]"), 0) + 1);
    return str_make(host.p, str_find(host, STR(":"), 0));
}

static bool is_loopback_v4(struct str host)
{
    if (!str_starts(host, STR("127.")))
        return false;
    for (size_t i = 0; i < host.n; i++) {
        if (!strchr("0123456789.", host.p[i]))
            return false;
    }
    return true;
}

static bool is_allowed(const struct http_url *url)
{
    static const char *const hosts[] = {"localhost", "169.254.170.2", "169.254.170.23",
                                        "[fd00:ec2::23]", "[::1]"};
    if (url->scheme.n == 5)
        return true; /* https */
    struct str host = without_port(url->host);
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        if (str_is(host, hosts[i]))
            return true;
    }
    return is_loopback_v4(host);
}

enum rc creds_container_url(const struct vars *vars, struct buf *out, struct err *err)
{
    const char *relative = vars_get(vars, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const char *full = vars_get(vars, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
    struct http_url url;
    if (relative) {
        buf_addf(out, "http://169.254.170.2%s", relative);
        return buf_check(out, err);
    }
    if (!full)
        return err_set(err, RC_NONE, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not set");
    if (!http_url_split(str_of(full), &url) || !is_allowed(&url)) {
        (void)err_set(err, RC_AUTH, "AWS_CONTAINER_CREDENTIALS_FULL_URI: \"%s\" is refused",
                      full);
        return err_hint(err, "https, or http to loopback or a container service's address");
    }
    buf_puts(out, full);
    return buf_check(out, err);
}

static enum rc read_token(const struct vars *vars, struct buf *out, struct err *err)
{
    const char *file = vars_get(vars, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    const char *text = vars_get(vars, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
    enum rc rc = RC_OK;
    if (file) {
        rc = creds_token_file(file, "container token file", "\r\n", out, err);
    } else if (text) {
        buf_puts(out, text);
    }
    for (size_t i = 0; i < out->len && !rc; i++) {
        if (out->p[i] == '\r' || out->p[i] == '\n')
            rc = err_set(err, RC_AUTH, "the container's authorization token has line breaks");
    }
    return rc ? rc : buf_check(out, err);
}

static enum rc fetch(const struct aws_settings *s, const char *url, struct str token,
                     struct http_call *call, struct err *err)
{
    struct http_config config = {.env = s->env,
                                 .ca_bundle = s->ca_bundle,
                                 .connect_ms = 2000,
                                 .first_byte_ms = 2000,
                                 .stall_ms = 2000,
                                 .max_body = 1 << 20,
                                 .stop = s->http.stop,
                                 .no_proxy = strncmp(url, "http:", 5) == 0};
    struct http_header header = {STR("Authorization"), token};
    call->method = "GET";
    call->url = url;
    call->headers = &header;
    call->n_headers = token.n > 0;
    enum rc rc = RC_OK;
    for (int i = 0; i < TRIES && !rc; i++) {
        if (i > 0)
            rc = http_rest(&config, s->env->mono_us(s->env->ctx) + 1000000, err);
        if (!rc)
            rc = http_fetch(&config, call, err);
        if (!rc && call->result == HTTP_DONE && call->status < 500)
            break;
    }
    call->headers = NULL;
    return rc;
}

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    const struct aws_settings *s = creds_settings(p);
    struct buf url, token;
    struct http_call call;
    buf_init(&url, 4096);
    buf_init(&token, MAX_TOKEN);
    http_call_init(&call);
    enum rc rc = creds_container_url(s->vars, &url, err);
    if (!rc)
        rc = read_token(s->vars, &token, err);
    if (!rc)
        rc = fetch(s, buf_cstr(&url), buf_view(&token), &call, err);
    if (!rc && aws_error_none(&call)) {
        rc = creds_json_read(buf_view(&call.body), &creds_names_usual, p->name, out, err);
    } else if (!rc) {
        struct aws_failure f;
        aws_error_read(&call, &f);
        rc = aws_error_set(&f, p->name, err);
    }
    http_call_release(&call);
    buf_wipe(&token);
    buf_release(&url);
    return rc;
}

struct creds_provider *creds_container_new(const struct aws_settings *s)
{
    return creds_from_settings_new("container endpoint", get, s);
}
