/* SPDX-License-Identifier: MIT */
/* The state of a run as its records tell it, in whatever order the logs are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinks/jsonl/ledger/replay.h"

static void apply(struct jsonl_state *st, const char *record)
{
    struct err err = {0};
    assert_int_equal(jsonl_state_apply(st, str_of(record), &err), RC_OK);
}

static void test_dropped_file_stays_dropped_in_any_order(void **state)
{
    (void)state;
    static const char MADE[] = "{\"files\":[{\"f\":7,\"s\":1,\"n\":10,\"r\":2,\"w\":20}]}";
    static const char DROPPED[] = "{\"drop\":[7]}";
    for (int turned = 0; turned < 2; turned++) {
        struct jsonl_state st;
        jsonl_state_init_bare(&st);
        apply(&st, turned ? DROPPED : MADE);
        apply(&st, turned ? MADE : DROPPED);
        assert_int_equal(st.nfiles, 1);
        assert_int_equal(st.files[0].id, 7);
        assert_int_equal(st.files[0].rows, 2);
        assert_true(st.files[0].dropped);
        jsonl_state_release(&st);
    }
}

static void test_record_that_is_no_object_is_refused(void **state)
{
    (void)state;
    struct jsonl_state st;
    struct err err = {0};
    jsonl_state_init_bare(&st);
    assert_int_equal(jsonl_state_apply(&st, STR("[1]"), &err), RC_SINK);
    jsonl_state_release(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dropped_file_stays_dropped_in_any_order),
        cmocka_unit_test(test_record_that_is_no_object_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
