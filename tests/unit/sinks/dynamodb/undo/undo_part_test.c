/* SPDX-License-Identifier: MIT */
/* What an undo does to items of which others have changed a part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinks/dynamodb/recipe/change.h"
#include "sinks/dynamodb/undo/undo.h"
#include "tests/harness/items.h"

/* Written were G, H and the removal of Old; to be put back: nothing, "h" and "o". */
struct case_ {
    struct val v[4];
    struct str names[3];
    struct setting targets[3];
    struct undo_job job;
};

static void make(struct case_ *c, struct items *t)
{
    memset(c, 0, sizeof *c);
    c->v[0] = items_value(t, "{'S':'g'}");
    c->v[1] = items_value(t, "{'N':'1.0'}");
    c->v[2] = items_value(t, "{'S':'h'}");
    c->v[3] = items_value(t, "{'S':'o'}");
    c->names[0] = STR("G");
    c->names[1] = STR("H");
    c->names[2] = STR("Old");
    for (int i = 0; i < 3; i++)
        c->targets[i].path = (struct path){&c->names[i], 1};
    c->targets[0].old = &c->v[0];
    c->targets[1].old = &c->v[1];
    c->targets[1].new_ = &c->v[2];
    c->targets[2].new_ = &c->v[3];
    c->job.job.change = (struct change){.targets = c->targets, .ntargets = 3};
}

static void test_all_that_is_ours_is_put_back(void **state)
{
    struct case_ c;
    make(&c, *state);
    struct item item = items_item(*state, "{'K':{'S':'k'},'G':{'S':'g'},'H':{'N':'1'}}");
    assert_int_equal(undo_part_again(&c.job, &item), FATE_CHANGED);
    assert_int_equal(c.job.job.change.ntargets, 3);
    assert_int_equal(undo_part_end(&c.job, FATE_CHANGED), FATE_CHANGED);
}

static void test_what_others_changed_is_left(void **state)
{
    struct case_ c;
    make(&c, *state);
    struct item item = items_item(*state, "{'K':{'S':'k'},'G':{'S':'x'},'H':{'N':'1'}}");
    assert_int_equal(undo_part_again(&c.job, &item), FATE_CHANGED);
    const struct change *change = &c.job.job.change;
    assert_int_equal(change->ntargets, 2);
    assert_true(str_eq(change->targets[0].path.members[0], STR("H")));
    assert_true(str_eq(change->targets[1].path.members[0], STR("Old")));
    /* and once more, before it was written */
    item = items_item(*state, "{'K':{'S':'k'},'G':{'S':'x'},'H':{'N':'1'},'Old':{'S':'y'}}");
    assert_int_equal(undo_part_again(&c.job, &item), FATE_CHANGED);
    assert_int_equal(change->ntargets, 1);
    assert_true(str_eq(change->targets[0].path.members[0], STR("H")));
    assert_int_equal(undo_part_end(&c.job, FATE_CHANGED), FATE_CONFLICTED);
    assert_string_equal(c.job.job.why.reason, "changed-in-part");
    assert_string_equal(c.job.job.why.detail,
                        "put back but for what is no longer as it was written: \"G\", \"Old\"");
}

static void test_nothing_is_ours(void **state)
{
    struct case_ c;
    make(&c, *state);
    /* G is as before, the others are somebody's */
    struct item item = items_item(*state, "{'K':{'S':'k'},'H':{'S':'x'},'Old':{'S':'y'}}");
    assert_int_equal(undo_part_again(&c.job, &item), FATE_CONFLICTED);
    assert_string_equal(c.job.job.why.reason, "changed");
    assert_int_equal(undo_part_end(&c.job, FATE_CONFLICTED), FATE_CONFLICTED);
    c.job.job.applied = true; /* an attempt was: others came after it */
    assert_int_equal(undo_part_again(&c.job, &item), FATE_ALREADY);
    item = items_item(*state, "{'K':{'S':'k'},'H':{'S':'h'},'Old':{'S':'o'}}");
    c.job.job.applied = false;
    assert_int_equal(undo_part_again(&c.job, &item), FATE_ALREADY);
    assert_int_equal(undo_part_end(&c.job, FATE_ALREADY), FATE_ALREADY);
}

static void test_a_part_is_told_from_the_whole(void **state)
{
    struct case_ c;
    make(&c, *state);
    struct setting some[2] = {c.targets[2], c.targets[0]};
    struct change part = {.targets = some, .ntargets = 2};
    assert_true(change_part(&part, &c.job.job.change));
    assert_false(change_part(&c.job.job.change, &c.job.job.change));
    assert_false(change_part(&c.job.job.change, &part));
    some[0].new_ = &c.v[2];
    assert_false(change_part(&part, &c.job.job.change));
}

/* What an earlier process left of this job: the whole, and then maybe a part of it. */
static void find(struct case_ *c, struct items *t, bool whole_open, bool part)
{
    static struct setting all[3], some[2];
    static struct intent intents[2];
    static uint32_t next[2];
    static bool met[2];
    struct undo *u = calloc(1, sizeof *u);
    assert_non_null(u);
    make(c, t);
    memcpy(all, c->targets, sizeof all);
    some[0] = all[1];
    some[1] = all[2];
    intents[0] = (struct intent){.change = {.targets = all, .ntargets = 3}, .open = whole_open};
    intents[1] = (struct intent){.change = {.targets = some, .ntargets = 2}, .open = true};
    u->resumed.intents = intents;
    u->next_mine = next;
    u->met = met;
    met[0] = met[1] = false;
    next[0] = MAP_NONE;
    next[1] = 0;
    map_init(&u->mine);
    c->job.key = STR("k");
    assert_int_equal(map_put(&u->mine, STR("k"), part ? 1 : 0), RC_OK);
    undo_part_find(u, &c->job);
    map_release(&u->mine);
    free(u);
}

static void test_an_earlier_part_is_the_last_word(void **state)
{
    struct case_ c;
    find(&c, *state, true, false);
    assert_int_equal(c.job.earlier, 0);
    assert_int_equal(c.job.whole, UNDO_NOT_EARLIER);
    assert_int_equal(c.job.job.change.ntargets, 3);
    find(&c, *state, true, true);
    assert_int_equal(c.job.earlier, 1);
    assert_int_equal(c.job.whole, 0);
    assert_int_equal(c.job.job.change.ntargets, 2);
    assert_int_equal(undo_part_end(&c.job, FATE_CHANGED), FATE_CONFLICTED);
    assert_non_null(strstr(c.job.job.why.detail, ": \"G\""));
    find(&c, *state, false, true); /* all of it was put back */
    assert_int_equal(c.job.earlier, 0);
    assert_int_equal(c.job.job.change.ntargets, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_that_is_ours_is_put_back, items_set_up,
                                        items_tear_down),
        cmocka_unit_test_setup_teardown(test_what_others_changed_is_left, items_set_up,
                                        items_tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_is_ours, items_set_up, items_tear_down),
        cmocka_unit_test_setup_teardown(test_a_part_is_told_from_the_whole, items_set_up,
                                        items_tear_down),
        cmocka_unit_test_setup_teardown(test_an_earlier_part_is_the_last_word, items_set_up,
                                        items_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
