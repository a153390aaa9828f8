/* SPDX-License-Identifier: MIT */
/*
 * One mutex: credentials are compared by version, the key by version and day. A refresh that
 * is really due happens inside, so the other workers wait for it instead of asking again.
 */
#include "pipeline/aws/sign/signer.h"

#include <openssl/crypto.h>
#include <stdio.h>

enum { MAX_HEADERS = 24, MAX_VALUE = 65536 };

void signer_init(struct signer *s, struct creds_provider *provider, const char *region,
                 const char *service)
{
    *s = (struct signer){.provider = provider};
    (void)snprintf(s->region, sizeof s->region, "%s", region);
    (void)snprintf(s->service, sizeof s->service, "%s", service);
    s->path_rule = strcmp(service, "s3") == 0 ? SIGV4_PATH_S3 : SIGV4_PATH_NORMAL;
    creds_init(&s->creds);
    (void)pthread_mutex_init(&s->mu, NULL);
}

void signer_release(struct signer *s)
{
    creds_release(&s->creds);
    OPENSSL_cleanse(&s->key, sizeof s->key);
    (void)pthread_mutex_destroy(&s->mu);
}

void signer_signature_init(struct signature *g)
{
    *g = (struct signature){0};
    buf_init(&g->authorization, MAX_VALUE);
    buf_init(&g->token, MAX_VALUE);
}

void signer_signature_release(struct signature *g)
{
    buf_wipe(&g->authorization);
    buf_wipe(&g->token);
}

/* lock: s->mu */
static enum rc refresh_key(struct signer *s, const struct sigv4_scope *scope, struct err *err)
{
    struct creds now;
    creds_init(&now);
    enum rc rc = creds_get(s->provider, &now, err);
    bool same = !rc && now.version == s->creds.version &&
                str_eq(buf_view(&now.key_id), buf_view(&s->creds.key_id)) &&
                str_eq(buf_view(&now.secret), buf_view(&s->creds.secret)) &&
                str_eq(buf_view(&now.token), buf_view(&s->creds.token));
    if (!rc && (!same || memcmp(s->day, scope->amz_date, 8) != 0)) {
        rc = creds_copy(&s->creds, &now, err);
        sigv4_derive(buf_view(&now.secret), scope, &s->key);
        memcpy(s->day, scope->amz_date, 8);
        s->derived++;
    }
    creds_release(&now);
    return rc;
}

static size_t add(struct sigv4_header *headers, size_t n, struct str name, struct str value)
{
    headers[n] = (struct sigv4_header){name, value};
    return n + 1;
}

/* lock: s->mu */
static enum rc sign(struct signer *s, const struct signer_request *r,
                    const struct sigv4_scope *scope, struct signature *out, struct err *err)
{
    struct http_url url;
    if (!http_url_split(r->url, &url))
        return err_set(err, RC_USAGE, "\"%.*s\" is no address", STR_FMT(r->url));
    if (r->n_headers > MAX_HEADERS - 4)
        return err_set(err, RC_USAGE, "more than %d headers", MAX_HEADERS - 4);
    struct sigv4_header headers[MAX_HEADERS];
    size_t n = 0;
    for (size_t i = 0; i < r->n_headers; i++)
        n = add(headers, n, r->headers[i].name, r->headers[i].value);
    n = add(headers, n, STR("host"), url.host);
    n = add(headers, n, STR("x-amz-date"), str_of(out->date));
    if (s->creds.token.len)
        n = add(headers, n, STR("x-amz-security-token"), buf_view(&s->creds.token));
    if (r->send_payload_hash)
        n = add(headers, n, STR("x-amz-content-sha256"), str_of(out->payload));
    struct sigv4_request request = {.method = r->method,
                                    .path = url.path,
                                    .query = url.query,
                                    .headers = headers,
                                    .n_headers = n,
                                    .path_rule = s->path_rule,
                                    .payload_hash = str_of(out->payload)};
    out->version = s->creds.version;
    buf_add_str(&out->token, buf_view(&s->creds.token));
    enum rc rc = buf_check(&out->token, err);
    return rc ? rc
              : sigv4_authorize(&request, scope, buf_view(&s->creds.key_id), &s->key,
                                &out->authorization, err);
}

enum rc signer_sign(struct signer *s, const struct signer_request *r, int64_t now_us,
                    struct signature *out, struct err *err)
{
    buf_clear(&out->authorization);
    buf_clear(&out->token);
    timefmt_amz(now_us, out->date);
    sigv4_hash(r->body, out->payload);
    struct sigv4_scope scope = {out->date, str_of(s->region), str_of(s->service)};
    (void)pthread_mutex_lock(&s->mu);
    enum rc rc = refresh_key(s, &scope, err);
    if (!rc)
        rc = sign(s, r, &scope, out, err);
    (void)pthread_mutex_unlock(&s->mu);
    return rc;
}
