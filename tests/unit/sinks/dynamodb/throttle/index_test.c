/* SPDX-License-Identifier: MIT */
/* Hot partitions of indexes: which writes are slowed down, and which are not. */
#include "sinks/dynamodb/throttle/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct val text(const char *s)
{
    return (struct val){.kind = VAL_S, .u.s = str_of(s)};
}

/* Two global indexes and a local one, of which a change sets the partition keys. */
struct world {
    struct dynamodb_index indexes[3];
    struct dynamodb_table table;
    struct throttle_indexes slowed;
};

static void set_up(struct world *w)
{
    memset(w, 0, sizeof *w);
    w->indexes[0] = (struct dynamodb_index){.name = STR("one"), .global = true};
    w->indexes[0].schema = (struct dynamodb_schema){.keys = {{.name = STR("A")}}, .n = 1};
    w->indexes[1] = (struct dynamodb_index){.name = STR("two"), .global = true};
    w->indexes[1].schema = (struct dynamodb_schema){.keys = {{.name = STR("B")}}, .n = 1};
    w->indexes[2] = (struct dynamodb_index){.name = STR("local")};
    w->indexes[2].schema = (struct dynamodb_schema){.keys = {{.name = STR("A")}}, .n = 1};
    w->table = (struct dynamodb_table){.indexes = w->indexes, .n_indexes = 3};
    w->slowed.table = &w->table;
}

struct made {
    struct str names[2];
    struct val values[2];
    struct setting targets[2];
    struct change change;
};

/* b NULL: it is removed, and was "old". */
static const struct change *change_of(struct made *m, const char *a, const char *b)
{
    m->names[0] = STR("A");
    m->names[1] = STR("B");
    m->values[0] = text(a);
    m->values[1] = text(b ? b : "old");
    for (int i = 0; i < 2; i++)
        m->targets[i].path = (struct path){&m->names[i], 1};
    m->targets[0].new_ = &m->values[0];
    m->targets[1].new_ = b ? &m->values[1] : NULL;
    m->targets[1].old = b ? NULL : &m->values[1];
    m->change = (struct change){.targets = m->targets, .ntargets = 2};
    return &m->change;
}

static void throttled(struct world *w, const char *index, const struct change *c, int64_t now)
{
    assert_int_equal(throttle_index_throttled(&w->slowed, str_of(index), c, 1, now),
                     INDEX_NOTED);
    assert_int_equal(throttle_index_throttled(&w->slowed, str_of(index), c, 2, now),
                     INDEX_BRAKED);
}

/* Takes tickets until one has to wait; true if that comes to pass. */
static bool waits(struct world *w, const struct change *c, int64_t now)
{
    for (int i = 0; i < 1000; i++) {
        struct index_turn turn = {0};
        if (throttle_index_turn(&w->slowed, c, &turn, now) > now)
            return true;
    }
    return false;
}

static void test_only_writes_to_the_hot_partition_wait(void **state)
{
    (void)state;
    struct world w;
    struct made hot, cold, crossed;
    set_up(&w);
    assert_true(throttle_index_open(&w.slowed, change_of(&hot, "h", "b1"), 1000));
    throttled(&w, "one", change_of(&hot, "h", "b1"), 1000);
    assert_false(waits(&w, change_of(&cold, "c", "b1"), 2000));
    /* the same value in another index is another partition */
    assert_false(waits(&w, change_of(&crossed, "c", "h"), 2000));
    for (int i = 0; i < 10; i++) /* some are prepared ahead of their time */
        assert_true(waits(&w, change_of(&hot, "h", "another"), 2000));
    assert_false(throttle_index_open(&w.slowed, &hot.change, 2000));
    assert_true(throttle_index_open(&w.slowed, &cold.change, 2000));
}

static void test_entry_that_is_removed_counts_where_it_was(void **state)
{
    (void)state;
    struct world w;
    struct made gone, set;
    set_up(&w);
    throttled(&w, "two", change_of(&gone, "a1", NULL), 1000);
    assert_true(waits(&w, change_of(&set, "a2", "old"), 2000));
    assert_false(waits(&w, change_of(&set, "a2", "new"), 2000));
}

static void test_turn_is_kept_until_its_time(void **state)
{
    (void)state;
    struct world w;
    struct made hot;
    set_up(&w);
    throttled(&w, "one", change_of(&hot, "h", "b"), 0);
    assert_true(waits(&w, &hot.change, 1000));
    struct index_turn turn = {0};
    int64_t now = 2000, at = throttle_index_turn(&w.slowed, &hot.change, &turn, now);
    uint64_t ticket = turn.ticket;
    assert_true(at > now && ticket > 0);
    for (int i = 0; i < 100 && at > now; i++) {
        now = at;
        at = throttle_index_turn(&w.slowed, &hot.change, &turn, now);
        assert_int_equal(turn.ticket, ticket);
    }
    assert_int_equal(at, now);
}

static void test_rate_rises_until_it_is_forgotten(void **state)
{
    (void)state;
    struct world w;
    struct made hot;
    set_up(&w);
    throttled(&w, "one", change_of(&hot, "h", "b"), 0);
    for (int64_t now = 0; w.slowed.ranges.n && now < INT64_C(3600) * 1000000; now += 100000)
        throttle_index_succeeded(&w.slowed, &hot.change, now);
    assert_int_equal(w.slowed.ranges.n, 0);
}

static void test_what_the_change_does_not_tell_is_unknown(void **state)
{
    (void)state;
    struct world w;
    struct made m;
    const struct change *c = change_of(&m, "h", "b");
    set_up(&w);
    assert_int_equal(throttle_index_throttled(&w.slowed, STR("other"), c, 1, 0), INDEX_UNKNOWN);
    assert_int_equal(throttle_index_throttled(&w.slowed, STR("local"), c, 1, 0), INDEX_UNKNOWN);
    assert_int_equal(throttle_index_throttled(&w.slowed, STR(""), c, 1, 0), INDEX_UNKNOWN);
    m.change.ntargets = 1;
    assert_int_equal(throttle_index_throttled(&w.slowed, STR("two"), c, 1, 0), INDEX_UNKNOWN);
    w.slowed.table = NULL;
    assert_int_equal(throttle_index_throttled(&w.slowed, STR("one"), c, 1, 0), INDEX_UNKNOWN);
    assert_true(throttle_index_open(&w.slowed, c, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_writes_to_the_hot_partition_wait),
        cmocka_unit_test(test_entry_that_is_removed_counts_where_it_was),
        cmocka_unit_test(test_turn_is_kept_until_its_time),
        cmocka_unit_test(test_rate_rises_until_it_is_forgotten),
        cmocka_unit_test(test_what_the_change_does_not_tell_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
