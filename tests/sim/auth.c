/* SPDX-License-Identifier: MIT */
/*
 * Only header signing is known, as DynamoDB clients use it. The text of a refusal carries the
 * canonical request and the string to sign, as the service's does: it shows what differs.
 */
#define _GNU_SOURCE
#include "tests/sim/auth.h"

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#include "tests/sim/mem.h"

struct signature {
    struct str id, date, region, service, headers, hex, amz_date;
};

bool auth_add(struct auth *a, const char *text)
{
    struct str s = str_of(text);
    size_t one = str_find(s, STR(":"), 0);
    if (one >= s.n || a->n == sizeof a->known / sizeof *a->known)
        return false;
    size_t two = str_find(s, STR(":"), one + 1);
    struct auth_credential *c = &a->known[a->n++];
    c->id = mem_dup(str_make(s.p, one));
    c->secret = mem_dup(str_make(s.p + one + 1, two - one - 1));
    c->token = two < s.n ? mem_dup(str_from(s, two + 1)) : NULL;
    return true;
}

void auth_release(struct auth *a)
{
    for (size_t i = 0; i < a->n; i++) {
        free(a->known[i].id);
        free(a->known[i].secret);
        free(a->known[i].token);
    }
    a->n = 0;
}

/* The text after NAME= up to a comma or the end. */
static struct str field(struct str s, struct str name)
{
    size_t at = str_find(s, name, 0);
    if (at == s.n)
        return str_make(NULL, 0);
    s = str_from(s, at + name.n);
    s.n = str_find(s, STR(","), 0);
    while (s.n && s.p[s.n - 1] == ' ')
        s.n--;
    return s;
}

static struct str next_part(struct str *s, struct str by)
{
    size_t at = str_find(*s, by, 0);
    struct str part = str_make(s->p, at);
    *s = at < s->n ? str_from(*s, at + 1) : str_from(*s, s->n);
    return part;
}

struct str auth_key_id(const struct http_request *req)
{
    struct str scope = field(http_header(req, "authorization", 0), STR("Credential="));
    return scope.n ? next_part(&scope, STR("/")) : scope;
}

static bool parse(const struct http_request *req, struct signature *sig)
{
    struct str line = http_header(req, "authorization", 0);
    if (!str_starts(line, STR("AWS4-HMAC-SHA256 ")))
        return false;
    struct str scope = field(line, STR("Credential="));
    sig->id = next_part(&scope, STR("/"));
    sig->date = next_part(&scope, STR("/"));
    sig->region = next_part(&scope, STR("/"));
    sig->service = next_part(&scope, STR("/"));
    sig->headers = field(line, STR("SignedHeaders="));
    sig->hex = field(line, STR("Signature="));
    sig->amz_date = http_header(req, "x-amz-date", 0);
    return str_is(scope, "aws4_request") && sig->hex.n == 64 && sig->headers.n > 0 &&
           sig->amz_date.n == 16;
}

static void add_hex(struct buf *b, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_addf(b, "%02x", p[i]);
}

static void add_sha256(struct buf *b, struct str s)
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    (void)SHA256((const unsigned char *)(s.n ? s.p : ""), s.n, digest);
    add_hex(b, digest, sizeof digest);
}

/* Runs of blanks count as one. */
static void add_value(struct buf *b, struct str v)
{
    for (size_t i = 0; i < v.n; i++) {
        bool blank = v.p[i] == ' ' || v.p[i] == '\t';
        if (!blank) {
            buf_putc(b, v.p[i]);
        } else if (i + 1 < v.n && v.p[i + 1] != ' ' && v.p[i + 1] != '\t') {
            buf_putc(b, ' ');
        }
    }
}

static bool add_header(struct buf *b, const struct http_request *req, struct str name)
{
    char lower[256];
    (void)snprintf(lower, sizeof lower, "%.*s", STR_FMT(name));
    struct str value = http_header(req, lower, 0);
    if (!value.p)
        return false;
    buf_addf(b, "%s:", lower);
    for (size_t i = 0; value.p; value = http_header(req, lower, ++i)) {
        if (i)
            buf_putc(b, ',');
        add_value(b, value);
    }
    buf_putc(b, '\n');
    return true;
}

/* False if a signed header did not arrive. */
static bool canonical(const struct http_request *req, const struct signature *sig,
                      struct buf *b)
{
    buf_addf(b, "%.*s\n%.*s\n%.*s\n", STR_FMT(req->method), STR_FMT(req->path),
             STR_FMT(req->query));
    struct str names = sig->headers;
    bool all = true;
    while (names.n)
        all = add_header(b, req, next_part(&names, STR(";"))) && all;
    buf_addf(b, "\n%.*s\n", STR_FMT(sig->headers));
    if (str_is(sig->service, "s3")) {
        buf_add_str(b, http_header(req, "x-amz-content-sha256", 0));
    } else {
        add_sha256(b, req->body);
    }
    return all;
}

static void hmac(unsigned char key[32], size_t key_len, struct str text)
{
    unsigned char out[32];
    unsigned int n = sizeof out;
    (void)HMAC(EVP_sha256(), key, (int)key_len, (const unsigned char *)text.p, text.n, out, &n);
    memcpy(key, out, sizeof out);
}

static void sign(const char *secret, const struct signature *sig, struct str text,
                 struct buf *out)
{
    unsigned char key[256];
    int n = snprintf((char *)key, sizeof key, "AWS4%s", secret);
    hmac(key, (size_t)n < sizeof key ? (size_t)n : sizeof key - 1, sig->date);
    hmac(key, 32, sig->region);
    hmac(key, 32, sig->service);
    hmac(key, 32, STR("aws4_request"));
    hmac(key, 32, text);
    add_hex(out, key, 32);
}

static bool signed_header(const struct signature *sig, const char *name)
{
    struct str names = sig->headers;
    while (names.n) {
        if (str_is(next_part(&names, STR(";")), name))
            return true;
    }
    return false;
}

/* By the name that the service has for it. */
static void refuse(struct reply *r, const char *name, const char *message)
{
    static const struct {
        const char *name, *of_s3;
    } names[] = {{"InvalidSignatureException", "SignatureDoesNotMatch"},
                 {"MissingAuthenticationTokenException", "AccessDenied"},
                 {"IncompleteSignatureException", "AccessDenied"},
                 {"UnrecognizedClientException", "InvalidAccessKeyId"}};
    for (size_t i = 0; i < sizeof names / sizeof *names && r->xml; i++) {
        if (strcmp(name, names[i].name) == 0)
            name = names[i].of_s3;
    }
    reply_error(r, r->xml ? 403 : 400, name, message, NULL);
}

static bool check_signature(const struct auth_credential *c, const struct http_request *req,
                            const struct signature *sig, struct reply *r)
{
    struct buf request;
    struct buf text;
    struct buf hex;
    buf_init(&request, HTTP_MAX_HEAD);
    buf_init(&text, HTTP_MAX_HEAD);
    buf_init(&hex, 256);
    bool whole = canonical(req, sig, &request);
    buf_addf(&text, "AWS4-HMAC-SHA256\n%.*s\n%.*s/%.*s/%.*s/aws4_request\n",
             STR_FMT(sig->amz_date), STR_FMT(sig->date), STR_FMT(sig->region),
             STR_FMT(sig->service));
    add_sha256(&text, buf_view(&request));
    sign(c->secret, sig, buf_view(&text), &hex);
    bool ok = whole && hex.len == 64 && CRYPTO_memcmp(hex.p, sig->hex.p, 64) == 0;
    if (!ok) {
        struct buf message;
        buf_init(&message, (size_t)4 * HTTP_MAX_HEAD);
        buf_addf(
            &message,
            "The request signature we calculated does not match the signature you provided. "
            "Check your AWS Secret Access Key and signing method. Consult the service "
            "documentation for details.\n\nThe Canonical String for this request should have "
            "been\n'%s'\n\nThe String-to-Sign should have been\n'%s'\n",
            buf_cstr(&request), buf_cstr(&text));
        refuse(r, "InvalidSignatureException", buf_cstr(&message));
        buf_release(&message);
    }
    buf_release(&request);
    buf_release(&text);
    buf_release(&hex);
    return ok;
}

static bool number(struct str s, size_t at, size_t n, int *out)
{
    unsigned long long v = 0;
    bool ok = at + n <= s.n && str_uint(str_make(s.p + at, n), &v);
    *out = (int)v;
    return ok;
}

static bool check_date(const struct auth *a, struct str date, int64_t now_us, struct reply *r)
{
    struct tm tm = {0};
    bool ok = date.n == 16 && number(date, 0, 4, &tm.tm_year) &&
              number(date, 4, 2, &tm.tm_mon) && number(date, 6, 2, &tm.tm_mday) &&
              number(date, 9, 2, &tm.tm_hour) && number(date, 11, 2, &tm.tm_min) &&
              number(date, 13, 2, &tm.tm_sec);
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    int64_t when = ok ? (int64_t)timegm(&tm) * 1000000 : 0;
    if (ok && when >= now_us - a->tolerance_us && when <= now_us + a->tolerance_us)
        return true;
    char now[64];
    char text[256];
    reply_date(now_us, now);
    (void)snprintf(text, sizeof text, "Signature %s: %.*s is too far from %s",
                   when < now_us ? "expired" : "not yet current", STR_FMT(date), now);
    refuse(r, a->skew_error, text);
    return false;
}

static const struct auth_credential *find(const struct auth *a, const struct http_request *req,
                                          struct str id)
{
    struct str token = http_header(req, "x-amz-security-token", 0);
    for (size_t i = 0; i < a->n; i++) {
        const struct auth_credential *c = &a->known[i];
        if (str_is(id, c->id) && str_eq(token, str_of(c->token)))
            return c;
    }
    return NULL;
}

bool auth_check(const struct auth *a, const struct http_request *req, const char *service,
                int64_t now_us, struct reply *r)
{
    struct signature sig;
    struct str date = http_header(req, "x-amz-date", 0);
    if (a->off)
        return date.n == 0 || check_date(a, date, now_us, r);
    if (http_header(req, "authorization", 0).n == 0) {
        refuse(r, "MissingAuthenticationTokenException",
               "Request is missing Authentication Token");
        return false;
    }
    const char *must = r->xml ? "x-amz-content-sha256" : "x-amz-target";
    bool token = http_header(req, "x-amz-security-token", 0).n > 0;
    if (!parse(req, &sig) || !signed_header(&sig, "host") ||
        !signed_header(&sig, "x-amz-date") || !signed_header(&sig, must) ||
        (token && !signed_header(&sig, "x-amz-security-token"))) {
        refuse(r, "IncompleteSignatureException",
               "Authorization header lacks a part, or a header that must be signed is not");
        return false;
    }
    const struct auth_credential *c = find(a, req, sig.id);
    if (!c) {
        refuse(r, "UnrecognizedClientException",
               "The security token included in the request is invalid.");
        return false;
    }
    if (!str_is(sig.service, service) || sig.date.n != 8 || !str_starts(date, sig.date)) {
        refuse(r, "InvalidSignatureException",
               "Credential should be scoped to a valid date and to the right service");
        return false;
    }
    return check_date(a, date, now_us, r) && check_signature(c, req, &sig, r);
}
