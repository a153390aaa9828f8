/* SPDX-License-Identifier: MIT */
/* Progress by a clock that the test turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/progress.h"

struct world {
    int64_t now_us;
    struct env env;
    struct progress progress;
    struct run_progress workers[2];
    char *text;
    size_t len;
    FILE *out;
};

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
    w->out = open_memstream(&w->text, &w->len);
    assert_non_null(w->out);
    progress_init(&w->progress, w->out, &w->env);
    return 0;
}

static int end(void **state)
{
    struct world *w = *state;
    (void)fclose(w->out);
    free(w->text);
    free(w);
    return 0;
}

static void tick(struct world *w, int64_t after_us, uint64_t items, uint64_t bytes)
{
    w->now_us += after_us;
    atomic_fetch_add(&w->workers[0].items, items);
    atomic_fetch_add(&w->workers[1].bytes_in, bytes);
    progress_tick(&w->progress, w->workers, 2, NULL);
    (void)fflush(w->out);
}

static void test_a_line_every_ten_seconds(void **state)
{
    struct world *w = *state;
    w->progress.pace.bytes_total = 100000000;
    tick(w, 9999999, 500, 10000000);
    assert_int_equal(w->len, 0);
    tick(w, 1, 500, 10000000);
    assert_string_equal(w->text,
                        "renorm: 10 s: 1000 items, 100 items/s, 2.0 MB/s, 0 rejected, 0 "
                        "unrouted, 20%, 40 s left\n");
    size_t before = w->len;
    tick(w, 9000000, 0, 0);
    assert_int_equal(w->len, before);
    atomic_store(&w->workers[0].rejected, 3);
    atomic_store(&w->workers[1].unrouted, 4);
    tick(w, 1000000, 2000, 80000000);
    /* 0.7 of the rate before, 0.3 of the new one */
    assert_string_equal(w->text + before,
                        "renorm: 20 s: 3000 items, 130 items/s, 3.8 MB/s, 3 rejected, 4 "
                        "unrouted, 100%\n");
}

static void test_the_share_is_of_segments_where_bytes_are_unknown(void **state)
{
    struct world *w = *state;
    w->progress.pace.segments = 8;
    w->progress.json = true;
    atomic_store(&w->workers[1].segments, 2);
    tick(w, 10000000, 10, 0);
    assert_string_equal(w->text,
                        "{\"event\":\"progress\",\"time\":\"1970-01-01T00:00:10.001Z\","
                        "\"seconds\":10.0,\"items\":10,"
                        "\"items_per_second\":1,\"bytes\":0,\"rejected\":0,\"unrouted\":0,"
                        "\"segments\":2,\"done\":0.2500}\n");
}

static uint64_t COUNTERS[CNT_FIXED] = {[CNT_REJECTED] = 2, [CNT_UNROUTED] = 1};
static const struct run_state RESUMED = {
    .resumed = true, .resumed_items = 5000, .resumed_segments = 3, .counters = COUNTERS};

static void test_what_was_resumed_is_shown_but_has_no_rate(void **state)
{
    struct world *w = *state;
    w->progress.pace.bytes_total = 100000000;
    atomic_store(&w->workers[0].items, 100);
    atomic_store(&w->workers[0].bytes_in, 10000000);
    atomic_store(&w->workers[0].bytes_passed, 50000000);
    w->now_us += 10000000;
    progress_tick(&w->progress, w->workers, 2, &RESUMED);
    (void)fflush(w->out);
    assert_string_equal(w->text,
                        "renorm: 10 s: 5100 items, 10 items/s, 1.0 MB/s, 2 rejected, 1 "
                        "unrouted, 60%, 40 s left\n");
}

static void test_resumed_segments_count_as_done(void **state)
{
    struct world *w = *state;
    w->progress.pace.segments = 8;
    w->progress.json = true;
    atomic_store(&w->workers[0].segments, 1);
    w->now_us += 10000000;
    progress_tick(&w->progress, w->workers, 2, &RESUMED);
    (void)fflush(w->out);
    assert_non_null(strstr(w->text, "\"segments\":4,\"done\":0.5000}"));
}

static void no_usage(struct source *s, struct source_usage *out)
{
    (void)s;
    *out = (struct source_usage){.allowed = 50};
}

static void test_a_resumed_scan_counts_the_segments_of_its_run(void **state)
{
    struct world *w = *state;
    static const struct source_ops OPS = {.usage = no_usage};
    struct source table = {.ops = &OPS, .segments = 8};
    struct run_state resumed = {.resumed = true, .resumed_items = 300, .resumed_segments = 3};
    w->progress.metered = &table;
    w->progress.pace.segments = table.segments;
    w->progress.pace.bytes_total = 1000000;
    table.segments = 12; /* as the ledger says */
    atomic_store(&w->workers[0].items, 100);
    atomic_store(&w->workers[0].bytes_in, 100000);
    atomic_store(&w->workers[0].segments, 1);
    w->now_us += 10000000;
    progress_tick(&w->progress, w->workers, 2, &resumed);
    (void)fflush(w->out);
    assert_non_null(strstr(w->text, "4 of 12 segments, 40%, 60 s left"));
    size_t before = w->len;
    w->progress.pace.bytes_total = 0; /* a table that reports no size */
    atomic_store(&w->workers[0].segments, 2);
    w->now_us += 10000000;
    progress_tick(&w->progress, w->workers, 2, &resumed);
    (void)fflush(w->out);
    assert_non_null(strstr(w->text + before, "5 of 12 segments, 41%, 70 s left"));
}

static void test_it_says_what_the_sink_does(void **state)
{
    struct world *w = *state;
    progress_doing(&w->progress, "recovering");
    tick(w, 1000000, 1, 1);
    progress_doing(&w->progress, "reducing"); /* a short run says nothing */
    w->progress.json = true;
    progress_doing(&w->progress, "reducing");
    (void)fflush(w->out);
    assert_string_equal(
        w->text,
        "renorm: recovering\n"
        "{\"event\":\"phase\",\"time\":\"1970-01-01T00:00:01.001Z\",\"phase\":\"reducing\"}\n");
    w->progress.quiet = true;
    size_t before = w->len;
    progress_doing(&w->progress, "reducing");
    assert_int_equal(w->len, before);
}

static void test_nothing_known_nothing_claimed(void **state)
{
    struct world *w = *state;
    tick(w, 10000000, 10, 0);
    assert_null(strchr(w->text, '%'));
    assert_null(strstr(w->text, "left"));
}

static void test_quiet_says_nothing(void **state)
{
    struct world *w = *state;
    w->progress.quiet = true;
    tick(w, 60000000, 10, 10);
    progress_end(&w->progress);
    assert_int_equal(w->len, 0);
}

static void test_a_terminal_is_redrawn_and_cleared(void **state)
{
    struct world *w = *state;
    w->progress.terminal = true;
    w->progress.pace.bytes_total = 2000000;
    tick(w, 499999, 100, 500000);
    assert_int_equal(w->len, 0);
    tick(w, 1, 100, 500000);
    assert_string_equal(w->text,
                        "\r[============>           ]  50%  200 items  400 items/s  2.0 "
                        "MB/s  0 s left\033[K");
    size_t before = w->len;
    progress_end(&w->progress);
    assert_string_equal(w->text + before, "\r\033[K");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_line_every_ten_seconds, begin, end),
        cmocka_unit_test_setup_teardown(test_the_share_is_of_segments_where_bytes_are_unknown,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_what_was_resumed_is_shown_but_has_no_rate, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_resumed_segments_count_as_done, begin, end),
        cmocka_unit_test_setup_teardown(test_a_resumed_scan_counts_the_segments_of_its_run,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_it_says_what_the_sink_does, begin, end),
        cmocka_unit_test_setup_teardown(test_nothing_known_nothing_claimed, begin, end),
        cmocka_unit_test_setup_teardown(test_quiet_says_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_a_terminal_is_redrawn_and_cleared, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
