/* SPDX-License-Identifier: MIT */
/* A table of so many writes a second, and writers that would send far more; time is the test's own. */
#include "sinks/dynamodb/throttle/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const int64_t MS = 1000, S = 1000000;

/* One that wants to write, again and again. */
struct wish {
    uint64_t ticket;
    int64_t at;
};

enum { WISHES = 64 };

struct world {
    struct throttle_table throttle;
    struct wish wishes[WISHES];
};

struct run {
    uint64_t sent, done, throttled;
};

static void begin(struct world *w)
{
    memset(w, 0, sizeof *w);
    throttle_table_init(&w->throttle);
}

/* All for so long, against a bucket of `rate` a second, a tenth of it deep. */
static struct run play(struct world *world, double rate, int64_t from_us, int64_t to_us)
{
    struct throttle_table *c = &world->throttle;
    struct run r = {0};
    double depth = rate < 10 ? 1 : rate / 10, bucket = 0;
    for (int64_t now = from_us; now < to_us; now += MS) {
        bucket += rate / 1000;
        bucket = bucket < depth ? bucket : depth;
        for (uint64_t i = 0; i < WISHES; i++) {
            struct wish *w = &world->wishes[i];
            if (w->at > now)
                continue;
            w->at = throttle_table_turn(c, &w->ticket, now);
            if (w->at > now)
                continue;
            w->ticket = 0;
            w->at = now + 5 * MS;
            r.sent++;
            if (bucket >= 1) {
                bucket -= 1;
                r.done++;
                throttle_table_succeeded(c, now);
            } else {
                r.throttled++;
                (void)throttle_table_throttled(c, i, now);
            }
        }
    }
    return r;
}

static void test_nobody_waits_while_nothing_is_throttled(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    struct run r = play(&w, 1e6, S, 2 * S);
    assert_int_equal(r.sent, 64 * 200);
    assert_int_equal(throttle_table_due(&w.throttle, 2 * S), INT64_MAX);
    assert_true(throttle_table_open(&w.throttle, 2 * S));
    throttle_table_release(&w.throttle);
}

static void test_requests_stay_near_what_the_table_takes(void **state)
{
    (void)state;
    static const double RATES[] = {5, 50, 300, 2000};
    for (size_t i = 0; i < sizeof RATES / sizeof RATES[0]; i++) {
        struct world w;
        begin(&w);
        struct run first = play(&w, RATES[i], S, 3 * S);
        struct run later = play(&w, RATES[i], 3 * S, 33 * S);
        assert_in_range(first.throttled, 2, 150 + (uint64_t)RATES[i] / 2);
        assert_true((double)later.done > 0.55 * 30 * RATES[i]);
        assert_true((double)later.throttled < 0.05 * 30 * RATES[i] + 60);
        throttle_table_release(&w.throttle);
    }
}

static void test_begins_with_what_was_seen(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    (void)play(&w, 1e6, S, 3 * S); /* 12,800 a second */
    assert_false(
        throttle_table_throttled(&w.throttle, 1, 3 * S)); /* it may be that key alone */
    assert_true(throttle_table_throttled(&w.throttle, 2, 3 * S));
    struct run r = play(&w, 1e6, 3 * S, 4 * S);
    assert_in_range(r.sent, 9000, 12800);
    throttle_table_release(&w.throttle);
}

static void test_a_table_that_takes_nothing_is_hardly_asked(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    (void)play(&w, 0, S, 3 * S);
    struct run r = play(&w, 0, 3 * S, 33 * S);
    assert_in_range(r.sent, 20, 64 + 35); /* one a second, whoever is new gets to know it */
    throttle_table_release(&w.throttle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_waits_while_nothing_is_throttled),
        cmocka_unit_test(test_requests_stay_near_what_the_table_takes),
        cmocka_unit_test(test_begins_with_what_was_seen),
        cmocka_unit_test(test_a_table_that_takes_nothing_is_hardly_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
