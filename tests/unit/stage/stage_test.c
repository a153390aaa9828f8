/* SPDX-License-Identifier: MIT */
/*
 * The table of stages: each row is complete, and each stage stands in the schema, the manual of the
 * model and the golden cases. Run from the root of the repository.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/stage/stage.h"
#include "tests/harness/scratch.h"

static void test_rows_are_complete_and_their_names_differ(void **state)
{
    (void)state;
    for (const struct stage *const *row = stage_table; *row; row++) {
        assert_true((*row)->spec_size > 0);
        assert_non_null((*row)->read);
        assert_non_null((*row)->plan);
        assert_non_null((*row)->explain);
        for (const struct stage *const *other = stage_table; other < row; other++)
            assert_string_not_equal((*row)->name, (*other)->name);
    }
}

/* Each stage is mentioned in the file: its name with `before` and `after` around it. */
static void check_mentions(const char *path, const char *before, const char *after)
{
    struct buf text, wanted;
    buf_init(&text, BUF_NO_LIMIT);
    buf_init(&wanted, BUF_NO_LIMIT);
    scratch_read(path, &text);
    for (const struct stage *const *row = stage_table; *row; row++) {
        buf_clear(&wanted);
        buf_addf(&wanted, "%s%s%s", before, (*row)->name, after);
        if (str_find(buf_view(&text), buf_view(&wanted), 0) == text.len)
            fail_msg("%s does not have the stage %s", path, (*row)->name);
    }
    buf_release(&wanted);
    buf_release(&text);
}

static void test_stages_are_documented_and_tried(void **state)
{
    (void)state;
    check_mentions("docs/model.schema.json", "\n            \"", "\": {");
    check_mentions("docs/model.md", "{\"", "\":");
    check_mentions("tests/golden/stages.t", "{\"", "\":");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete_and_their_names_differ),
        cmocka_unit_test(test_stages_are_documented_and_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
