/* SPDX-License-Identifier: MIT */
/* Jobs that wait for their time come out in its order. */
#include "sinks/dynamodb/writer/delay_heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { JOBS = 500 };

static void test_the_earliest_comes_first(void **state)
{
    (void)state;
    static struct write_job jobs[JOBS];
    struct delay_heap p;
    struct err err;
    assert_int_equal(delay_heap_init(&p, JOBS, &err), RC_OK);
    assert_null(delay_heap_first(&p));
    assert_null(delay_heap_take(&p));
    for (uint32_t round = 0; round < 3; round++) {
        for (int64_t i = 0; i < JOBS; i++) {
            jobs[i].due_us = (i * 7919 + round) % 101; /* many of the same time */
            delay_heap_add(&p, &jobs[i]);
        }
        int64_t last = -1;
        for (int i = 0; i < JOBS; i++) {
            int64_t first = delay_heap_first(&p)->due_us;
            struct write_job *job = delay_heap_take(&p);
            assert_int_equal(job->due_us, first);
            assert_true(job->due_us >= last);
            last = job->due_us;
            job->due_us = -1; /* each once */
            assert_true(last >= 0);
        }
        assert_null(delay_heap_take(&p));
    }
    delay_heap_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_earliest_comes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
