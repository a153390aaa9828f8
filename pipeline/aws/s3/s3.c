/* SPDX-License-Identifier: MIT */
/*
 * One attempt is: sign for the bucket's region with the corrected clock, send, judge. Expired
 * credentials, a wrong clock and a wrong region are cured and repeated; all else is the retry
 * module's to decide.
 */
#include "pipeline/aws/s3/s3.h"

#include <stdio.h>

enum { URL_MAX = 16 << 10, SKEWED_MAX = 8, TOLD_TRIES = 3 };
static const int64_t TOLD_US = 2000000;

enum rc s3_init(struct s3 *s, const struct s3_config *config, struct err *err)
{
    const struct aws_settings *settings = config->settings;
    *s = (struct s3){.config = *config, .env = settings->env, .http = settings->http};
    s->config.policy = NULL; /* it was copied */
    s->skew = settings->skew;
    (void)pthread_mutex_init(&s->mu, NULL);
    retry_init(&s->retry, s->env, config->policy ? config->policy : &retry_dynamodb);
    enum rc rc = s3_site_use(s, settings->region, err);
    if (rc)
        s3_release(s);
    return rc;
}

void s3_release(struct s3 *s)
{
    for (unsigned i = 0; i < s->n_sites; i++) {
        signer_release(&s->sites[i].signer);
        buf_release(&s->sites[i].base);
    }
    s->n_sites = 0;
    retry_release(&s->retry);
    (void)pthread_mutex_destroy(&s->mu);
}

void s3_request_init(struct s3_request *r)
{
    *r = (struct s3_request){0};
    http_call_init(&r->http);
    signer_signature_init(&r->signature);
    buf_init(&r->url, URL_MAX);
    buf_init(&r->match, URL_MAX);
}

void s3_request_release(struct s3_request *r)
{
    http_call_release(&r->http);
    signer_signature_release(&r->signature);
    buf_release(&r->url);
    buf_release(&r->match);
}

static void attempt_done(struct http_call *call, void *ctx)
{
    (void)call;
    struct s3_request *r = ctx;
    if (r->done)
        r->done(r, r->ctx);
}

static bool hand_on(struct http_call *call, const char *p, size_t n, void *ctx)
{
    (void)call;
    struct s3_request *r = ctx;
    return r->receive(r, p, n, r->ctx);
}

static size_t put(struct s3_request *r, size_t n, struct str name, struct str value)
{
    r->headers[n] = (struct http_header){name, value};
    return n + 1;
}

/* What is asked for, before it is signed. */
static size_t own_headers(const struct s3 *s, struct s3_request *r)
{
    size_t n = 0;
    buf_clear(&r->match);
    if (r->to) {
        (void)snprintf(r->range, sizeof r->range, "bytes=%llu-%llu",
                       (unsigned long long)r->from, (unsigned long long)r->to - 1);
        n = put(r, n, STR("Range"), str_of(r->range));
    }
    if (r->etag.n) {
        buf_addf(&r->match, "\"%.*s\"", STR_FMT(r->etag));
        n = put(r, n, STR("If-Match"), buf_view(&r->match));
    }
    if (s->config.requester_pays)
        n = put(r, n, STR("x-amz-request-payer"), STR("requester"));
    if (s->config.owner)
        n = put(r, n, STR("x-amz-expected-bucket-owner"), str_of(s->config.owner));
    return n;
}

/* The site stays as it is, so that the lock is not needed for longer. */
static struct s3_site *choose_site(struct s3 *s, struct s3_request *r)
{
    (void)pthread_mutex_lock(&s->mu);
    r->site = s->site;
    (void)pthread_mutex_unlock(&s->mu);
    return &s->sites[r->site];
}

static void write_url(struct s3_request *r, const struct s3_site *site)
{
    struct buf *b = &r->url;
    buf_clear(b);
    buf_add_str(b, buf_view(&site->base));
    sigv4_encode(r->key, true, b);
    if (r->query.n)
        buf_addf(b, "?%.*s", STR_FMT(r->query));
    buf_putc(b, '\0');
}

static enum rc sign(struct s3 *s, struct s3_request *r, size_t *n_headers, struct err *err)
{
    struct s3_site *site = choose_site(s, r);
    write_url(r, site);
    size_t n = own_headers(s, r);
    enum rc rc = buf_check(&r->url, err);
    if (!rc)
        rc = buf_check(&r->match, err);
    if (rc)
        return rc;
    struct signer_request request = {.method = str_of(r->method),
                                     .url = str_of(r->url.p),
                                     .headers = r->headers,
                                     .n_headers = n,
                                     .send_payload_hash = true};
    r->skew_us = clock_skew_get(s->skew);
    int64_t now = s->env->now_us(s->env->ctx) + r->skew_us;
    rc = signer_sign(&site->signer, &request, now, &r->signature, err);
    n = put(r, n, STR("X-Amz-Date"), str_of(r->signature.date));
    n = put(r, n, STR("x-amz-content-sha256"), str_of(r->signature.payload));
    n = put(r, n, STR("Authorization"), buf_view(&r->signature.authorization));
    if (r->signature.token.len)
        n = put(r, n, STR("X-Amz-Security-Token"), buf_view(&r->signature.token));
    *n_headers = n;
    return rc;
}

enum rc s3_start(struct s3 *s, struct http_loop *loop, struct s3_request *r, struct err *err)
{
    struct http_call *call = &r->http;
    size_t n = 0;
    enum rc rc = sign(s, r, &n, err);
    if (rc)
        return rc;
    call->method = r->method;
    call->url = r->url.p;
    call->headers = r->headers;
    call->n_headers = n;
    call->send = STR("");
    call->receive = r->receive ? hand_on : NULL;
    call->done = attempt_done;
    call->ctx = r;
    return http_start(loop, call, err);
}

/* True if the cause is cured and the attempt is worth repeating at once. */
static bool cure(struct s3 *s, struct s3_request *r, bool clock_off)
{
    const struct aws_failure *f = &r->failure;
    bool refused = f->class == AWS_SKEW || strcmp(f->name, "AccessDenied") == 0;
    if (refused && clock_off && r->retry.skewed < SKEWED_MAX) {
        r->retry.skewed++;
        return true;
    }
    if (f->class == AWS_EXPIRED && !r->retry.refreshed) {
        creds_cache_drop(s->config.provider, r->signature.version);
        r->retry.refreshed = true;
        return true;
    }
    return false;
}

static void doubt(struct s3_request *r)
{
    struct aws_failure *f = &r->failure;
    if (f->class != AWS_OK || !r->read || r->read(r, buf_view(&r->http.body), r->ctx))
        return;
    aws_error_in_success(&r->http, f);
    if (!f->name[0]) {
        (void)snprintf(f->message, sizeof f->message,
                       "an answer that is not of S3, or not whole");
    }
}

/* The operator's own words are right as far as one can tell: what the service refuses is final. */
static enum rc final(const struct s3 *s, const struct s3_request *r, enum rc rc,
                     struct err *err)
{
    const struct aws_failure *f = &r->failure;
    bool missing = f->status == 404 && strcmp(f->name, "NoSuchBucket") != 0;
    (void)err_context(err, "s3://%.*s/%.*s", STR_FMT(s->config.bucket), STR_FMT(r->key));
    if (missing && r->key.n)
        rc = RC_NONE;
    if (rc == RC_USAGE && (f->status || f->result == HTTP_TOO_BIG))
        rc = RC_SOURCE;
    return err->rc = rc;
}

enum rc s3_finish(struct s3 *s, struct s3_request *r, int64_t *at_us, struct err *err)
{
    bool clock_off = clock_skew_learn(s->skew, &r->http, r->skew_us);
    aws_error_read(&r->http, &r->failure);
    doubt(r);
    if (r->failure.class == AWS_OK) {
        retry_succeeded(&s->retry, &r->retry);
        r->moves = 0;
        return RC_OK;
    }
    *at_us = s->env->mono_us(s->env->ctx);
    enum rc rc = s3_move(s, r, err);
    if (!rc || (rc == RC_NONE && cure(s, r, clock_off))) {
        r->retry.at_us = r->retry.slot_us = *at_us;
        return RC_AGAIN;
    }
    if (rc != RC_NONE)
        return rc;
    rc = retry_failed(&s->retry, &r->retry, &r->failure, r->op, at_us, err);
    return rc ? final(s, r, rc, err) : RC_AGAIN;
}

bool s3_tell(struct s3 *s, const struct s3_request *r, int64_t since_us)
{
    struct err err = {0};
    int64_t lasted = s->env->mono_us(s->env->ctx) - since_us;
    if (!s->config.trouble || (r->retry.attempts < TOLD_TRIES && lasted < TOLD_US))
        return false;
    if (!aws_error_set(&r->failure, r->op, &err))
        return false;
    s->config.trouble(&err, s->retry.policy.give_up_us - lasted);
    return true;
}

enum rc s3_call(struct s3 *s, struct http_loop *loop, struct s3_request *r, struct err *err)
{
    int64_t at = 0, since = s->env->mono_us(s->env->ctx);
    enum rc rc = RC_AGAIN;
    bool told = false;
    while (rc == RC_AGAIN) {
        rc = s3_start(s, loop, r, err);
        if (!rc)
            rc = http_finish(loop, err);
        if (!rc)
            rc = s3_finish(s, r, &at, err);
        told = told || (rc == RC_AGAIN && s3_tell(s, r, since));
        if (rc == RC_AGAIN && http_rest(&s->http, at, err))
            return err->rc;
    }
    return rc;
}
