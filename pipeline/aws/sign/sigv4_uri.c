/* SPDX-License-Identifier: MIT */
/*
 * Services but S3 sign the path encoded once more than it stands on the wire, without dot
 * segments; S3 signs it as it stands. Queries are decoded and encoded anew, because clients
 * differ in what they leave unencoded.
 */
#include "pipeline/aws/sign/sigv4_uri.h"

#include <stdlib.h>

static bool unreserved(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '.' || c == '_' || c == '~';
}

void sigv4_encode(struct str s, bool keep_slash, struct buf *out)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (unreserved(c) || (keep_slash && c == '/')) {
            buf_putc(out, (char)c);
        } else {
            char code[3] = {'%', hex[c >> 4], hex[c & 15]};
            buf_add(out, code, sizeof code);
        }
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void decode(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n; i++) {
        int high = i + 2 < s.n && s.p[i] == '%' ? hex_digit(s.p[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(s.p[i + 2]) : -1;
        if (low >= 0) {
            buf_putc(out, (char)(high * 16 + low));
            i += 2;
        } else {
            buf_putc(out, s.p[i]);
        }
    }
}

/* Cuts the last segment off what stands in out from `start` on. */
static void pop_segment(struct buf *out, size_t start)
{
    while (out->len > start && out->p[out->len - 1] != '/')
        out->len--;
    if (out->len > start)
        out->len--;
}

/* "/a/./b//../c/" becomes "/a/c/". */
static void normalize(struct str path, struct buf *out)
{
    size_t start = out->len;
    for (size_t at = 0; at < path.n;) {
        size_t end = str_find(path, STR("/"), at);
        struct str segment = str_make(path.p + at, end - at);
        if (str_is(segment, "..")) {
            pop_segment(out, start);
        } else if (segment.n > 0 && !str_is(segment, ".")) {
            buf_putc(out, '/');
            sigv4_encode(segment, false, out);
        }
        at = end + 1;
    }
    if (path.p[path.n - 1] == '/' || out->len == start)
        buf_putc(out, '/');
}

void sigv4_uri_path(struct str path, enum sigv4_path rule, struct buf *out)
{
    if (path.n == 0) {
        buf_putc(out, '/');
    } else if (rule == SIGV4_PATH_S3) {
        buf_add_str(out, path);
    } else if (rule == SIGV4_PATH_AS_IS) {
        sigv4_encode(path, true, out);
    } else {
        normalize(path, out);
    }
}

/* Offsets into the scratch buffer, since it may move while it grows. */
struct parameter {
    size_t name, value, end;
};

struct sorted {
    struct str name, value;
};

static int by_name_and_value(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order = str_cmp(x->name, y->name);
    return order ? order : str_cmp(x->value, y->value);
}

static void recode(struct str s, struct buf *plain, struct buf *out)
{
    buf_clear(plain);
    decode(s, plain);
    sigv4_encode(buf_view(plain), false, out);
}

static size_t count_parts(struct str query)
{
    size_t n = 1;
    for (size_t i = 0; i < query.n; i++)
        n += query.p[i] == '&';
    return n;
}

static size_t split_query(struct str query, struct parameter *parts, struct buf *text)
{
    struct buf plain;
    buf_init(&plain, BUF_NO_LIMIT);
    size_t n = 0;
    for (size_t at = 0; at < query.n;) {
        size_t end = str_find(query, STR("&"), at);
        struct str one = str_make(query.p + at, end - at);
        size_t eq = str_find(one, STR("="), 0);
        if (one.n > 0) {
            parts[n].name = text->len;
            recode(str_make(one.p, eq), &plain, text);
            parts[n].value = text->len;
            recode(eq < one.n ? str_from(one, eq + 1) : STR(""), &plain, text);
            parts[n++].end = text->len;
        }
        at = end + 1;
    }
    if (plain.rc)
        text->rc = plain.rc;
    buf_release(&plain);
    return n;
}

static void join_query(struct parameter *parts, size_t n, struct buf *text,
                       struct sorted *sorted, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        sorted[i].name = str_make(text->p + parts[i].name, parts[i].value - parts[i].name);
        sorted[i].value = str_make(text->p + parts[i].value, parts[i].end - parts[i].value);
    }
    if (n > 1)
        qsort(sorted, n, sizeof *sorted, by_name_and_value);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            buf_putc(out, '&');
        buf_add_str(out, sorted[i].name);
        buf_putc(out, '=');
        buf_add_str(out, sorted[i].value);
    }
}

enum rc sigv4_uri_query(struct str query, struct buf *out, struct err *err)
{
    if (query.n == 0)
        return RC_OK;
    size_t most = count_parts(query);
    struct parameter *parts = calloc(most, sizeof *parts);
    struct sorted *sorted = calloc(most, sizeof *sorted);
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = RC_OK;
    (void)buf_room(&text, 1); /* so that an empty name has an address */
    if (!parts || !sorted) {
        rc = err_nomem(err);
    } else {
        size_t n = split_query(query, parts, &text);
        rc = buf_check(&text, err);
        if (!rc)
            join_query(parts, n, &text, sorted, out);
    }
    buf_release(&text);
    free(sorted);
    free(parts);
    return rc;
}
