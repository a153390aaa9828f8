/* SPDX-License-Identifier: MIT */
/* Words into options, by the table; and the table itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/options.h"

enum { MAX_ARGS = 300 };

static enum rc parse(struct options *o, const char *command, const char *const *words,
                     struct err *err)
{
    static char copies[MAX_ARGS][64];
    static char *argv[MAX_ARGS];
    int n = 0;
    for (; words[n]; n++) {
        (void)snprintf(copies[n], sizeof copies[n], "%s", words[n]);
        argv[n] = copies[n];
    }
    options_defaults(o);
    *err = (struct err){0};
    return options_parse(o, options_command(command), n, argv, err);
}

static void test_words_and_options_mix(void **state)
{
    (void)state;
    struct options o;
    struct err err;
    const char *words[] = {"a",         "--model", "m.json", "b",     "-w", "3",
                           "--level=7", "-q",      "--",     "--odd", NULL};
    assert_int_equal(parse(&o, "export", words, &err), RC_OK);
    assert_int_equal(o.nwords, 3);
    assert_string_equal(o.words[0], "a");
    assert_string_equal(o.words[1], "b");
    assert_string_equal(o.words[2], "--odd");
    assert_string_equal(o.model, "m.json");
    assert_int_equal(o.workers, 3);
    assert_int_equal(o.level, 7);
    assert_true(o.quiet);
    assert_false(o.restart);
}

static void test_dash_is_a_word(void **state)
{
    (void)state;
    struct options o;
    struct err err;
    const char *words[] = {"-", "out", "--max-rejects", "-1", NULL};
    assert_int_equal(parse(&o, "export", words, &err), RC_OK);
    assert_int_equal(o.nwords, 2);
    assert_string_equal(o.words[0], "-");
    assert_string_equal(o.max_rejects, "-1");
}

static void test_the_last_one_holds(void **state)
{
    (void)state;
    struct options o;
    struct err err;
    const char *words[] = {"--workers", "1", "--workers=2", "--model=", NULL};
    assert_int_equal(parse(&o, "export", words, &err), RC_OK);
    assert_int_equal(o.workers, 2);
    assert_string_equal(o.model, "");
}

static void test_defaults_stand_in_the_rows(void **state)
{
    (void)state;
    struct options o;
    options_defaults(&o);
    assert_int_equal(o.commit_mb, 16);
    assert_int_equal(o.level, 3);
    assert_int_equal(o.retry_seconds, 0);
    assert_string_equal(o.mode, "replace");
    assert_null(o.model);
    assert_false(o.quiet);
    assert_true(o.workers >= 1);
}

/* The help of the option of that name, the default put in. Valid until the next call. */
static const char *help_of(const char *name)
{
    static char text[512];
    struct buf b;
    buf_init(&b, sizeof text);
    for (size_t i = 0; i < option_count; i++) {
        if (strcmp(option_table[i].name, name) == 0)
            options_help_text(&option_table[i], &b);
    }
    (void)snprintf(text, sizeof text, "%s", buf_cstr(&b));
    buf_release(&b);
    return text;
}

static void test_defaults_stand_in_the_help(void **state)
{
    (void)state;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        bool has = row->number != 0 || row->text != NULL;
        assert_int_equal(has, strstr(row->help, "{}") != NULL);
        assert_true(row->kind == OPT_NUMBER || row->number == 0);
        assert_true(row->kind == OPT_TEXT || row->text == NULL);
        assert_true(!row->number || (row->number >= row->min && row->number <= row->max));
        assert_null(strchr(help_of(row->name), '{'));
    }
    assert_string_equal(help_of("level"), "zstd level (default 3)");
    assert_string_equal(help_of("max-unrouted"),
                        "unrouted items that are no reason to exit 1 (default 0; verify: with "
                        "--backfill)");
    assert_string_equal(help_of("retry-seconds"),
                        "how long a lost connection or a lock is tried again (default 300), "
                        "and the first connection (default 10)");
}

static void test_rows_are_well_made(void **state)
{
    (void)state;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        assert_true(row->commands != 0);
        assert_int_equal(row->kind == OPT_FLAG, row->arg == NULL);
        assert_true(row->kind != OPT_NUMBER || row->min <= row->max);
        assert_true(row->help[0] != '\0' && row->help[strlen(row->help) - 1] != '.');
        for (size_t k = i + 1; k < option_count; k++) {
            assert_string_not_equal(row->name, option_table[k].name);
            assert_true(!row->letter || row->letter != option_table[k].letter);
            assert_true(row->offset != option_table[k].offset);
        }
    }
}

static void test_too_many_words_are_refused(void **state)
{
    (void)state;
    struct options o;
    struct err err;
    const char *words[MAX_WORDS + 2];
    for (size_t i = 0; i < MAX_WORDS + 1; i++)
        words[i] = "x";
    words[MAX_WORDS] = NULL;
    assert_int_equal(parse(&o, "export", words, &err), RC_OK);
    words[MAX_WORDS] = "x";
    words[MAX_WORDS + 1] = NULL;
    assert_int_equal(parse(&o, "export", words, &err), RC_USAGE);
    assert_string_equal(err.msg, "more than 256 arguments\nhint: name a folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_and_options_mix),
        cmocka_unit_test(test_dash_is_a_word),
        cmocka_unit_test(test_the_last_one_holds),
        cmocka_unit_test(test_defaults_stand_in_the_rows),
        cmocka_unit_test(test_defaults_stand_in_the_help),
        cmocka_unit_test(test_rows_are_well_made),
        cmocka_unit_test(test_too_many_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
