/* SPDX-License-Identifier: MIT */
/* Progress of a backfill by a clock that the test turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/backfill_progress.h"

struct world {
    int64_t now_us;
    struct env env;
    struct backfill_progress progress;
    struct fill_progress workers[2];
    struct source source;
    struct source_usage usage;
    struct fill_setup setup;
    struct budget writes;
    char *text;
    size_t len;
    FILE *out;
};

static struct source_usage *told; /* what the source says it used */

static void usage(struct source *s, struct source_usage *out)
{
    (void)s;
    *out = *told;
}

static const struct source_ops OPS = {.usage = usage};

static int64_t now_of(void *ctx)
{
    return ((struct world *)ctx)->now_us;
}

static int begin(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (!w)
        return -1;
    *state = w;
    w->env = (struct env){.now_us = now_of, .mono_us = now_of, .ctx = w};
    w->now_us = 1000;
    w->source = (struct source){.ops = &OPS, .segments = 4};
    w->setup = (struct fill_setup){.source = &w->source};
    told = &w->usage;
    w->usage = (struct source_usage){.allowed = 50};
    budget_init(&w->writes, (struct budget_limits){100, 100, 0}, w->now_us);
    w->out = open_memstream(&w->text, &w->len);
    assert_non_null(w->out);
    backfill_progress_init(&w->progress, w->out, &w->env);
    w->progress.writes = &w->writes;
    w->progress.total = 1000;
    return 0;
}

static int end(void **state)
{
    struct world *w = *state;
    (void)fclose(w->out);
    free(w->text);
    budget_release(&w->writes);
    free(w);
    return 0;
}

/* Reserves and settles so many units, as a writer does. */
static void spend(struct world *w, int64_t units)
{
    struct budget_ticket ticket = {0};
    int64_t at = 0;
    assert_true(budget_reserve(&w->writes, units * BUDGET_UNIT, w->now_us, &ticket, &at));
    budget_settle(&w->writes, &ticket, units * BUDGET_UNIT, w->now_us);
}

static void tick(struct world *w, int64_t after_us, uint64_t items, uint64_t changed)
{
    w->now_us += after_us;
    atomic_fetch_add(&w->workers[0].items, items);
    atomic_fetch_add(&w->workers[1].fates[FATE_CHANGED], changed);
    if (changed)
        spend(w, (int64_t)changed);
    backfill_progress_tick(&w->progress, w->workers, 2, &w->setup);
    (void)fflush(w->out);
}

static void test_a_line_every_ten_seconds(void **state)
{
    struct world *w = *state;
    tick(w, 9999999, 100, 0);
    assert_int_equal(w->len, 0);
    w->usage.units = 30;
    w->usage.throttles = 2;
    w->usage.retries = 3;
    atomic_store(&w->workers[0].segments, 1);
    tick(w, 1, 100, 90);
    assert_string_equal(w->text,
                        "renorm: 10 s: 200 items, 20 items/s, 90 changed, 9 of 100 WCU/s, "
                        "3 of 50 RCU/s, 2 throttles, 3 retries, 1 of 4 segments, "
                        "40 s left, 20%\n");
}

static void test_trouble_is_told(void **state)
{
    struct world *w = *state;
    atomic_store(&w->workers[0].fates[FATE_CONFLICTED], 2);
    atomic_store(&w->workers[1].fates[FATE_FAILED], 1);
    tick(w, 10000000, 10, 0);
    assert_non_null(strstr(w->text, ", 3 failed or changed by others"));
}

static void test_an_old_count_of_items_is_not_trusted(void **state)
{
    struct world *w = *state;
    w->progress.total = 10;
    tick(w, 10000000, 500, 0);
    assert_non_null(strstr(w->text, "0 of 4 segments, 99%\n"));
    atomic_store(&w->workers[1].segments, 4);
    size_t before = w->len;
    tick(w, 10000000, 1, 0);
    assert_non_null(strstr(w->text + before, "4 of 4 segments, 100%\n"));
}

static void test_a_rehearsal_writes_nothing(void **state)
{
    struct world *w = *state;
    w->progress.writes = NULL;
    atomic_store(&w->workers[0].fates[FATE_CHANGED], 7);
    tick(w, 10000000, 10, 0);
    assert_non_null(strstr(w->text, ", 7 to change, 0 of 50 RCU/s"));
    assert_null(strstr(w->text, "WCU"));
}

static void test_an_undo_scans_nothing(void **state)
{
    struct world *w = *state;
    w->progress.undo = true;
    w->progress.total = 0;
    tick(w, 10000000, 60, 50);
    assert_string_equal(w->text, "renorm: 10 s: 60 items, 6 items/s, 50 put back, 5 of 100 "
                                 "WCU/s, 0 throttles, 0 retries\n");
}

static void test_json_lines(void **state)
{
    struct world *w = *state;
    w->progress.json = true;
    tick(w, 10000000, 500, 50);
    assert_string_equal(w->text,
                        "{\"event\":\"progress\",\"time\":\"1970-01-01T00:00:10.001Z\","
                        "\"seconds\":10.0,\"items\":500,"
                        "\"items_per_second\":50,\"changed\":50,\"troubled\":0,\"segments\":0,"
                        "\"done\":0.5000,\"wcu\":50.0,\"wcu_per_second\":5.0,"
                        "\"wcu_allowed\":100.0,\"rcu\":0.0,\"rcu_per_second\":0.0,"
                        "\"rcu_allowed\":50.0,\"throttles\":0,\"retries\":0}\n");
}

static void test_a_redrawn_line_on_a_terminal(void **state)
{
    struct world *w = *state;
    w->progress.terminal = true;
    tick(w, 500000, 500, 50);
    assert_int_equal(strncmp(w->text, "\r[============>           ]  50%  500 items  ", 44), 0);
    backfill_progress_end(&w->progress);
    (void)fflush(w->out);
    assert_string_equal(w->text + w->len - 4, "\r\033[K");
}

static void test_quiet(void **state)
{
    struct world *w = *state;
    w->progress.quiet = true;
    tick(w, 60000000, 500, 50);
    assert_int_equal(w->len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_line_every_ten_seconds, begin, end),
        cmocka_unit_test_setup_teardown(test_trouble_is_told, begin, end),
        cmocka_unit_test_setup_teardown(test_an_old_count_of_items_is_not_trusted, begin, end),
        cmocka_unit_test_setup_teardown(test_a_rehearsal_writes_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_an_undo_scans_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_json_lines, begin, end),
        cmocka_unit_test_setup_teardown(test_a_redrawn_line_on_a_terminal, begin, end),
        cmocka_unit_test_setup_teardown(test_quiet, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
