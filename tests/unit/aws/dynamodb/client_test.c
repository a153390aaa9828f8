/* SPDX-License-Identifier: MIT */
/* The client against a server on loopback that misbehaves as each test says. */
#include "pipeline/aws/dynamodb/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/aws/dynamodb/describe.h"
#include "tests/harness/awsenv.h"
#include "tests/harness/httpd.h"

enum { STEPS = 8 };

/* The answers in their order; the last one is repeated. */
struct script {
    struct {
        int status;
        const char *headers, *body;
        enum httpd_then then;
    } steps[STEPS];
    int at;
    char target[64], date[32], key_id[64], token[32], body[512];
};

struct fixture {
    struct awsenv e;
    struct script script;
    struct httpd *server;
    struct aws_settings s;
    struct creds_provider *cache;
    struct dynamodb d;
    struct err err;
    struct buf answer;
};

static void copy(char *out, size_t size, struct str s)
{
    (void)snprintf(out, size, "%.*s", STR_FMT(s));
}

static void play(const struct httpd_request *r, struct httpd_reply *reply, void *ctx)
{
    struct script *s = ctx;
    int i = s->at;
    if (i + 1 < STEPS && s->steps[i + 1].status)
        s->at++;
    copy(s->target, sizeof s->target, httpd_header(r, "X-Amz-Target"));
    copy(s->date, sizeof s->date, httpd_header(r, "X-Amz-Date"));
    copy(s->token, sizeof s->token, httpd_header(r, "X-Amz-Security-Token"));
    struct str who = httpd_header(r, "Authorization");
    size_t start = str_find(who, STR("Credential="), 0) + strlen("Credential=");
    copy(s->key_id, sizeof s->key_id,
         str_make(who.p + start, str_find(who, STR("/"), start) - start));
    copy(s->body, sizeof s->body, r->body);
    if (s->steps[i].status > 1) {
        httpd_answer(reply, s->steps[i].status, s->steps[i].headers ? s->steps[i].headers : "",
                     str_of(s->steps[i].body));
    }
    reply->then = s->steps[i].then;
}

static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    awsenv_open(&f.e);
    f.server = httpd_new(play, &f.script);
    assert_non_null(f.server);
    awsenv_set(&f.e, "AWS_REGION", "eu-west-1");
    awsenv_set(&f.e, "AWS_ENDPOINT_URL_DYNAMODB", httpd_url(f.server));
    awsenv_set(&f.e, "AWS_ACCESS_KEY_ID", "KEY1");
    awsenv_set(&f.e, "AWS_SECRET_ACCESS_KEY", "S");
    awsenv_settings(&f.e, NULL, &f.s);
    f.cache = creds_default_new(&f.s);
    struct dynamodb_config config = {.settings = &f.s, .provider = f.cache};
    assert_int_equal(dynamodb_init(&f.d, &config, &f.err), RC_OK);
    buf_init(&f.answer, BUF_NO_LIMIT);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    httpd_free(f->server);
    dynamodb_release(&f->d);
    creds_free(f->cache);
    aws_settings_release(&f->s);
    buf_release(&f->answer);
    awsenv_close(&f->e);
    return 0;
}

static enum rc call(struct fixture *f)
{
    (void)httpd_requests(f->server); /* its lock orders our writes and the server's */
    buf_clear(&f->answer);
    enum rc rc = dynamodb_call(&f->d, "GetItem", NULL, STR("{\"a\":1}"), &f->answer, &f->err);
    (void)httpd_requests(f->server);
    return rc;
}

#define JSON_ERROR(name, text)                                                                 \
    "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" name "\",\"message\":\"" text "\"}"

static void test_request_is_dynamodb_s(void **state)
{
    struct fixture *f = *state;
    f->script.steps[0].status = 200;
    f->script.steps[0].body = "{\"Item\":{}}";
    awsenv_set(&f->e, "AWS_SESSION_TOKEN", "TOK");
    assert_int_equal(call(f), RC_OK);
    assert_string_equal(buf_cstr(&f->answer), "{\"Item\":{}}");
    assert_string_equal(f->script.target, "DynamoDB_20120810.GetItem");
    assert_string_equal(f->script.date, "20260102T030405Z");
    assert_string_equal(f->script.key_id, "KEY1");
    assert_string_equal(f->script.token, "TOK");
    assert_string_equal(f->script.body, "{\"a\":1}");
}

static void test_transient_failures_are_repeated(void **state)
{
    struct fixture *f = *state;
    f->script.steps[0].status = 500;
    f->script.steps[0].body = JSON_ERROR("InternalServerError", "x");
    f->script.steps[1].status = 1;
    f->script.steps[1].then = HTTPD_RESET;
    f->script.steps[2].status = 200;
    f->script.steps[2].body = "<html>of a proxy</html>";
    f->script.steps[3].status = 400;
    f->script.steps[3].body = JSON_ERROR("ThrottlingException", "x");
    f->script.steps[4].status = 200;
    f->script.steps[4].headers = "x-amz-crc32: 1\r\n";
    f->script.steps[4].body = "{}";
    f->script.steps[5].status = 200;
    f->script.steps[5].body = "{\"ok\":1}";
    assert_int_equal(call(f), RC_OK);
    assert_string_equal(buf_cstr(&f->answer), "{\"ok\":1}");
    assert_int_equal(httpd_requests(f->server), 6);
    /* half of 25, 50, 100, 8000 (throttled: base 1 s) and 400 ms */
    assert_int_equal(f->e.slept_us, 12500 + 25000 + 50000 + 4000000 + 200000);
    assert_int_equal(retry_stats(&f->d.retry).retries, 5);
}

static void test_fatal_failures_stop_at_once(void **state)
{
    struct fixture *f = *state;
    f->script.steps[0].status = 400;
    f->script.steps[0].headers = "x-amzn-RequestId: R\r\n";
    f->script.steps[0].body = JSON_ERROR("ResourceNotFoundException", "no table");
    assert_int_equal(call(f), RC_USAGE);
    assert_string_equal(f->err.msg, "GetItem: 400 ResourceNotFoundException: no table (request "
                                    "R)\nhint: check the name, the region and the account");
    f->script.steps[0].body = JSON_ERROR("AccessDeniedException", "not allowed");
    assert_int_equal(call(f), RC_AUTH);
    f->script.steps[0].body = JSON_ERROR("ConditionalCheckFailedException", "c");
    assert_int_equal(call(f), RC_DATA);
    assert_int_equal(httpd_requests(f->server), 3);
}

static void test_expired_credentials_are_renewed_once(void **state)
{
    struct fixture *f = *state;
    f->script.steps[0].status = 200;
    f->script.steps[0].body = "{}";
    f->script.steps[1].status = 400;
    f->script.steps[1].body = JSON_ERROR("ExpiredTokenException", "old");
    f->script.steps[2].status = 200;
    f->script.steps[2].body = "{}";
    f->script.steps[3].status = 400;
    f->script.steps[3].body = JSON_ERROR("UnrecognizedClientException", "bad key");
    assert_int_equal(call(f), RC_OK);
    awsenv_set(&f->e, "AWS_ACCESS_KEY_ID", "KEY2");
    assert_int_equal(call(f), RC_OK);
    assert_string_equal(f->script.key_id, "KEY2");
    assert_int_equal(httpd_requests(f->server), 3);
    assert_int_equal(call(f), RC_AUTH); /* refused again with what was renewed */
    assert_int_equal(httpd_requests(f->server), 5);
    assert_non_null(strstr(f->err.msg, "GetItem: 400 UnrecognizedClientException: bad key"));
    assert_int_equal(f->e.slept_us, 0);
}

static void test_wrong_clock_is_corrected(void **state)
{
    struct fixture *f = *state;
    f->script.steps[0].status = 400;
    f->script.steps[0].headers = "Date: Fri, 02 Jan 2026 04:04:05 GMT\r\n";
    f->script.steps[0].body = JSON_ERROR("InvalidSignatureException", "expired");
    f->script.steps[1].status = 200;
    f->script.steps[1].headers = "Date: Fri, 02 Jan 2026 04:04:05 GMT\r\n";
    f->script.steps[1].body = "{}";
    assert_int_equal(call(f), RC_OK);
    assert_string_equal(f->script.date, "20260102T040405Z");
    f->script.at = 0; /* refused though the clock is right */
    f->script.steps[1].status = 0;
    assert_int_equal(call(f), RC_AUTH);
    assert_int_equal(httpd_requests(f->server), 3);
}

static void test_giving_up_names_what_was_tried(void **state)
{
    struct fixture *f = *state;
    f->script.steps[0].status = 503;
    f->script.steps[0].body = JSON_ERROR("ServiceUnavailable", "down");
    assert_int_equal(call(f), RC_TRANSIENT);
    assert_non_null(strstr(f->err.msg, "GetItem: 503 ServiceUnavailable: down\n"
                                       "hint: given up after "));
    assert_true(f->e.slept_us >= INT64_C(900) * 1000000);
}

static void count(struct dynamodb_request *r, void *ctx)
{
    (void)r;
    ++*(int *)ctx;
}

static void test_attempts_on_a_loop(void **state)
{
    struct fixture *f = *state;
    struct http_loop *loop = NULL;
    struct dynamodb_request r;
    int done = 0;
    int64_t at = 0;
    f->script.steps[0].status = 400;
    f->script.steps[0].body =
        "{\"__type\":\"x#ThrottlingException\",\"throttlingReasons\":[{\"reason\":"
        "\"TableReadKeyRangeThroughputExceeded\"}]}";
    f->script.steps[1].status = 200;
    f->script.steps[1].body = "{\"Count\":0}";
    assert_int_equal(http_loop_new(&loop, &f->d.http, &f->err), RC_OK);
    dynamodb_request_init(&r);
    r.op = "Scan";
    r.done = count;
    r.ctx = &done;
    buf_puts(&r.send, "{}");
    assert_int_equal(dynamodb_start(&f->d, loop, &r, &f->err), RC_OK);
    while (!done)
        assert_int_equal(http_poll(loop, NULL, 0, 60000, &f->err), RC_OK);
    assert_int_equal(dynamodb_finish(&f->d, &r, &at, &f->err), RC_AGAIN);
    assert_int_equal(at, f->e.now_us + 500000);
    assert_int_equal(r.failure.class, AWS_THROTTLE);
    assert_true(r.failure.key_range);
    assert_int_equal(dynamodb_start(&f->d, loop, &r, &f->err), RC_OK);
    while (done < 2)
        assert_int_equal(http_poll(loop, NULL, 0, 60000, &f->err), RC_OK);
    assert_int_equal(dynamodb_finish(&f->d, &r, &at, &f->err), RC_OK);
    assert_string_equal(buf_cstr(&r.http.body), "{\"Count\":0}");
    assert_int_equal(r.failure.class, AWS_OK);
    assert_int_equal(httpd_connections(f->server), 1);
    dynamodb_request_release(&r);
    http_loop_free(loop);
}

static void test_describe_and_ttl(void **state)
{
    struct fixture *f = *state;
    struct dynamodb_table t;
    struct str ttl;
    struct arena arena;
    arena_init(&arena, 4096);
    f->script.steps[0].status = 200;
    f->script.steps[0].body =
        "{\"Table\":{\"TableName\":\"shop\",\"AttributeDefinitions\":[{\"AttributeName\":"
        "\"PK\","
        "\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":\"PK\",\"KeyType\":"
        "\"HASH\"}]}}";
    f->script.steps[1].status = 200;
    f->script.steps[1].body = "{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"ENABLED\","
                              "\"AttributeName\":\"exp\"}}";
    f->script.steps[2].status = 200;
    f->script.steps[2].body = "{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"DISABLED\"}}";
    f->script.steps[3].status = 400;
    f->script.steps[3].body = JSON_ERROR("UnknownOperationException", "");
    f->script.steps[4].status = 400;
    f->script.steps[4].body = JSON_ERROR("ResourceNotFoundException", "none");
    assert_int_equal(dynamodb_table_describe(&f->d, STR("shop"), &arena, &t, &f->err), RC_OK);
    (void)httpd_requests(f->server);
    assert_string_equal(f->script.body, "{\"TableName\":\"shop\"}");
    assert_int_equal(dynamodb_table_ttl(&f->d, STR("shop"), &arena, &ttl, &f->err), RC_OK);
    assert_true(str_is(ttl, "exp"));
    assert_int_equal(dynamodb_table_ttl(&f->d, STR("shop"), &arena, &ttl, &f->err), RC_OK);
    assert_int_equal(ttl.n, 0);
    assert_int_equal(dynamodb_table_ttl(&f->d, STR("shop"), &arena, &ttl, &f->err), RC_OK);
    assert_int_equal(ttl.n, 0);
    assert_int_equal(dynamodb_table_describe(&f->d, STR("x"), &arena, &t, &f->err), RC_USAGE);
    assert_non_null(strstr(f->err.msg, "table \"x\" in eu-west-1: DescribeTable: 400 "));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_request_is_dynamodb_s, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_transient_failures_are_repeated, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_fatal_failures_stop_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_expired_credentials_are_renewed_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_clock_is_corrected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_giving_up_names_what_was_tried, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_attempts_on_a_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_describe_and_ttl, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, httpd_group, NULL);
}
