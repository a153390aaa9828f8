/* SPDX-License-Identifier: MIT */
/* Delays, quota and giving up with a clock and a die of the test's own: all exact. */
#include "pipeline/aws/dynamodb/retry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const int64_t S = 1000000;

struct world {
    int64_t now;
    uint64_t die; /* what the die shows, of 2^64 */
};

static int64_t now_of(void *ctx)
{
    return ((struct world *)ctx)->now;
}

static uint64_t die_of(void *ctx)
{
    return ((struct world *)ctx)->die;
}

static const uint64_t HALF = UINT64_C(1) << 63;

struct fixture {
    struct world world;
    struct env env;
    struct retry retry;
};

static void open_with(struct fixture *f, const struct retry_policy *policy)
{
    *f = (struct fixture){.world = {.now = 100 * S, .die = HALF}};
    f->env =
        (struct env){.now_us = now_of, .mono_us = now_of, .rand = die_of, .ctx = &f->world};
    retry_init(&f->retry, &f->env, policy);
}

static struct aws_failure failure(enum aws_class class)
{
    struct aws_failure f = {.class = class, .retry_after_ms = -1, .status = 500};
    (void)strncpy(f.name, "Name", sizeof f.name - 1);
    (void)strncpy(f.message, "words", sizeof f.message - 1);
    return f;
}

static int64_t fail_once(struct fixture *f, struct retry_op *op, enum aws_class class)
{
    struct err err = {0};
    struct aws_failure why = failure(class);
    int64_t at = -1;
    assert_int_equal(retry_failed(&f->retry, op, &why, "Scan", &at, &err), RC_OK);
    return at - f->world.now;
}

static void test_delays_double_up_to_the_cap(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op transient = {0}, throttled = {0};
    open_with(&f, &retry_dynamodb);
    static const int64_t want[] = {12500, 25000, 50000, 100000, 200000};
    for (int i = 0; i < 5; i++)
        assert_int_equal(fail_once(&f, &transient, AWS_TRANSIENT), want[i]);
    static const int64_t slow[] = {500000,  1000000,  2000000, 4000000,
                                   8000000, 10000000, 10000000};
    for (int i = 0; i < 7; i++)
        assert_int_equal(fail_once(&f, &throttled, AWS_THROTTLE), slow[i]);
    retry_release(&f.retry);
}

static void test_jitter_spans_from_zero_to_the_ceiling(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op op = {0};
    open_with(&f, &retry_dynamodb);
    f.world.die = 0;
    assert_int_equal(fail_once(&f, &op, AWS_TRANSIENT), 0);
    op = (struct retry_op){0};
    f.world.die = UINT64_MAX;
    assert_in_range(fail_once(&f, &op, AWS_TRANSIENT), 24999, 25000);
    retry_release(&f.retry);
}

static void test_retry_after_is_honoured_within_bounds(void **state)
{
    (void)state;
    static const struct {
        int64_t said_ms;
        bool exact;
        int64_t want_us;
    } t[] = {{100, true, 100000},      {1, true, 12500},       {9000, true, 5012500},
             {-1, true, 12500},        {3000, false, 3000000}, {0, false, 12500},
             {600000, false, 60012500}};
    struct fixture f;
    open_with(&f, &retry_dynamodb);
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct err err = {0};
        struct retry_op op = {0};
        struct aws_failure why = failure(AWS_TRANSIENT);
        int64_t at = 0;
        why.retry_after_ms = t[i].said_ms;
        why.retry_after_exact = t[i].exact;
        assert_int_equal(retry_failed(&f.retry, &op, &why, "x", &at, &err), RC_OK);
        assert_int_equal(at - f.world.now, t[i].want_us);
    }
    retry_release(&f.retry);
}

static void test_quota_is_paid_and_paid_back(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op op = {0}, plain = {0};
    open_with(&f, &retry_dynamodb);
    (void)fail_once(&f, &op, AWS_TRANSIENT);
    assert_int_equal(retry_stats(&f.retry).quota, 486);
    (void)fail_once(&f, &op, AWS_THROTTLE);
    assert_int_equal(retry_stats(&f.retry).quota, 481);
    retry_succeeded(&f.retry, &op);
    assert_int_equal(retry_stats(&f.retry).quota, 486);
    assert_int_equal(op.attempts, 0);
    retry_succeeded(&f.retry, &plain);
    assert_int_equal(retry_stats(&f.retry).quota, 487);
    for (int i = 0; i < 100; i++)
        retry_succeeded(&f.retry, &plain);
    assert_int_equal(retry_stats(&f.retry).quota, 500);
    assert_int_equal(retry_stats(&f.retry).retries, 2);
    assert_int_equal(retry_stats(&f.retry).throttles, 1);
    retry_release(&f.retry);
}

static void drain(struct fixture *f)
{
    while (retry_stats(&f->retry).quota >= 14) {
        struct retry_op op = {0};
        (void)fail_once(f, &op, AWS_TRANSIENT);
    }
}

static void test_empty_quota_slows_to_one_probe_a_second(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op op[4] = {0};
    open_with(&f, &retry_dynamodb);
    drain(&f);
    assert_int_equal(fail_once(&f, &op[0], AWS_TRANSIENT), 12500);
    assert_int_equal(fail_once(&f, &op[1], AWS_TRANSIENT), 12500 + S);
    assert_int_equal(fail_once(&f, &op[2], AWS_TRANSIENT), 12500 + 2 * S);
    f.world.now += 10 * S;
    assert_int_equal(fail_once(&f, &op[3], AWS_TRANSIENT), 12500);
    retry_release(&f.retry);
}

static void test_waiting_for_a_probe_ends_when_the_quota_fills(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op first = {0}, second = {0}, good = {0};
    open_with(&f, &retry_dynamodb);
    drain(&f);
    (void)fail_once(&f, &first, AWS_TRANSIENT);
    (void)fail_once(&f, &second, AWS_TRANSIENT);
    assert_int_equal(retry_when(&f.retry, &first), f.world.now + 12500);
    assert_int_equal(retry_when(&f.retry, &second), f.world.now + 12500 + S);
    for (int i = 0; i < 14; i++)
        retry_succeeded(&f.retry, &good);
    int64_t quota = retry_stats(&f.retry).quota;
    assert_int_equal(retry_when(&f.retry, &second), f.world.now + 12500);
    assert_int_equal(retry_stats(&f.retry).quota, quota - 14);
    assert_int_equal(retry_when(&f.retry, &second), f.world.now + 12500);
    assert_int_equal(retry_stats(&f.retry).quota, quota - 14);
    retry_release(&f.retry);
}

static void test_a_paced_repeat_waits_for_the_quota_only(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op op = {0}, unpaid = {0}, plain = {0};
    open_with(&f, &retry_dynamodb);
    (void)fail_once(&f, &op, AWS_THROTTLE);
    assert_int_equal(fail_once(&f, &op, AWS_THROTTLE), S);
    assert_int_equal(retry_paced(&f.retry, &op), f.world.now);
    assert_int_equal(retry_when(&f.retry, &op), f.world.now);
    drain(&f);
    (void)fail_once(&f, &plain, AWS_TRANSIENT); /* the probe */
    int64_t slot = fail_once(&f, &unpaid, AWS_TRANSIENT);
    assert_true(slot >= S);
    assert_int_equal(retry_paced(&f.retry, &unpaid), f.world.now + slot);
    assert_int_equal(retry_when(&f.retry, &unpaid), f.world.now + slot);
    for (int i = 0; i < 20; i++)
        retry_succeeded(&f.retry, &plain);
    assert_int_equal(retry_when(&f.retry, &unpaid), f.world.now);
    retry_release(&f.retry);
}

static void test_gives_up_only_when_nothing_succeeds(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op op = {0}, good = {0};
    struct err err = {0};
    struct aws_failure why = failure(AWS_TRANSIENT);
    int64_t at;
    open_with(&f, &retry_dynamodb);
    (void)fail_once(&f, &op, AWS_TRANSIENT);
    f.world.now += 899 * S;
    (void)fail_once(&f, &op, AWS_TRANSIENT);
    retry_succeeded(&f.retry, &good); /* another segment's */
    f.world.now += 100 * S;
    (void)fail_once(&f, &op, AWS_TRANSIENT);
    f.world.now += 900 * S;
    assert_int_equal(retry_failed(&f.retry, &op, &why, "Scan", &at, &err), RC_TRANSIENT);
    assert_string_equal(err.msg,
                        "Scan: 500 Name: words\n"
                        "hint: given up after 4 attempts of this request and 900.0 s in which "
                        "nothing succeeded; run again to go on");
    retry_release(&f.retry);
}

static void test_idle_time_does_not_count(void **state)
{
    (void)state;
    struct fixture f;
    struct retry_op op = {0};
    open_with(&f, &retry_dynamodb);
    f.world.now += 7200 * S; /* a small budget can keep a run silent for long */
    (void)fail_once(&f, &op, AWS_TRANSIENT);
    retry_release(&f.retry);
}

static void test_final_classes_fail_at_once(void **state)
{
    (void)state;
    static const struct {
        enum aws_class class;
        enum rc rc;
    } t[] = {{AWS_FATAL, RC_USAGE},
             {AWS_AUTH, RC_AUTH},
             {AWS_EXPIRED, RC_AUTH},
             {AWS_SKEW, RC_AUTH},
             {AWS_CONDITION, RC_DATA}};
    struct fixture f;
    open_with(&f, &retry_dynamodb);
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct err err = {0};
        struct retry_op op = {0};
        struct aws_failure why = failure(t[i].class);
        int64_t at;
        assert_int_equal(retry_failed(&f.retry, &op, &why, "x", &at, &err), t[i].rc);
    }
    assert_int_equal(retry_stats(&f.retry).quota, 500);
    retry_release(&f.retry);
}

static void test_attempts_can_be_bounded(void **state)
{
    (void)state;
    struct fixture f;
    struct err err = {0};
    struct retry_op op = {0};
    struct aws_failure why = failure(AWS_TRANSIENT);
    struct retry_policy three = retry_dynamodb;
    int64_t at;
    three.max_attempts = 3;
    open_with(&f, &three);
    (void)fail_once(&f, &op, AWS_TRANSIENT);
    (void)fail_once(&f, &op, AWS_TRANSIENT);
    assert_int_equal(retry_failed(&f.retry, &op, &why, "x", &at, &err), RC_TRANSIENT);
    retry_release(&f.retry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delays_double_up_to_the_cap),
        cmocka_unit_test(test_jitter_spans_from_zero_to_the_ceiling),
        cmocka_unit_test(test_retry_after_is_honoured_within_bounds),
        cmocka_unit_test(test_quota_is_paid_and_paid_back),
        cmocka_unit_test(test_empty_quota_slows_to_one_probe_a_second),
        cmocka_unit_test(test_waiting_for_a_probe_ends_when_the_quota_fills),
        cmocka_unit_test(test_a_paced_repeat_waits_for_the_quota_only),
        cmocka_unit_test(test_gives_up_only_when_nothing_succeeds),
        cmocka_unit_test(test_idle_time_does_not_count),
        cmocka_unit_test(test_final_classes_fail_at_once),
        cmocka_unit_test(test_attempts_can_be_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
