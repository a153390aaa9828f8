/* SPDX-License-Identifier: MIT */
/*
 * Top to bottom in the order of AWS's own steps: canonical request, string to sign, derived
 * key, signature. Presigned queries and chunked payloads are left out: nothing here sends
 * them.
 */
#include "pipeline/aws/sign/sigv4.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <strings.h>

#include "pipeline/aws/sign/sigv4_uri.h"

/* What proxies and clients add or change on the way. */
static const char *const never_signed[] = {
    "authorization",
    "connection",
    "expect",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-amzn-trace-id",
};

static void to_hex(const unsigned char *bytes, size_t n, char *out)
{
    static const char hex[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = hex[bytes[i] >> 4];
        out[2 * i + 1] = hex[bytes[i] & 15];
    }
    out[2 * n] = '\0';
}

void sigv4_hash(struct str body, char out[SIGV4_HEX_SIZE])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    (void)SHA256((const unsigned char *)(body.n ? body.p : ""), body.n, digest);
    to_hex(digest, sizeof digest, out);
}

static bool is_signed(struct str name)
{
    for (size_t i = 0; i < sizeof never_signed / sizeof never_signed[0]; i++) {
        if (strlen(never_signed[i]) == name.n &&
            strncasecmp(never_signed[i], name.p, name.n) == 0)
            return false;
    }
    return true;
}

/* A header with its place in the request: equal names keep their order. */
struct place {
    struct str name, value;
    size_t index;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static int cmp_nocase(struct str a, struct str b)
{
    for (size_t i = 0; i < a.n && i < b.n; i++) {
        int d = (unsigned char)lower(a.p[i]) - (unsigned char)lower(b.p[i]);
        if (d)
            return d;
    }
    return (a.n > b.n) - (a.n < b.n);
}

static int by_name(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = cmp_nocase(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void add_lower(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n; i++)
        buf_putc(out, lower(s.p[i]));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Trimmed, inner runs of blanks (folded lines too) as one space. */
static void add_value(struct str s, struct buf *out)
{
    size_t start = out->len;
    bool gap = false;
    for (size_t i = 0; i < s.n; i++) {
        if (is_blank(s.p[i])) {
            gap = true;
            continue;
        }
        if (gap && out->len > start)
            buf_putc(out, ' ');
        gap = false;
        buf_putc(out, s.p[i]);
    }
}

static void add_headers(const struct place *places, size_t n, struct buf *out,
                        struct buf *names)
{
    for (size_t i = 0; i < n; i++) {
        bool again = i > 0 && cmp_nocase(places[i - 1].name, places[i].name) == 0;
        if (!again) {
            if (i > 0) {
                buf_putc(out, '\n');
                buf_putc(names, ';');
            }
            add_lower(places[i].name, out);
            add_lower(places[i].name, names);
        }
        buf_putc(out, again ? ',' : ':');
        add_value(places[i].value, out);
    }
    buf_puts(out, n > 0 ? "\n\n" : "\n");
    buf_add_str(out, buf_view(names));
    buf_putc(out, '\n');
}

enum rc sigv4_canonical(const struct sigv4_request *r, struct buf *out, struct buf *names,
                        struct err *err)
{
    struct buf own;
    buf_init(&own, BUF_NO_LIMIT);
    struct buf *list = names ? names : &own;
    struct place *places = calloc(r->n_headers + 1, sizeof *places);
    if (!places)
        return err_nomem(err);
    size_t n = 0;
    for (size_t i = 0; i < r->n_headers; i++) {
        if (is_signed(r->headers[i].name))
            places[n++] = (struct place){r->headers[i].name, r->headers[i].value, i};
    }
    qsort(places, n, sizeof *places, by_name);
    buf_add_str(out, r->method);
    buf_putc(out, '\n');
    sigv4_uri_path(r->path, r->path_rule, out);
    buf_putc(out, '\n');
    enum rc rc = sigv4_uri_query(r->query, out, err);
    buf_putc(out, '\n');
    add_headers(places, n, out, list);
    buf_add_str(out, r->payload_hash);
    if (!rc)
        rc = buf_check(out, err);
    if (!rc)
        rc = buf_check(list, err);
    free(places);
    buf_release(&own);
    return rc;
}

static void add_scope(const struct sigv4_scope *scope, struct buf *out)
{
    buf_add(out, scope->amz_date, 8);
    buf_putc(out, '/');
    buf_add_str(out, scope->region);
    buf_putc(out, '/');
    buf_add_str(out, scope->service);
    buf_puts(out, "/aws4_request");
}

void sigv4_string_to_sign(const struct sigv4_scope *scope, struct str canonical,
                          struct buf *out)
{
    char hash[SIGV4_HEX_SIZE];
    sigv4_hash(canonical, hash);
    buf_puts(out, "AWS4-HMAC-SHA256\n");
    buf_puts(out, scope->amz_date);
    buf_putc(out, '\n');
    add_scope(scope, out);
    buf_putc(out, '\n');
    buf_puts(out, hash);
}

static void hmac(const void *key, size_t key_len, struct str text, unsigned char out[32])
{
    unsigned int n = 32;
    (void)HMAC(EVP_sha256(), key, (int)key_len, (const unsigned char *)text.p, text.n, out, &n);
}

void sigv4_derive(struct str secret, const struct sigv4_scope *scope, struct sigv4_key *key)
{
    struct buf first;
    buf_init(&first, BUF_NO_LIMIT);
    buf_puts(&first, "AWS4");
    buf_add_str(&first, secret);
    unsigned char a[32], b[32];
    hmac(first.p, first.len, str_make(scope->amz_date, 8), a);
    hmac(a, sizeof a, scope->region, b);
    hmac(b, sizeof b, scope->service, a);
    hmac(a, sizeof a, STR("aws4_request"), key->bytes);
    OPENSSL_cleanse(a, sizeof a);
    OPENSSL_cleanse(b, sizeof b);
    buf_wipe(&first);
}

void sigv4_signature(const struct sigv4_key *key, struct str string_to_sign,
                     char out[SIGV4_HEX_SIZE])
{
    unsigned char mac[32];
    hmac(key->bytes, sizeof key->bytes, string_to_sign, mac);
    to_hex(mac, sizeof mac, out);
}

enum rc sigv4_authorize(const struct sigv4_request *r, const struct sigv4_scope *scope,
                        struct str key_id, const struct sigv4_key *key, struct buf *out,
                        struct err *err)
{
    struct buf canonical, names, to_sign;
    buf_init(&canonical, BUF_NO_LIMIT);
    buf_init(&names, BUF_NO_LIMIT);
    buf_init(&to_sign, BUF_NO_LIMIT);
    char signature[SIGV4_HEX_SIZE];
    enum rc rc = sigv4_canonical(r, &canonical, &names, err);
    if (!rc) {
        sigv4_string_to_sign(scope, buf_view(&canonical), &to_sign);
        rc = buf_check(&to_sign, err);
    }
    if (!rc) {
        sigv4_signature(key, buf_view(&to_sign), signature);
        buf_puts(out, "AWS4-HMAC-SHA256 Credential=");
        buf_add_str(out, key_id);
        buf_putc(out, '/');
        add_scope(scope, out);
        buf_puts(out, ", SignedHeaders=");
        buf_add_str(out, buf_view(&names));
        buf_puts(out, ", Signature=");
        buf_puts(out, signature);
        rc = buf_check(out, err);
    }
    /* the canonical request is wiped, for it holds the session token */
    buf_wipe(&canonical);
    buf_release(&names);
    buf_release(&to_sign);
    return rc;
}
