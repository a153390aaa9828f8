/* SPDX-License-Identifier: MIT */
/* Order of checks: signature (by the caller), region, owner, payer, bucket, object, conditions. */
#define _GNU_SOURCE
#include "tests/sim/s3.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/sim/mem.h"
#include "tests/sim/sim.h"

bool s3_is(const struct sim *s, const struct http_request *req)
{
    return s->opt.s3 && !str_is(req->method, "POST");
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static void decode(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n; i++) {
        int high = s.p[i] == '%' && i + 2 < s.n ? digit_of(s.p[i + 1]) : -1;
        int low = high >= 0 ? digit_of(s.p[i + 2]) : -1;
        buf_putc(out, low >= 0 ? (char)(high * 16 + low) : s.p[i]);
        i += low >= 0 ? 2 : 0;
    }
}

/* BUCKET.s3.REGION.amazonaws.com, BUCKET.localhost; the length of the bucket's name, 0: none. */
static size_t bucket_in_host(struct str host)
{
    static const char *const marks[] = {".s3.", ".s3-", ".localhost"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t at = str_find(host, str_of(marks[i]), 0);
        if (at < host.n)
            return at;
    }
    return 0;
}

void s3_call_init(struct s3_call *c, const struct http_request *req)
{
    *c = (struct s3_call){.req = req};
    buf_init(&c->bucket, HTTP_MAX_HEAD);
    buf_init(&c->key, HTTP_MAX_HEAD);
    struct str host = http_header(req, "host", 0), path = req->path;
    size_t in_host = bucket_in_host(host);
    path = path.n ? str_from(path, 1) : path;
    if (in_host) {
        buf_add_str(&c->bucket, str_make(host.p, in_host));
        decode(path, &c->key);
    } else {
        size_t slash = str_find(path, STR("/"), 0);
        decode(str_make(path.p, slash), &c->bucket);
        decode(str_from(path, slash < path.n ? slash + 1 : path.n), &c->key);
    }
    bool head = str_is(req->method, "HEAD");
    c->operation = c->key.len ? head ? "HeadObject" : "GetObject"
                   : head     ? "HeadBucket"
                              : "ListObjectsV2";
}

void s3_call_release(struct s3_call *c)
{
    buf_release(&c->bucket);
    buf_release(&c->key);
}

bool s3_parameter(const struct s3_call *c, const char *name, struct buf *out)
{
    struct str rest = c->req->query;
    while (rest.n) {
        size_t end = str_find(rest, STR("&"), 0);
        struct str one = str_make(rest.p, end);
        size_t equals = str_find(one, STR("="), 0);
        if (str_is(str_make(one.p, equals), name)) {
            decode(str_from(one, equals < one.n ? equals + 1 : one.n), out);
            return true;
        }
        rest = str_from(rest, end < rest.n ? end + 1 : rest.n);
    }
    return false;
}

void s3_add_xml(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '<' || c == '&' || c == '"') {
            buf_puts(b, c == '<' ? "&lt;" : c == '&' ? "&amp;" : "&quot;");
        } else {
            buf_putc(b, c);
        }
    }
}

/* ---- files --------------------------------------------------------------------------------- */

static void set_etag(struct s3_file *f)
{
    unsigned char md5[EVP_MAX_MD_SIZE];
    (void)EVP_Digest(f->data.n ? f->data.p : "", f->data.n, md5, NULL, EVP_md5(), NULL);
    for (size_t i = 0; i < 16; i++)
        (void)snprintf(f->etag + 2 * i, 3, "%02x", md5[i]);
}

static struct s3_file *read_file(struct sim *s, const char *path, const struct stat *st)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct s3_file *f = mem_zeroed(sizeof *f);
    f->path = mem_dup(str_of(path));
    f->mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    f->data.n = (size_t)st->st_size;
    if (f->data.n)
        f->data.p = mmap(NULL, f->data.n, PROT_READ, MAP_PRIVATE, fd, 0);
    (void)close(fd);
    set_etag(f);
    f->next = s->s3_files;
    s->s3_files = f;
    return f;
}

const struct s3_file *s3_find(struct sim *s, const char *bucket, const char *key)
{
    char path[4096];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/%s/%s", s->opt.s3, bucket, key);
    size_t n = strlen(path);
    if (strstr(path, "/../") || path[n - 1] == '/' || stat(path, &st) || !S_ISREG(st.st_mode))
        return NULL;
    int64_t mtime = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    for (const struct s3_file *f = s->s3_files; f; f = f->next) {
        if (f->mtime_ns == mtime && f->data.n == (size_t)st.st_size &&
            strcmp(f->path, path) == 0)
            return f;
    }
    return read_file(s, path, &st);
}

void s3_release(struct sim *s)
{
    while (s->s3_files) {
        struct s3_file *f = s->s3_files;
        s->s3_files = f->next;
        if (f->data.n)
            (void)munmap((char *)(uintptr_t)f->data.p, f->data.n);
        free(f->path);
        free(f);
    }
}

/* ---- requests ------------------------------------------------------------------------------ */

static struct str scope_region(const struct http_request *req)
{
    struct str line = http_header(req, "authorization", 0);
    size_t at = str_find(line, STR("Credential="), 0);
    struct str rest = str_from(line, at);
    for (int i = 0; i < 2 && rest.n; i++) {
        size_t slash = str_find(rest, STR("/"), 0);
        rest = str_from(rest, slash < rest.n ? slash + 1 : rest.n);
    }
    rest.n = str_find(rest, STR("/"), 0);
    return rest;
}

static bool admitted(struct sim *s, const struct s3_call *c, struct reply *r)
{
    struct str owner = http_header(c->req, "x-amz-expected-bucket-owner", 0);
    struct str payer = http_header(c->req, "x-amz-request-payer", 0);
    if (s->opt.s3_region && !str_is(scope_region(c->req), s->opt.s3_region)) {
        reply_error(r, 301, "PermanentRedirect",
                    "The bucket you are attempting to access must be addressed using the "
                    "specified endpoint.",
                    NULL);
        buf_addf(&r->headers, "x-amz-bucket-region: %s\r\n", s->opt.s3_region);
    } else if (owner.n && s->opt.s3_owner && !str_is(owner, s->opt.s3_owner)) {
        reply_error(r, 403, "AccessDenied", "Access Denied: not the expected owner", NULL);
    } else if (s->opt.s3_payer && !str_is(payer, "requester")) {
        reply_error(r, 403, "AccessDenied", "Access Denied: the requester pays", NULL);
    }
    return r->status == 200;
}

/* False: it cannot be satisfied. */
static bool range(struct str header, uint64_t size, uint64_t *from, uint64_t *end)
{
    unsigned long long a = 0, b = size;
    struct str s = str_from(header, str_starts(header, STR("bytes=")) ? 6 : 0);
    size_t dash = str_find(s, STR("-"), 0);
    if (!str_uint(str_make(s.p, dash), &a))
        return false;
    if (str_uint(str_from(s, dash < s.n ? dash + 1 : s.n), &b))
        b++;
    *from = a;
    *end = b < size ? b : size;
    return a < *end;
}

static void get(struct sim *s, const struct s3_call *c, struct reply *r)
{
    struct s3_call *own = (struct s3_call *)(uintptr_t)c;
    const struct s3_file *f = s3_find(s, buf_cstr(&own->bucket), buf_cstr(&own->key));
    struct str match = http_header(c->req, "if-match", 0);
    struct str header = http_header(c->req, "range", 0);
    char etag[64], date[64];
    uint64_t from = 0, end = f ? f->data.n : 0;
    if (!f) {
        reply_error(r, 404, "NoSuchKey", "The specified key does not exist.", NULL);
        return;
    }
    (void)snprintf(etag, sizeof etag, "\"%s%s\"", f->etag, s->s3_changed ? "-2" : "");
    if (match.n && !str_is(match, etag)) {
        reply_error(r, 412, "PreconditionFailed",
                    "At least one of the pre-conditions you specified did not hold", NULL);
        return;
    }
    if (header.n && !s->s3_no_ranges && !range(header, f->data.n, &from, &end)) {
        reply_error(r, 416, "InvalidRange", "The requested range is not satisfiable", NULL);
        return;
    }
    r->content_type = "application/octet-stream";
    reply_date(f->mtime_ns / 1000, date);
    buf_addf(&r->headers, "ETag: %s\r\nLast-Modified: %s\r\nAccept-Ranges: bytes\r\n", etag,
             date);
    r->shared = str_make(f->data.p + from, (size_t)(end - from));
    if (header.n && !s->s3_no_ranges) {
        r->status = 206;
        buf_addf(&r->headers, "Content-Range: bytes %llu-%llu/%zu\r\n",
                 (unsigned long long)from, (unsigned long long)end - 1, f->data.n);
    }
}

void s3_run(struct sim *s, const struct s3_call *c, struct reply *r)
{
    char path[4096];
    struct stat st;
    bool head = str_is(c->req->method, "HEAD");
    r->content_type = "application/xml";
    if (!admitted(s, c, r))
        return;
    struct s3_call *own = (struct s3_call *)(uintptr_t)c;
    (void)snprintf(path, sizeof path, "%s/%s", s->opt.s3, buf_cstr(&own->bucket));
    if (!c->bucket.len || stat(path, &st) || !S_ISDIR(st.st_mode)) {
        reply_error(r, 404, "NoSuchBucket", "The specified bucket does not exist", NULL);
    } else if (!head && !str_is(c->req->method, "GET")) {
        reply_error(r, 501, "NotImplemented", "this bucket is for reading", NULL);
    } else if (c->key.len) {
        get(s, c, r);
    } else if (!head) {
        s3_list(s, c, r);
    }
    if (s->opt.bandwidth) {
        r->drip_us = 5000;
        r->drip_bytes = (uint64_t)(s->opt.bandwidth / 200);
    }
}
