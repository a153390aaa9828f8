/* SPDX-License-Identifier: MIT */
/* What is done to the bytes of an answer: checksum, inflation, ceiling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zlib.h>

#include "pipeline/aws/http/http.h"
#include "tests/harness/httpd.h"

static const struct http_config plain = {0};

struct fixture {
    struct httpd *server;
    struct http_config config;
    struct http_call call;
};

static void open_with(struct fixture *f, httpd_handler *handler, void *ctx,
                      const struct http_config *config)
{
    *f = (struct fixture){.server = httpd_new(handler, ctx), .config = *config};
    assert_non_null(f->server);
    http_call_init(&f->call);
    f->call.method = "GET";
    f->call.url = httpd_url(f->server);
}

static void close_all(struct fixture *f)
{
    http_call_release(&f->call);
    httpd_free(f->server);
}

static void run(struct fixture *f)
{
    struct err err = {0};
    (void)httpd_requests(f->server); /* its lock orders our writes and the server's */
    assert_int_equal(http_fetch(&f->config, &f->call, &err), RC_OK);
}

struct canned {
    const char *headers;
    struct str body;
};

static void answer_canned(const struct httpd_request *r, struct httpd_reply *reply, void *ctx)
{
    (void)r;
    const struct canned *c = ctx;
    httpd_answer(reply, 200, c->headers, c->body);
}

static void test_crc32_of_plain_bytes(void **state)
{
    (void)state;
    struct canned good = {"x-amz-crc32: 907060870\r\n", STR("hello")};
    struct fixture f;
    open_with(&f, answer_canned, &good, &plain);
    run(&f);
    assert_int_equal(f.call.result, HTTP_DONE);
    good.headers = "x-amz-crc32: 907060871\r\n";
    run(&f);
    assert_int_equal(f.call.result, HTTP_BAD_CHECKSUM);
    assert_int_equal(f.call.status, 0);
    assert_non_null(strstr(f.call.detail, "907060870"));
    close_all(&f);
}

static void gzip(struct str text, struct buf *out)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    uLong bound = deflateBound(&z, text.n);
    assert_true(buf_grow(out, bound));
    unsigned char *in = malloc(text.n);
    assert_non_null(in);
    memcpy(in, text.p, text.n);
    z.next_in = in;
    z.avail_in = (uInt)text.n;
    z.next_out = (unsigned char *)out->p;
    z.avail_out = (uInt)bound;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->len = z.total_out;
    (void)deflateEnd(&z);
    free(in);
}

/* A text that shrinks, but not to nothing. */
static void make_text(struct buf *out, int lines)
{
    for (int i = 0; i < lines; i++)
        buf_addf(out, "line %d of a page that is longer than one inflate step\n", i * 7919);
}

static void test_gzip_is_checked_then_inflated(void **state)
{
    (void)state;
    struct buf text, packed;
    buf_init(&text, BUF_NO_LIMIT);
    buf_init(&packed, BUF_NO_LIMIT);
    make_text(&text, 20000);
    gzip(buf_view(&text), &packed);
    char headers[128];
    (void)snprintf(headers, sizeof headers, "Content-Encoding: gzip\r\nx-amz-crc32: %lu\r\n",
                   crc32(0, (unsigned char *)packed.p, (uInt)packed.len));
    struct canned c = {headers, buf_view(&packed)};
    struct fixture f;
    open_with(&f, answer_canned, &c, &plain);
    f.call.accept_gzip = true;
    for (int i = 0; i < 3; i++) {
        run(&f);
        assert_int_equal(f.call.result, HTTP_DONE);
        assert_true(str_eq(buf_view(&f.call.body), buf_view(&text)));
    }
    close_all(&f);
    buf_release(&text);
    buf_release(&packed);
}

static void test_gzip_cut_short_is_told(void **state)
{
    (void)state;
    struct buf text, packed;
    buf_init(&text, BUF_NO_LIMIT);
    buf_init(&packed, BUF_NO_LIMIT);
    make_text(&text, 1000);
    gzip(buf_view(&text), &packed);
    struct canned c = {"Content-Encoding: gzip\r\n", str_make(packed.p, packed.len / 2)};
    struct fixture f;
    open_with(&f, answer_canned, &c, &plain);
    run(&f);
    assert_int_equal(f.call.result, HTTP_BAD_GZIP);
    close_all(&f);
    buf_release(&text);
    buf_release(&packed);
}

static void test_gzip_claimed_but_plain_is_taken(void **state)
{
    (void)state;
    struct canned c = {"Content-Encoding: gzip\r\n", STR("{\"__type\":\"x\"}")};
    struct fixture f;
    open_with(&f, answer_canned, &c, &plain);
    run(&f);
    assert_int_equal(f.call.result, HTTP_DONE);
    assert_true(str_starts(buf_view(&f.call.body), STR("{\"__type")));
    close_all(&f);
}

static void test_answer_beyond_the_limit(void **state)
{
    (void)state;
    struct buf text, packed;
    buf_init(&text, BUF_NO_LIMIT);
    buf_init(&packed, BUF_NO_LIMIT);
    make_text(&text, 2000);
    gzip(buf_view(&text), &packed);
    struct http_config small = {.max_body = packed.len + 100};
    struct canned c = {"", buf_view(&text)};
    struct fixture f;
    open_with(&f, answer_canned, &c, &small);
    run(&f);
    assert_int_equal(f.call.result, HTTP_TOO_BIG);
    c = (struct canned){"Content-Encoding: gzip\r\n", buf_view(&packed)};
    run(&f);
    assert_int_equal(f.call.result, HTTP_TOO_BIG);
    close_all(&f);
    buf_release(&text);
    buf_release(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc32_of_plain_bytes),
        cmocka_unit_test(test_gzip_is_checked_then_inflated),
        cmocka_unit_test(test_gzip_cut_short_is_told),
        cmocka_unit_test(test_gzip_claimed_but_plain_is_taken),
        cmocka_unit_test(test_answer_beyond_the_limit),
    };
    return cmocka_run_group_tests(tests, httpd_group, NULL);
}
