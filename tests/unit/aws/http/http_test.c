/* SPDX-License-Identifier: MIT */
/*
 * The loop against a real server on loopback. Time-outs for the first byte and for stalls
 * run on a clock that the test turns, so nothing here waits for time to pass.
 */
#include "pipeline/aws/http/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/harness/httpd.h"

static _Atomic int64_t clock_us;

static int64_t fake_clock(void *ctx)
{
    (void)ctx;
    return clock_us;
}

static const struct env fake = {.now_us = fake_clock, .mono_us = fake_clock};

struct fixture {
    struct httpd *server;
    struct http_loop *loop;
    struct http_call call;
    char url[128];
    int done;
};

static void count_done(struct http_call *call, void *ctx)
{
    (void)call;
    struct fixture *f = ctx;
    f->done++;
}

static void open_with(struct fixture *f, httpd_handler *handler, void *ctx,
                      const struct http_config *config)
{
    struct err err = {0};
    *f = (struct fixture){.server = httpd_new(handler, ctx)};
    assert_non_null(f->server);
    assert_int_equal(http_loop_new(&f->loop, config, &err), RC_OK);
    http_call_init(&f->call);
    (void)snprintf(f->url, sizeof f->url, "%s/path?q=1", httpd_url(f->server));
    f->call.method = "POST";
    f->call.url = f->url;
    f->call.done = count_done;
    f->call.ctx = f;
}

static void close_all(struct fixture *f)
{
    http_call_release(&f->call);
    http_loop_free(f->loop);
    httpd_free(f->server);
}

static void start(struct fixture *f)
{
    struct err err = {0};
    if (f->server)
        (void)httpd_requests(f->server); /* its lock orders our writes and the server's */
    assert_int_equal(http_start(f->loop, &f->call, &err), RC_OK);
}

static void drive(struct fixture *f)
{
    struct err err = {0};
    while (http_pending(f->loop) > 0)
        assert_int_equal(http_poll(f->loop, NULL, 0, 60000, &err), RC_OK);
}

static void run(struct fixture *f)
{
    start(f);
    drive(f);
}

static const struct http_config plain = {0};
/* Answers with the request's own head and body. */
static void echo(const struct httpd_request *r, struct httpd_reply *reply, void *ctx)
{
    (void)ctx;
    struct buf body;
    buf_init(&body, BUF_NO_LIMIT);
    buf_add_str(&body, r->head);
    buf_add_str(&body, r->body);
    httpd_answer(reply, 200, "X-One:  two \r\n", buf_view(&body));
    buf_release(&body);
}

static bool body_has(const struct fixture *f, const char *text)
{
    struct str body = buf_view(&f->call.body);
    return str_find(body, str_of(text), 0) < body.n;
}

static void test_request_is_sent_as_given(void **state)
{
    (void)state;
    struct fixture f;
    open_with(&f, echo, NULL, &plain);
    struct http_header headers[] = {{STR("X-Amz-Target"), STR("Op")}};
    f.call.headers = headers;
    f.call.n_headers = 1;
    f.call.send = STR("{\"a\":1}");
    run(&f);
    assert_int_equal(f.done, 1);
    assert_int_equal(f.call.result, HTTP_DONE);
    assert_int_equal(f.call.status, 200);
    assert_true(body_has(&f, "POST /path?q=1 HTTP/1.1\r\n"));
    assert_true(body_has(&f, "X-Amz-Target: Op\r\n"));
    assert_true(body_has(&f, "{\"a\":1}"));
    assert_false(body_has(&f, "Accept-Encoding"));
    assert_false(body_has(&f, "Expect"));
    assert_true(str_is(http_header(&f.call, "x-one"), "two"));
    assert_int_equal(http_header(&f.call, "x-two").n, 0);
    close_all(&f);
}

static void test_connection_is_kept(void **state)
{
    (void)state;
    struct fixture f;
    open_with(&f, echo, NULL, &plain);
    for (int i = 0; i < 5; i++)
        run(&f);
    assert_int_equal(httpd_requests(f.server), 5);
    assert_int_equal(httpd_connections(f.server), 1);
    close_all(&f);
}

struct canned {
    const char *headers;
    struct str body;
    enum httpd_then then;
    size_t cut; /* bytes of the answer to send; 0: all */
};

static void answer_canned(const struct httpd_request *r, struct httpd_reply *reply, void *ctx)
{
    (void)r;
    const struct canned *c = ctx;
    httpd_answer(reply, 200, c->headers, c->body);
    reply->then = c->then;
    if (c->cut)
        reply->bytes.len = c->cut;
}

static void test_broken_connections(void **state)
{
    (void)state;
    struct canned c = {"", STR("0123456789"), HTTPD_RESET, 30};
    struct fixture f;
    open_with(&f, answer_canned, &c, &plain);
    run(&f);
    assert_int_equal(f.call.result, HTTP_BROKEN);
    c = (struct canned){"", STR("0123456789"), HTTPD_CLOSE, 0};
    run(&f);
    assert_int_equal(f.call.result, HTTP_DONE);
    c.cut = strlen("HTTP/1.1 200 Text\r\nContent-Length: 10\r\n\r\n01234");
    run(&f);
    assert_int_equal(f.call.result, HTTP_BROKEN);
    close_all(&f);
}

static void reset_from_second(const struct httpd_request *r, struct httpd_reply *reply,
                              void *ctx)
{
    (void)ctx;
    if (r->number == 0) {
        httpd_answer(reply, 200, "", STR("ok"));
    } else {
        reply->then = HTTPD_RESET;
    }
}

static void test_request_on_a_dying_connection_is_sent_once(void **state)
{
    (void)state;
    struct fixture f;
    open_with(&f, reset_from_second, NULL, &plain);
    f.call.send = STR("{}");
    run(&f);
    assert_int_equal(f.call.result, HTTP_DONE);
    run(&f);
    assert_int_equal(f.call.result, HTTP_BROKEN);
    assert_int_equal(httpd_requests(f.server), 2);
    close_all(&f);
}

static void test_nobody_listens(void **state)
{
    (void)state;
    struct fixture f;
    open_with(&f, echo, NULL, &plain);
    httpd_free(f.server);
    f.server = NULL;
    run(&f);
    assert_int_equal(f.call.result, HTTP_NOT_SENT);
    close_all(&f);
}

static void test_bad_addresses(void **state)
{
    (void)state;
    struct fixture f;
    open_with(&f, echo, NULL, &plain);
    f.call.url = "ftp://127.0.0.1/";
    run(&f);
    assert_int_equal(f.call.result, HTTP_BAD_URL);
    close_all(&f);
}

/* The server waits for the end of a request that never comes, so the handshake hangs. */
static void test_handshake_never_ends(void **state)
{
    (void)state;
    struct http_config config = {.connect_ms = 200};
    struct fixture f;
    open_with(&f, echo, NULL, &config);
    char url[160];
    (void)snprintf(url, sizeof url, "https%s", f.url + strlen("http"));
    f.call.url = url;
    run(&f);
    assert_int_equal(f.call.result, HTTP_NOT_SENT);
    assert_int_equal(httpd_requests(f.server), 0);
    close_all(&f);
}

static void test_canceled_call_has_no_callback(void **state)
{
    (void)state;
    struct err err = {0};
    struct fixture f;
    open_with(&f, echo, NULL, &plain);
    start(&f);
    http_cancel(f.loop, &f.call);
    http_cancel(f.loop, &f.call);
    assert_int_equal(f.call.result, HTTP_CANCELED);
    assert_int_equal(http_pending(f.loop), 0);
    assert_int_equal(http_poll(f.loop, NULL, 0, 0, &err), RC_OK);
    assert_int_equal(f.done, 0);
    run(&f);
    assert_int_equal(f.done, 1);
    assert_int_equal(f.call.result, HTTP_DONE);
    close_all(&f);
}

static void hang(const struct httpd_request *r, struct httpd_reply *reply, void *ctx)
{
    (void)r;
    const struct canned *c = ctx;
    if (c)
        buf_addf(&reply->bytes, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234");
    reply->then = HTTPD_HANG;
}

static void test_first_byte_never_comes(void **state)
{
    (void)state;
    struct err err = {0};
    struct http_config config = {.env = &fake, .first_byte_ms = 2000, .stall_ms = 1000000};
    struct fixture f;
    open_with(&f, hang, NULL, &config);
    start(&f);
    while (httpd_requests(f.server) == 0)
        assert_int_equal(http_poll(f.loop, NULL, 0, 10, &err), RC_OK);
    clock_us += 1999999;
    assert_int_equal(http_poll(f.loop, NULL, 0, 0, &err), RC_OK);
    assert_int_equal(f.done, 0);
    clock_us += 1;
    assert_int_equal(http_poll(f.loop, NULL, 0, 0, &err), RC_OK);
    assert_int_equal(f.done, 1);
    assert_int_equal(f.call.result, HTTP_TIMEOUT);
    assert_string_equal(f.call.detail, "no answer for 2.0 s");
    close_all(&f);
}

static void test_answer_stalls(void **state)
{
    (void)state;
    struct err err = {0};
    struct http_config config = {.env = &fake, .first_byte_ms = 1000000, .stall_ms = 1500};
    struct canned c = {0};
    struct fixture f;
    open_with(&f, hang, &c, &config);
    start(&f);
    while (f.call.body.len < 5)
        assert_int_equal(http_poll(f.loop, NULL, 0, 10, &err), RC_OK);
    clock_us += 1499999;
    assert_int_equal(http_poll(f.loop, NULL, 0, 0, &err), RC_OK);
    assert_int_equal(f.done, 0);
    clock_us += 1;
    assert_int_equal(http_poll(f.loop, NULL, 0, 0, &err), RC_OK);
    assert_int_equal(f.call.result, HTTP_TIMEOUT);
    assert_string_equal(f.call.detail, "the answer stood still for 1.5 s");
    close_all(&f);
}

static void test_many_calls_on_one_loop(void **state)
{
    (void)state;
    enum { N = 40 };
    struct err err = {0};
    struct fixture f;
    open_with(&f, echo, NULL, &plain);
    struct http_call calls[N];
    for (int i = 0; i < N; i++) {
        http_call_init(&calls[i]);
        calls[i].method = "POST";
        calls[i].url = f.url;
        calls[i].send = STR("x");
        calls[i].done = count_done;
        calls[i].ctx = &f;
        assert_int_equal(http_start(f.loop, &calls[i], &err), RC_OK);
    }
    assert_int_equal(http_pending(f.loop), N);
    drive(&f);
    assert_int_equal(f.done, N);
    for (int i = 0; i < N; i++) {
        assert_int_equal(calls[i].result, HTTP_DONE);
        http_call_release(&calls[i]);
    }
    close_all(&f);
}

static void test_extra_sockets_and_wakeup(void **state)
{
    (void)state;
    struct err err = {0};
    struct http_loop *loop;
    assert_int_equal(http_loop_new(&loop, &plain, &err), RC_OK);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct pollfd extra = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(http_poll(loop, &extra, 1, 0, &err), RC_OK);
    assert_int_equal(extra.revents, 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(http_poll(loop, &extra, 1, 600000, &err), RC_OK);
    assert_int_equal(extra.revents, POLLIN);
    http_wakeup(loop);
    assert_int_equal(http_poll(loop, NULL, 0, 600000, &err), RC_OK); /* does not wait */
    (void)close(ends[0]);
    (void)close(ends[1]);
    http_loop_free(loop);
}

static void test_fetch_blocks_until_done(void **state)
{
    (void)state;
    struct err err = {0};
    struct httpd *server = httpd_new(echo, NULL);
    assert_non_null(server);
    struct http_call call;
    http_call_init(&call);
    call.method = "GET";
    call.url = httpd_url(server);
    assert_int_equal(http_fetch(&plain, &call, &err), RC_OK);
    assert_int_equal(call.status, 200);
    assert_true(str_starts(buf_view(&call.body), STR("GET / HTTP/1.1\r\n")));
    http_call_release(&call);
    httpd_free(server);
}

static int set_up(void **state)
{
    clock_us = 1000000;
    return httpd_group(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request_is_sent_as_given),
        cmocka_unit_test(test_connection_is_kept),
        cmocka_unit_test(test_broken_connections),
        cmocka_unit_test(test_request_on_a_dying_connection_is_sent_once),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_bad_addresses),
        cmocka_unit_test(test_handshake_never_ends),
        cmocka_unit_test(test_canceled_call_has_no_callback),
        cmocka_unit_test(test_first_byte_never_comes),
        cmocka_unit_test(test_answer_stalls),
        cmocka_unit_test(test_many_calls_on_one_loop),
        cmocka_unit_test(test_extra_sockets_and_wakeup),
        cmocka_unit_test(test_fetch_blocks_until_done),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
