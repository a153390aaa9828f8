/* SPDX-License-Identifier: MIT */
/* What answers mean: names before statuses, JSON and XML bodies, and pages of proxies. */
#include "pipeline/aws/aws_error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_table(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        long status;
        enum http_result result;
        enum aws_class want;
    } t[] = {
        {"ProvisionedThroughputExceededException", 400, HTTP_DONE, AWS_THROTTLE},
        {"ThrottlingException", 400, HTTP_DONE, AWS_THROTTLE},
        {"RequestLimitExceeded", 400, HTTP_DONE, AWS_THROTTLE},
        {"InternalServerError", 500, HTTP_DONE, AWS_TRANSIENT},
        {"RequestTimeout", 400, HTTP_DONE, AWS_TRANSIENT},
        {"TransactionConflictException", 400, HTTP_DONE, AWS_TRANSIENT},
        {"ConditionalCheckFailedException", 400, HTTP_DONE, AWS_CONDITION},
        {"ResourceNotFoundException", 400, HTTP_DONE, AWS_FATAL},
        {"ValidationException", 400, HTTP_DONE, AWS_FATAL},
        {"NeverHeardOfException", 400, HTTP_DONE, AWS_FATAL},
        {"NeverHeardOfException", 500, HTTP_DONE, AWS_TRANSIENT},
        {"AccessDeniedException", 400, HTTP_DONE, AWS_AUTH},
        {"UnrecognizedClientException", 400, HTTP_DONE, AWS_EXPIRED},
        {"ExpiredTokenException", 403, HTTP_DONE, AWS_EXPIRED},
        {"InvalidSignatureException", 400, HTTP_DONE, AWS_SKEW},
        {"", 200, HTTP_DONE, AWS_OK},
        {"", 403, HTTP_DONE, AWS_AUTH},
        {"", 413, HTTP_DONE, AWS_FATAL},
        {"", 429, HTTP_DONE, AWS_THROTTLE},
        {"", 503, HTTP_DONE, AWS_TRANSIENT},
        {"", 0, HTTP_NOT_SENT, AWS_TRANSIENT},
        {"", 0, HTTP_TIMEOUT, AWS_TRANSIENT},
        {"", 0, HTTP_BROKEN, AWS_TRANSIENT},
        {"", 0, HTTP_BAD_CHECKSUM, AWS_TRANSIENT},
        {"", 0, HTTP_TLS, AWS_FATAL},
        {"", 0, HTTP_BAD_URL, AWS_FATAL},
        {"", 0, HTTP_TOO_BIG, AWS_FATAL},
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        assert_int_equal(aws_error_class(str_of(t[i].name), t[i].status, t[i].result),
                         t[i].want);
    }
}

static void read(struct aws_failure *f, long status, const char *head, const char *body)
{
    struct http_call call;
    http_call_init(&call);
    call.status = status;
    buf_puts(&call.head, head);
    buf_puts(&call.body, body);
    aws_error_read(&call, f);
    http_call_release(&call);
}

static void test_json_body(void **state)
{
    (void)state;
    struct err err = {0};
    struct aws_failure f;
    read(&f, 400, "HTTP/1.1 400 x\r\nx-amzn-RequestId: REQ1\r\n",
         "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException\","
         "\"message\":\"Requested resource\\nnot found\"}");
    assert_int_equal(f.class, AWS_FATAL);
    assert_false(f.maybe_done);
    assert_int_equal(aws_error_set(&f, "Scan of \"t\"", &err), RC_USAGE);
    assert_string_equal(
        err.msg, "Scan of \"t\": 400 ResourceNotFoundException: Requested resource not "
                 "found (request REQ1)\nhint: check the name, the region and the account");
}

static void test_name_variants(void **state)
{
    (void)state;
    struct aws_failure f;
    read(&f, 400, "", "{\"__type\":\"com.amazon.coral.service#SerializationException\"}");
    assert_string_equal(f.name, "SerializationException");
    read(&f, 400, "", "{\"__type\":\"a#ThrottlingException:http://x/y#z\",\"Message\":\"m\"}");
    assert_string_equal(f.name, "ThrottlingException");
    read(&f, 400, "", "{\"__type\":\"ThrottlingException:http://x/y\",\"Message\":\"m\"}");
    assert_string_equal(f.name, "ThrottlingException");
    assert_string_equal(f.message, "m");
    read(&f, 404, "", "<UnknownOperationException/>\n");
    assert_string_equal(f.name, "UnknownOperationException");
    read(&f, 400, "H\r\nx-amzn-ErrorType: UnauthorizedException:http\r\n", "");
    assert_string_equal(f.name, "UnauthorizedException");
}

static void test_xml_body(void **state)
{
    (void)state;
    struct aws_failure f;
    read(&f, 403, "",
         "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error>"
         "<Type>Sender</Type><Code>AccessDenied</Code><Message>a &amp; b</Message></Error>"
         "<RequestId>R2</RequestId></ErrorResponse>");
    assert_string_equal(f.name, "AccessDenied");
    assert_string_equal(f.message, "a & b");
    assert_string_equal(f.request_id, "R2");
    assert_int_equal(f.class, AWS_AUTH);
}

static void test_page_of_a_proxy(void **state)
{
    (void)state;
    struct aws_failure f;
    read(&f, 502, "H\r\nContent-Type: text/html\r\nRetry-After: 7\r\n",
         "<html><body>Bad Gateway</body></html>");
    assert_int_equal(f.class, AWS_TRANSIENT);
    assert_true(f.maybe_done);
    assert_int_equal(f.retry_after_ms, 7000);
    assert_string_equal(f.message, "an answer that is not of AWS (text/html): "
                                   "<html><body>Bad Gateway</body></html>");
    read(&f, 503, "H\r\nRetry-After: 86400\r\n", "");
    assert_int_equal(f.retry_after_ms, 3600000);
    read(&f, 503,
         "H\r\nDate: Fri, 02 Jan 2026 02:04:05 GMT\r\n"
         "Retry-After: Fri, 02 Jan 2026 02:05:15 GMT\r\n",
         "");
    assert_int_equal(f.retry_after_ms, 70000);
    assert_false(f.retry_after_exact);
    read(&f, 503,
         "H\r\nDate: Fri, 02 Jan 2026 02:04:05 GMT\r\n"
         "Retry-After: Fri, 02 Jan 2026 02:03:00 GMT\r\n",
         "");
    assert_int_equal(f.retry_after_ms, 0);
    read(&f, 503, "H\r\nRetry-After: soon\r\n", "");
    assert_int_equal(f.retry_after_ms, -1);
    read(&f, 503, "H\r\nx-amz-retry-after: 250\r\n", "");
    assert_int_equal(f.retry_after_ms, 250);
    assert_true(f.retry_after_exact);
}

static void test_throttling_reasons(void **state)
{
    (void)state;
    struct aws_failure f;
    read(&f, 400, "",
         "{\"__type\":\"x#ThrottlingException\",\"throttlingReasons\":[{\"reason\":"
         "\"TableReadKeyRangeThroughputExceeded\",\"resource\":\"arn\"}]}");
    assert_true(f.key_range);
    assert_false(f.index);
    read(&f, 400, "",
         "{\"__type\":\"x#ProvisionedThroughputExceededException\",\"ThrottlingReasons\":["
         "{\"reason\":\"IndexWriteKeyRangeThroughputExceeded\"},"
         "{\"reason\":\"TableReadProvisionedThroughputExceeded\"}]}");
    assert_false(f.key_range);
    assert_true(f.index);
    assert_string_equal(f.index_name, "");
    read(&f, 400, "",
         "{\"__type\":\"x#ThrottlingException\",\"throttlingReasons\":[{\"reason\":"
         "\"IndexWriteKeyRangeThroughputExceeded\",\"resource\":"
         "\"arn:aws:dynamodb:us-east-1:1:table/shop/index/GSI1\"}]}");
    assert_true(f.key_range && f.index);
    assert_string_equal(f.index_name, "GSI1");
    read(&f, 400, "", "{\"__type\":\"x#ThrottlingException\"}");
    assert_false(f.key_range);
    assert_string_equal(f.index_name, "");
}

static void test_failed_transfer(void **state)
{
    (void)state;
    struct err err = {0};
    struct aws_failure f;
    struct http_call call;
    http_call_init(&call);
    call.result = HTTP_NOT_SENT;
    memcpy(call.detail, "Couldn't connect", sizeof "Couldn't connect");
    aws_error_read(&call, &f);
    assert_false(f.maybe_done);
    assert_int_equal(aws_error_set(&f, "Scan", &err), RC_TRANSIENT);
    assert_string_equal(err.msg, "Scan: Couldn't connect");
    static const char NO_HOST[] = "Could not resolve host: dynamodb.eu-west-9.amazonaws.com";
    memcpy(call.detail, NO_HOST, sizeof NO_HOST);
    aws_error_read(&call, &f);
    assert_int_equal(aws_error_set(&f, "Scan", &err), RC_TRANSIENT);
    assert_non_null(strstr(err.msg, "no such region"));
    call.result = HTTP_BROKEN;
    aws_error_read(&call, &f);
    assert_true(f.maybe_done);
    http_call_release(&call);
}

static void test_success_is_no_failure(void **state)
{
    (void)state;
    struct aws_failure f;
    read(&f, 200, "", "{\"__type\":\"InternalServerError\"}");
    assert_int_equal(f.class, AWS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),           cmocka_unit_test(test_json_body),
        cmocka_unit_test(test_name_variants),   cmocka_unit_test(test_xml_body),
        cmocka_unit_test(test_page_of_a_proxy), cmocka_unit_test(test_throttling_reasons),
        cmocka_unit_test(test_failed_transfer), cmocka_unit_test(test_success_is_no_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
