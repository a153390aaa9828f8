/* SPDX-License-Identifier: MIT */
/* The clock's skew: the published cases where the shared data are present, the edges always. */
#include "pipeline/aws/sign/clock_skew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <yyjson.h>

#include "pipeline/aws/aws_error.h"
#include "pipeline/base/timefmt.h"

static const int64_t S = 1000000;

static int64_t when(yyjson_val *v)
{
    int64_t us = 0;
    assert_true(timefmt_read_iso(str_of(yyjson_get_str(v)), &us));
    return us;
}

/* True if the attempt is to be repeated. */
static bool attempt(struct clock_skew *s, yyjson_val *a)
{
    yyjson_val *response = yyjson_obj_get(a, "response");
    struct http_call call;
    http_call_init(&call);
    call.sent_us = when(yyjson_obj_get(a, "clientTimeAtSend"));
    call.received_us = when(yyjson_obj_get(a, "clientTimeAtReceive"));
    call.status = (long)yyjson_get_int(yyjson_obj_get(response, "statusCode"));
    buf_puts(&call.head, "HTTP/1.1 200 OK\r\n");
    yyjson_obj_iter it = yyjson_obj_iter_with(yyjson_obj_get(response, "headers"));
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it)) {
        buf_addf(&call.head, "%s: %s\r\n", yyjson_get_str(k),
                 yyjson_get_str(yyjson_obj_iter_get_val(k)));
    }
    int64_t used = clock_skew_get(s);
    assert_int_equal(call.sent_us + used, when(yyjson_obj_get(a, "expectedSigningTime")));
    bool off = clock_skew_learn(s, &call, used);
    const char *code = yyjson_get_str(yyjson_obj_get(response, "errorCode"));
    if (code)
        assert_int_equal(aws_error_class(str_of(code), call.status, HTTP_DONE), AWS_SKEW);
    http_call_release(&call);
    return code && off;
}

static void operation(struct clock_skew *s, yyjson_val *op)
{
    s->us = yyjson_get_int(yyjson_obj_get(op, "initialClientSkew")) * S;
    yyjson_val *attempts = yyjson_obj_get(op, "attempts");
    size_t i, n;
    yyjson_val *a;
    bool again = false;
    yyjson_arr_foreach(attempts, i, n, a)
    {
        again = attempt(s, a);
        if (i + 1 < n)
            assert_true(again);
    }
    if (!yyjson_obj_get(op, "maxAttempts"))
        assert_false(again);
    assert_int_equal(clock_skew_get(s),
                     yyjson_get_int(yyjson_obj_get(op, "expectedClientSkew")) * S);
}

static void test_published_cases_when_shared_data_are_present(void **state)
{
    (void)state;
    const char *dir = getenv("RENORM_SHARED"); /* NOLINT(concurrency-mt-unsafe) */
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/data/clock-skew/clock-skew-test-cases.json",
                   dir ? dir : "../shared");
    yyjson_doc *doc = yyjson_read_file(path, 0, NULL, NULL);
    if (!doc) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    size_t i, n, j, m;
    yyjson_val *test, *op;
    yyjson_arr_foreach(yyjson_obj_get(yyjson_doc_get_root(doc), "tests"), i, n, test)
    {
        struct clock_skew s;
        clock_skew_init(&s, false);
        yyjson_arr_foreach(yyjson_obj_get(test, "operations"), j, m, op) operation(&s, op);
        clock_skew_release(&s);
    }
    assert_int_equal(n, 10);
    yyjson_doc_free(doc);
}

static void test_edges(void **state)
{
    (void)state;
    struct clock_skew s;
    struct http_call call;
    http_call_init(&call);
    buf_puts(&call.head, "HTTP/1.1 400 x\r\nDate: Thu, 01 Jan 1970 00:05:00 GMT\r\n");
    call.sent_us = 60 * S;
    call.received_us = 60 * S;
    clock_skew_init(&s, false);
    assert_false(clock_skew_learn(&s, &call, 0)); /* exactly four minutes */
    assert_int_equal(clock_skew_get(&s), 240 * S);
    assert_true(clock_skew_learn(&s, &call, -1));
    call.result = HTTP_BROKEN;
    s.us = 0;
    assert_false(clock_skew_learn(&s, &call, -1000 * S));
    assert_int_equal(clock_skew_get(&s), 0);
    clock_skew_release(&s);
    clock_skew_init(&s, true);
    call.result = HTTP_DONE;
    assert_false(clock_skew_learn(&s, &call, -1000 * S));
    assert_int_equal(clock_skew_get(&s), 0);
    clock_skew_release(&s);
    http_call_release(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_cases_when_shared_data_are_present),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
