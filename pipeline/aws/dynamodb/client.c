/* SPDX-License-Identifier: MIT */
/*
 * One attempt is: sign with the corrected clock, send, judge. Expired credentials and a wrong
 * clock are each cured and repeated once; all else is the retry module's to decide. The
 * blocking call is the same attempt in a loop of its own.
 */
#include "pipeline/aws/dynamodb/client.h"

#include <stdio.h>
#include <yyjson.h>

/* A late answer of before a jump of the clock undoes what others learned of it: more than once. */
enum { MAX_REQUEST = 16 << 20, MAX_SKEWED = 8, TOLD_TRIES = 3 };
static const int64_t TOLD_US = 2000000;

enum rc dynamodb_init(struct dynamodb *d, const struct dynamodb_config *config, struct err *err)
{
    const struct aws_settings *s = config->settings;
    const struct retry_policy *policy = config->policy ? config->policy : &retry_dynamodb;
    *d = (struct dynamodb){.env = s->env, .settings = s, .provider = config->provider};
    d->gzip = config->gzip;
    d->trouble = config->trouble;
    d->http = s->http;
    enum rc rc = aws_settings_need_region(s, err);
    if (!rc)
        rc = endpoint_resolve(s, AWS_DYNAMODB, NULL, &d->endpoint, err);
    if (rc)
        return rc;
    signer_init(&d->signer, d->provider, d->endpoint.signing_region, "dynamodb");
    d->skew = s->skew;
    retry_init(&d->retry, d->env, policy);
    return RC_OK;
}

void dynamodb_release(struct dynamodb *d)
{
    signer_release(&d->signer);
    retry_release(&d->retry);
}

void dynamodb_request_init(struct dynamodb_request *r)
{
    *r = (struct dynamodb_request){0};
    buf_init(&r->send, MAX_REQUEST);
    http_call_init(&r->http);
    signer_signature_init(&r->signature);
}

void dynamodb_request_release(struct dynamodb_request *r)
{
    http_call_release(&r->http);
    signer_signature_release(&r->signature);
    buf_release(&r->send);
}

static void attempt_done(struct http_call *call, void *ctx)
{
    (void)call;
    struct dynamodb_request *r = ctx;
    if (r->done)
        r->done(r, r->ctx);
}

static size_t put(struct dynamodb_request *r, size_t n, struct str name, struct str value)
{
    r->headers[n] = (struct http_header){name, value};
    return n + 1;
}

static enum rc sign(struct dynamodb *d, struct dynamodb_request *r, size_t *n_headers,
                    struct err *err)
{
    (void)snprintf(r->target, sizeof r->target, "DynamoDB_20120810.%s", r->op);
    size_t n = put(r, 0, STR("Content-Type"), STR("application/x-amz-json-1.0"));
    n = put(r, n, STR("X-Amz-Target"), str_of(r->target));
    struct signer_request request = {.method = STR("POST"),
                                     .url = str_of(d->endpoint.url),
                                     .body = buf_view(&r->send),
                                     .headers = r->headers,
                                     .n_headers = n};
    r->skew_us = clock_skew_get(d->skew);
    int64_t now = d->env->now_us(d->env->ctx) + r->skew_us;
    enum rc rc = signer_sign(&d->signer, &request, now, &r->signature, err);
    n = put(r, n, STR("X-Amz-Date"), str_of(r->signature.date));
    n = put(r, n, STR("Authorization"), buf_view(&r->signature.authorization));
    if (r->signature.token.len)
        n = put(r, n, STR("X-Amz-Security-Token"), buf_view(&r->signature.token));
    *n_headers = n;
    return rc;
}

enum rc dynamodb_start(struct dynamodb *d, struct http_loop *loop, struct dynamodb_request *r,
                       struct err *err)
{
    struct http_call *call = &r->http;
    size_t n = 0;
    enum rc rc = buf_check(&r->send, err);
    if (!rc)
        rc = sign(d, r, &n, err);
    if (rc)
        return rc;
    call->method = "POST";
    call->url = d->endpoint.url;
    call->headers = r->headers;
    call->n_headers = n;
    call->send = buf_view(&r->send);
    call->accept_gzip = d->gzip;
    call->done = attempt_done;
    call->ctx = r;
    return http_start(loop, call, err);
}

static bool has_member(struct str json, const char *name)
{
    yyjson_doc *doc = yyjson_read(json.p, json.n, 0);
    bool has = yyjson_is_obj(yyjson_obj_get(yyjson_doc_get_root(doc), name));
    yyjson_doc_free(doc);
    return has;
}

/* A proxy may answer 200 with a page of its own, which may be JSON. */
static void doubt_success(struct dynamodb_request *r)
{
    const struct http_call *call = &r->http;
    struct aws_failure *f = &r->failure;
    if (f->class != AWS_OK)
        return;
    if (call->body.len > 0 && call->body.p[0] == '{' &&
        (!r->needs || has_member(buf_view(&call->body), r->needs)))
        return;
    struct str type = http_header(call, "content-type");
    f->class = AWS_TRANSIENT;
    f->status = call->status;
    f->maybe_done = true;
    (void)snprintf(f->message, sizeof f->message,
                   "an answer that is not DynamoDB's (%zu bytes, \"%.*s\")", call->body.len,
                   (int)(type.n < 80 ? type.n : 80), type.n ? type.p : "");
}

/* True if the cause is cured and the attempt is worth repeating at once. */
static bool cure(struct dynamodb *d, struct dynamodb_request *r, bool clock_off)
{
    const struct aws_failure *f = &r->failure;
    bool refused = f->class == AWS_SKEW || strcmp(f->name, "AccessDeniedException") == 0;
    if (refused && clock_off && r->retry.skewed < MAX_SKEWED) {
        r->retry.skewed++;
        return true;
    }
    if (f->class == AWS_EXPIRED && !r->retry.refreshed) {
        creds_cache_drop(d->provider, r->signature.version);
        r->retry.refreshed = true;
        return true;
    }
    return false;
}

enum rc dynamodb_finish(struct dynamodb *d, struct dynamodb_request *r, int64_t *at_us,
                        struct err *err)
{
    bool clock_off = clock_skew_learn(d->skew, &r->http, r->skew_us);
    aws_error_read(&r->http, &r->failure);
    doubt_success(r);
    if (r->failure.class == AWS_OK || r->failure.class == AWS_CONDITION) {
        retry_succeeded(&d->retry, &r->retry);
        return r->failure.class == AWS_OK ? RC_OK : aws_error_set(&r->failure, r->op, err);
    }
    if (cure(d, r, clock_off)) {
        r->retry.at_us = r->retry.slot_us = *at_us = d->env->mono_us(d->env->ctx);
        return RC_AGAIN;
    }
    enum rc rc = retry_failed(&d->retry, &r->retry, &r->failure, r->op, at_us, err);
    return rc ? rc : RC_AGAIN;
}

enum rc dynamodb_failed(struct dynamodb *d, struct dynamodb_request *r, bool maybe_done,
                        int64_t *at_us, struct err *err)
{
    struct aws_failure *f = &r->failure;
    if (err->rc != RC_TRANSIENT && err->rc != RC_THROTTLE)
        return err->rc;
    *f = (struct aws_failure){.class = err->rc == RC_THROTTLE ? AWS_THROTTLE : AWS_TRANSIENT,
                              .result = HTTP_DONE,
                              .retry_after_ms = -1,
                              .maybe_done = maybe_done};
    (void)snprintf(f->message, sizeof f->message, "%.900s", err->msg);
    enum rc rc = retry_failed(&d->retry, &r->retry, f, r->op, at_us, err);
    return rc ? rc : RC_AGAIN;
}

static enum rc attempt(struct dynamodb *d, struct http_loop *loop, struct dynamodb_request *r,
                       int64_t *at_us, struct err *err)
{
    enum rc rc = dynamodb_start(d, loop, r, err);
    if (rc)
        return dynamodb_failed(d, r, false, at_us, err);
    rc = http_finish(loop, err);
    return rc ? rc : dynamodb_finish(d, r, at_us, err);
}

/* The first failures mostly heal at once: they are not worth a word. True: told. */
static bool tell(struct dynamodb *d, const struct dynamodb_request *r, int64_t since_us)
{
    struct err err = {0};
    int64_t lasted = d->env->mono_us(d->env->ctx) - since_us;
    if (!d->trouble || (r->retry.attempts < TOLD_TRIES && lasted < TOLD_US))
        return false;
    if (!aws_error_set(&r->failure, r->op, &err))
        return false;
    d->trouble(&err, d->retry.policy.give_up_us - lasted);
    return true;
}

enum rc dynamodb_call(struct dynamodb *d, const char *op, const char *needs, struct str json,
                      struct buf *answer, struct err *err)
{
    struct http_loop *loop = NULL;
    struct dynamodb_request r;
    dynamodb_request_init(&r);
    r.op = op;
    r.needs = needs;
    buf_add_str(&r.send, json);
    enum rc rc = http_loop_new(&loop, &d->http, err);
    int64_t at = 0, since = d->env->mono_us(d->env->ctx);
    bool told = false;
    if (!rc)
        rc = attempt(d, loop, &r, &at, err);
    while (rc == RC_AGAIN) {
        told = told || tell(d, &r, since);
        rc = http_rest(&d->http, at, err);
        if (!rc)
            rc = attempt(d, loop, &r, &at, err);
    }
    if (!rc) {
        buf_add_str(answer, buf_view(&r.http.body));
        rc = buf_check(answer, err);
    }
    dynamodb_request_release(&r);
    http_loop_free(loop);
    return rc;
}
