/* SPDX-License-Identifier: MIT */
/* Which jobs a writer takes, and what it says of those it does not. Nothing is sent. */
#include "sinks/dynamodb/writer/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinks/dynamodb/writer/writer_private.h"
#include "tests/harness/journals.h"

enum { JOBS = 12, IN_FLIGHT = 1, ROOM = 8 };
static const int64_t S = 1000000;

struct world {
    struct journals *journals;
    struct journal *journal;
    struct write_shared shared;
    struct dynamodb_index index;
    struct dynamodb_table table;
    struct env env;
    int64_t now;
    struct writer *writer;
    struct write_job jobs[JOBS];
    char keys[JOBS][32];
    struct str name;
    struct val values[JOBS];
    struct setting targets[JOBS];
};

static int64_t clock_of(void *ctx)
{
    return ((const struct world *)ctx)->now;
}

static const struct writer_ops OPS = {0};

/* A writer and jobs of a partition each, all with a value of their own for the index' key. */
static void begin(struct world *w, void **state, bool in_order)
{
    memset(w, 0, sizeof *w);
    w->journals = *state;
    journals_begin(w->journals, PASS_FILL);
    w->journal = journals_open(w->journals, 0);
    w->env = (struct env){.mono_us = clock_of, .ctx = w};
    w->now = 100 * S;
    w->name = STR("A");
    w->index = (struct dynamodb_index){.name = STR("byA"), .global = true};
    w->index.schema = (struct dynamodb_schema){.keys = {{.name = STR("A")}}, .n = 1};
    w->table = (struct dynamodb_table){.indexes = &w->index, .n_indexes = 1};
    writer_shared_init(&w->shared);
    w->shared.env = &w->env;
    w->shared.facts = &w->table;
    struct writer_config config = {.shared = &w->shared,
                                   .journal = w->journal,
                                   .in_flight = IN_FLIGHT,
                                   .in_order = in_order,
                                   .ops = &OPS};
    assert_int_equal(writer_new(&config, &w->writer, &w->journals->err), RC_OK);
    for (uint32_t i = 0; i < JOBS; i++) {
        (void)snprintf(w->keys[i], sizeof w->keys[i], "{\"PK\":{\"S\":\"%u\"}}", i);
        w->values[i] = (struct val){.kind = VAL_S, .u.s = str_of(w->keys[i])};
        w->targets[i] = (struct setting){.path = {&w->name, 1}, .new_ = &w->values[i]};
        w->jobs[i] = (struct write_job){.key = str_of(w->keys[i]), .partition = i, .range = i};
        w->jobs[i].change = (struct change){
            .targets = &w->targets[i], .ntargets = 1, .size_before = 100, .size_after = 120};
    }
}

static void end(struct world *w)
{
    writer_free(w->writer);
    journals_close(w->journal);
    writer_shared_release(&w->shared);
}

static enum writer_answer offer(struct world *w, uint32_t i)
{
    return writer_offer(w->writer, &w->jobs[i]);
}

static void test_takes_until_there_is_no_room(void **state)
{
    struct world w;
    begin(&w, state, false);
    assert_int_equal(writer_room(w.writer), ROOM);
    for (uint32_t i = 0; i < ROOM; i++)
        assert_int_equal(offer(&w, i), WRITER_TAKEN);
    assert_int_equal(offer(&w, ROOM), WRITER_FULL);
    assert_int_equal(writer_pending(w.writer), ROOM);
    end(&w);
}

static void test_a_throttled_key_holds_its_own_jobs_only(void **state)
{
    struct world w;
    begin(&w, state, false);
    throttle_key_throttled(&w.writer->keys, 3, w.now);
    assert_int_equal(offer(&w, 3), WRITER_HELD);
    assert_int_equal(offer(&w, 4), WRITER_TAKEN);
    assert_int_equal(writer_pending(w.writer), 1);
    /* the writer says when: then one job is taken, and another of the same key has to wait for it */
    assert_int_equal(writer_step(w.writer, false, &w.journals->err), RC_OK);
    assert_true(writer_due(w.writer) > w.now && writer_due(w.writer) < w.now + 60 * S);
    w.now = writer_due(w.writer);
    assert_int_equal(offer(&w, 3), WRITER_TAKEN);
    w.jobs[5].partition = 3;
    assert_int_equal(offer(&w, 5), WRITER_HELD);
    end(&w);
}

/* A full writer must not take the place of the one job that a throttled key may have under way. */
static void test_a_full_writer_leaves_the_key_alone(void **state)
{
    struct world w;
    begin(&w, state, false);
    for (uint32_t i = 0; i < ROOM; i++)
        assert_int_equal(offer(&w, i), WRITER_TAKEN);
    throttle_key_throttled(&w.writer->keys, 9, w.now);
    w.now += 60 * S;
    assert_int_equal(offer(&w, 9), WRITER_FULL);
    w.writer->pending--;
    assert_int_equal(offer(&w, 9), WRITER_TAKEN);
    end(&w);
}

static void test_a_throttled_index_holds_what_goes_there(void **state)
{
    struct world w;
    begin(&w, state, false);
    w.values[2] = w.values[1];
    enum index_verdict v = INDEX_NOTED;
    for (uint64_t key = 0; key < 20 && v != INDEX_BRAKED; key++) {
        v = throttle_index_throttled(&w.writer->indexes, STR("byA"), &w.jobs[1].change, key,
                                     w.now);
    }
    assert_int_equal(v, INDEX_BRAKED);
    struct index_turn turns[64] = {{0}};
    for (int i = 0; i < 64; i++)
        (void)throttle_index_turn(&w.writer->indexes, &w.jobs[1].change, &turns[i], w.now);
    assert_int_equal(offer(&w, 2), WRITER_HELD);
    assert_int_equal(offer(&w, 3), WRITER_TAKEN);
    end(&w);
}

static void test_a_throttled_table_takes_none(void **state)
{
    struct world w;
    begin(&w, state, true);
    uint64_t tickets[256] = {0};
    for (uint64_t key = 0; key < 20; key++)
        (void)throttle_table_throttled(&w.shared.pace, key, w.now);
    for (int i = 0; i < 256; i++)
        (void)throttle_table_turn(&w.shared.pace, &tickets[i], w.now);
    assert_int_equal(offer(&w, 0), WRITER_FULL);
    end(&w);
}

static void test_in_order_none_is_held(void **state)
{
    struct world w;
    begin(&w, state, true);
    throttle_key_throttled(&w.writer->keys, 3, w.now);
    assert_int_equal(offer(&w, 3), WRITER_TAKEN);
    assert_int_equal(offer(&w, 3 + 1), WRITER_TAKEN);
    end(&w);
}

static void test_one_that_failed_takes_none_and_says_so_each_time(void **state)
{
    struct world w;
    begin(&w, state, false);
    struct err why = {0}, err = {0};
    (void)err_set(&why, RC_SINK, "no more");
    writer_fail(w.writer, &why);
    assert_int_equal(offer(&w, 0), WRITER_FULL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(writer_step(w.writer, i, &err), RC_SINK);
        assert_string_equal(err.msg, "no more");
    }
    end(&w);
}

static void test_stopping_voids_what_was_not_sent(void **state)
{
    struct world w;
    begin(&w, state, false);
    w.jobs[1].unclear = true; /* left to the next process: it may have been made */
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(offer(&w, i), WRITER_TAKEN);
    assert_int_equal(writer_step(w.writer, true, &w.journals->err), RC_OK);
    assert_int_equal(writer_pending(w.writer), 0);
    end(&w);
    journals_expect_history(*state, "1.1.0.2 1 -->{\"PK\":{\"S\":\"1\"}}?\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_takes_until_there_is_no_room, journals_set_up,
                                        journals_tear_down),
        cmocka_unit_test_setup_teardown(test_a_throttled_key_holds_its_own_jobs_only,
                                        journals_set_up, journals_tear_down),
        cmocka_unit_test_setup_teardown(test_a_full_writer_leaves_the_key_alone,
                                        journals_set_up, journals_tear_down),
        cmocka_unit_test_setup_teardown(test_a_throttled_index_holds_what_goes_there,
                                        journals_set_up, journals_tear_down),
        cmocka_unit_test_setup_teardown(test_a_throttled_table_takes_none, journals_set_up,
                                        journals_tear_down),
        cmocka_unit_test_setup_teardown(test_in_order_none_is_held, journals_set_up,
                                        journals_tear_down),
        cmocka_unit_test_setup_teardown(test_one_that_failed_takes_none_and_says_so_each_time,
                                        journals_set_up, journals_tear_down),
        cmocka_unit_test_setup_teardown(test_stopping_voids_what_was_not_sent, journals_set_up,
                                        journals_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
