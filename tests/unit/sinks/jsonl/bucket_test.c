/* SPDX-License-Identifier: MIT */
/*
 * The sink on a store that can do no more than S3: the result is that of a folder, whatever
 * change of the bucket was the last one of a process, made or not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/bucket_store.h"
#include "tests/harness/jsonl_fixture.h"

static const struct fix_run SMALL = {.segments = 2, .items = 40, .page = 5, .pages = 2};

static enum rc export_to(struct bucket *b, const struct fix_run *like, struct err *err)
{
    struct fix_run run = *like;
    struct fix_result r;
    run.out = "bucket";
    run.opts.open_store = bucket_store_open;
    run.opts.store_ctx = b;
    return fix_export(&run, &r, err);
}

static void done(struct bucket *b, const struct fix_run *like)
{
    struct err err = {0};
    b->die_at = 0;
    if (export_to(b, like, &err))
        fail_msg("%s", err.msg);
}

static char *reference(const struct fix_run *like)
{
    char out[256];
    struct fix_run run = *like;
    struct fix_result r;
    struct err err = {0};
    fix_tmp(out);
    run.out = out;
    if (fix_export(&run, &r, &err))
        fail_msg("%s", err.msg);
    char *text = fix_everything(out);
    fix_remove(out);
    return text;
}

/* The rows are all there once, and nothing else is in the bucket. */
static void holds(struct bucket *b, const char *want)
{
    struct store *s = NULL;
    struct err err = {0};
    assert_int_equal(bucket_store_open("", b, &s, &err), RC_OK);
    char *have = fix_everything_in(s), *names = bucket_names(b);
    assert_string_equal(have, want);
    assert_null(strstr(names, ".renorm"));
    free(names);
    free(have);
    store_close(s);
}

static void test_bucket_holds_what_a_folder_would(void **state)
{
    (void)state;
    struct bucket b;
    char *want = reference(&SMALL);
    bucket_init(&b);
    done(&b, &SMALL);
    holds(&b, want);
    bucket_release(&b);
    free(want);
}

/* Another run was finished there before, if `before` says so. */
static unsigned die_everywhere(const struct fix_run *before, const struct fix_run *run,
                               bool lost_answer)
{
    char *want = reference(run);
    enum rc rc = RC_TRANSIENT;
    unsigned k = 0;
    while (rc) {
        struct bucket b;
        struct err err = {0};
        bucket_init(&b);
        if (before)
            done(&b, before);
        b.die_at = ++k;
        b.lost_answer = lost_answer;
        rc = export_to(&b, run, &err);
        assert_true(!rc || rc == RC_TRANSIENT);
        done(&b, run);
        holds(&b, want);
        bucket_release(&b);
    }
    free(want);
    return k;
}

static void test_run_is_completed_when_any_change_was_the_last(void **state)
{
    (void)state;
    struct fix_run run = SMALL;
    static const uint32_t OPEN[] = {3, 1}; /* rows of the others wait in spills */
    for (size_t i = 0; i < sizeof OPEN / sizeof OPEN[0]; i++) {
        run.opts.open_parts = OPEN[i];
        assert_true(die_everywhere(NULL, &run, false) > 50);
        assert_true(die_everywhere(NULL, &run, true) > 50);
    }
}

static void test_old_result_is_replaced_when_any_change_was_the_last(void **state)
{
    (void)state;
    struct fix_run old = SMALL;
    old.segments = 1;
    old.source = "older";
    old.now_us = 1600000000000000;
    assert_true(die_everywhere(&old, &SMALL, false) > 50);
    assert_true(die_everywhere(&old, &SMALL, true) > 50);
}

static void test_run_is_completed_when_the_next_process_died_too(void **state)
{
    (void)state;
    char *want = reference(&SMALL);
    enum rc rc = RC_TRANSIENT;
    for (unsigned k = 1; rc; k++) {
        struct bucket b;
        struct err err = {0};
        bucket_init(&b);
        b.die_at = 30;
        assert_int_equal(export_to(&b, &SMALL, &err), RC_TRANSIENT);
        b.die_at = k;
        rc = export_to(&b, &SMALL, &err);
        done(&b, &SMALL);
        holds(&b, want);
        bucket_release(&b);
    }
    free(want);
}

static const char OTHER[] = "{\"renorm\":1,\"model_hash\":\"x\",\"tables\":[]}";

static void put_other(void *ctx, const char *name)
{
    if (strcmp(name, "publish:announced") == 0)
        bucket_set(ctx, "manifest.json", str_of(OTHER));
}

static void test_run_is_refused_when_another_manifest_came_first(void **state)
{
    (void)state;
    struct bucket b;
    struct err err = {0};
    struct fix_run run = SMALL;
    bucket_init(&b);
    run.opts.point = put_other;
    run.opts.point_ctx = &b;
    assert_int_equal(export_to(&b, &run, &err), RC_SINK);
    assert_non_null(strstr(err.msg, "was replaced while this export ran"));
    struct bucket_object *o = bucket_find(&b, "manifest.json");
    assert_int_equal(o->n, strlen(OTHER));
    assert_memory_equal(o->bytes, OTHER, o->n);
    char *want = reference(&SMALL);
    run = SMALL;
    run.restart = true;
    run.now_us = 1800000000000000;
    done(&b, &run);
    holds(&b, want);
    free(want);
    bucket_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bucket_holds_what_a_folder_would),
        cmocka_unit_test(test_run_is_completed_when_any_change_was_the_last),
        cmocka_unit_test(test_old_result_is_replaced_when_any_change_was_the_last),
        cmocka_unit_test(test_run_is_completed_when_the_next_process_died_too),
        cmocka_unit_test(test_run_is_refused_when_another_manifest_came_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
