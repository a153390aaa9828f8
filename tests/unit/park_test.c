/* SPDX-License-Identifier: MIT */
/* Jobs that wait for their time come out in its order. */
#include "sinks/dynamodb/park.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { JOBS = 500 };

static void test_the_earliest_comes_first(void **state)
{
    (void)state;
    static struct write_job jobs[JOBS];
    struct park p;
    struct err err;
    assert_int_equal(park_init(&p, JOBS, &err), RC_OK);
    assert_null(park_first(&p));
    assert_null(park_take(&p));
    for (uint32_t round = 0; round < 3; round++) {
        for (int64_t i = 0; i < JOBS; i++) {
            jobs[i].due_us = (i * 7919 + round) % 101; /* many of the same time */
            park_add(&p, &jobs[i]);
        }
        int64_t last = -1;
        for (int i = 0; i < JOBS; i++) {
            int64_t first = park_first(&p)->due_us;
            struct write_job *job = park_take(&p);
            assert_int_equal(job->due_us, first);
            assert_true(job->due_us >= last);
            last = job->due_us;
            job->due_us = -1; /* each once */
            assert_true(last >= 0);
        }
        assert_null(park_take(&p));
    }
    park_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_earliest_comes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
