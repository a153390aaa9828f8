/* SPDX-License-Identifier: MIT */
/* Turns of segments whose pages come, are written and come again, in all kinds of order. */
#include "sinks/dynamodb/writer/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64, SEEN = 32 };

struct place { /* a segment: pages of some jobs each, with a time to read before each */
    uint32_t pages, jobs, reading;
};

struct table {
    struct turns turns;
    struct turns_place places[MOST];
    struct place v[MOST];
    uint64_t dice;
    uint32_t seen[SEEN]; /* who wrote last, in a ring */
    uint32_t alike;      /* the fewest segments of any SEEN writes in a row */
    uint64_t waits;
};

static uint32_t roll(struct table *t, uint32_t n)
{
    t->dice = t->dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(t->dice >> 33) % n;
}

static void table_init(struct table *t, uint32_t n, uint32_t pages, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->turns = (struct turns){.v = t->places, .n = n};
    t->dice = seed;
    t->alike = SEEN;
    for (uint32_t i = 0; i < n; i++) {
        t->v[i] = (struct place){.pages = pages, .reading = roll(t, 100)};
        t->places[i].state = TURNS_AWAITED;
    }
}

/* Time goes on: one page or none comes. */
static void tick(struct table *t)
{
    for (uint32_t i = 0; i < t->turns.n; i++) {
        struct place *p = &t->v[i];
        if (t->places[i].state != TURNS_AWAITED || (p->reading && --p->reading))
            continue;
        p->jobs = 1 + roll(t, 60);
        t->places[i].state = TURNS_READY;
        return;
    }
}

static uint32_t different(const uint32_t *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < SEEN; i++) {
        uint32_t k = 0;
        while (k < i && v[k] != v[i])
            k++;
        n += k == i;
    }
    return n;
}

static void write_one(struct table *t, uint32_t i)
{
    struct place *p = &t->v[i];
    assert_int_equal(t->places[i].state, TURNS_READY);
    turns_wrote(&t->turns, i);
    t->seen[t->turns.writes % SEEN] = i;
    if (t->turns.writes >= SEEN && different(t->seen) < t->alike)
        t->alike = different(t->seen);
    if (--p->jobs)
        return;
    p->pages--;
    p->reading = roll(t, 100);
    t->places[i].state = p->pages ? TURNS_AWAITED : TURNS_IDLE;
}

/* Writes while at least `least` segments have work left; then all. */
static void run(struct table *t, uint32_t least)
{
    for (;;) {
        uint32_t live = 0;
        for (uint32_t i = 0; i < t->turns.n; i++)
            live += t->places[i].state != TURNS_IDLE;
        if (live < least || live == 0)
            return;
        uint32_t i = turns_next(&t->turns);
        if (i < t->turns.n) {
            write_one(t, i);
        } else {
            t->waits++;
        }
        if (i == t->turns.n || roll(t, 4) == 0)
            tick(t);
    }
}

static void test_any_window_has_enough_segments(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        struct table t;
        uint32_t n = 16 + seed % 3 * 8;
        table_init(&t, n, 30, seed);
        run(&t, 16);
        assert_true(t.turns.writes > 1000);
        assert_in_range(t.alike, 16, n);
    }
}

static void test_all_is_written_with_few_segments_too(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 20; n++) {
        struct table t;
        table_init(&t, n, 10, n);
        run(&t, 0); /* would not come back if it stood still */
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(t.v[i].pages, 0);
        assert_true(t.alike >= 1);
    }
}

static void test_few_segments_take_turns(void **state)
{
    (void)state;
    struct turns_place v[3] = {{0, TURNS_READY}, {0, TURNS_AWAITED}, {0, TURNS_READY}};
    struct turns r = {.v = v, .n = 3};
    assert_int_equal(turns_next(&r), 0);
    turns_wrote(&r, 0);
    assert_int_equal(turns_next(&r), 2);
    turns_wrote(&r, 2);
    assert_int_equal(turns_next(&r), 3); /* not before the one in the middle */
    v[1].state = TURNS_READY;
    assert_int_equal(turns_next(&r), 1);
    turns_wrote(&r, 1);
    assert_int_equal(turns_next(&r), 0);
}

static void test_nobody_waits_for_the_idle(void **state)
{
    (void)state;
    struct turns_place v[3] = {{0, TURNS_READY}, {0, TURNS_IDLE}, {0, TURNS_IDLE}};
    struct turns r = {.v = v, .n = 3};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(turns_next(&r), 0);
        turns_wrote(&r, 0);
    }
    v[0].state = TURNS_IDLE;
    assert_int_equal(turns_next(&r), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_window_has_enough_segments),
        cmocka_unit_test(test_all_is_written_with_few_segments_too),
        cmocka_unit_test(test_few_segments_take_turns),
        cmocka_unit_test(test_nobody_waits_for_the_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
