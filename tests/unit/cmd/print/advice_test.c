/* SPDX-License-Identifier: MIT */
/* Advice about the attributes that serve DynamoDB: what they alone say, and what they repeat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/advice.h"
#include "tests/harness/scratch.h"

static const char MODEL[] =
    "{\"renorm\":1,\"source\":{\"key\":[\"PK\"],\"indexing\":[\"PK\",\"GSI*\"]},"
    "\"entities\":{\"A\":{\"keys\":{\"PK\":\"A#{a}\"},\"table\":\"a\",\"primary_key\":[\"a\"],"
    "\"columns\":{\"a\":\"text\",\"city\":\"text\",\"n\":\"integer\"}}}}";

/* The advice for items, one a line, in single quotes. */
static void advice_is(const char *items, const char *want)
{
    struct scratch dir;
    struct options o = {.workers = 1, .nwords = 2};
    struct job job;
    struct buf text, out;
    struct err err = {0};
    atomic_bool stop = false;
    scratch_init(&dir);
    job_init(&job);
    job.stop = &stop;
    buf_init(&text, 65536);
    buf_init(&out, 65536);
    for (const char *p = items; *p; p++)
        buf_putc(&text, *p == '\'' ? '"' : *p);
    assert_int_equal(job_model(&job, scratch_write(&dir, "m.json", str_of(MODEL)), &o, &err),
                     RC_OK);
    o.words[1] = scratch_write(&dir, "i.jsonl", buf_view(&text));
    assert_int_equal(job_source(&job, o.words + 1, 1, &o, &err), RC_OK);
    assert_int_equal(advice_give(&job, &o, &out, &err), RC_OK);
    assert_string_equal(buf_cstr(&out), want);
    job_release(&job);
    buf_release(&text);
    buf_release(&out);
    scratch_release(&dir);
}

#define ITEM(n, more) "{'PK':{'S':'A#" n "'},'Type':{'S':'A'}" more "}\n"

static void test_nothing_is_said_when_columns_say_it_all(void **state)
{
    (void)state;
    advice_is("", "");
    advice_is(ITEM("1", ",'GSI1PK':{'S':'CITY#Oslo'},'city':{'S':'Oslo'}")
                  ITEM("2", ",'GSI1PK':{'S':'CITY#Rome'},'city':{'S':'Rome'}"),
              "");
}

static void test_what_only_an_index_says_is_named(void **state)
{
    (void)state;
    advice_is(
        ITEM("1", ",'GSI1PK':{'S':'CITY#Oslo'}") ITEM("2", ",'GSI1PK':{'S':'CITY#Rome'}"),
        "advice: A: \"GSI1PK\" says what no column says, in 1 of 2 items, as \"CITY#Rome\": "
        "give it a key template or a column\n");
    /* what never changes is a prefix */
    advice_is(ITEM("1", ",'GSI1PK':{'S':'ALL'}") ITEM("2", ",'GSI1PK':{'S':'ALL'}"), "");
    /* and a terminal is not told what to do */
    advice_is(ITEM("1", ",'GSI1PK':{'S':'x'}") ITEM("2", ",'GSI1PK':{'S':'\\u001b[2J'}"),
              "advice: A: \"GSI1PK\" says what no column says, in 1 of 2 items, as \"?[2J\": "
              "give it a key template or a column\n");
}

static void test_indexes_that_repeat_each_other_are_named(void **state)
{
    (void)state;
    advice_is(ITEM("1", ",'GSI1PK':{'S':'G#1'},'GSI2PK':{'S':'G#1'}")
                  ITEM("2", ",'GSI1PK':{'S':'G#2'},'GSI2PK':{'S':'G#2'}"),
              "advice: A: \"GSI1PK\" and \"GSI2PK\" always hold the same value in 2 items, as "
              "\"G#1\": one attribute could serve all these indexes\n");
    advice_is(ITEM("1", ",'GSI1PK':{'S':'G#1'},'GSI2PK':{'S':'G#1'}")
                  ITEM("2", ",'GSI1PK':{'S':'G#2'},'GSI2PK':{'S':'G#1'}"),
              "");
}

/* Whatever stands between them, words are words: none of these says more than its columns. */
static void test_any_separator_will_do(void **state)
{
    (void)state;
    static const char *const BETWEEN[] = {"#", "|", ":",  "-", "_",
                                          ".", "/", "::", " ", "\xC2\xA7"};
    for (size_t i = 0; i < sizeof BETWEEN / sizeof *BETWEEN; i++) {
        char said[512], unsaid[512], want[512];
        const char *b = BETWEEN[i];
        bool letters = (unsigned char)b[0] > 127; /* of other alphabets count as letters */
        (void)snprintf(said, sizeof said,
                       ITEM("1", ",'GSI1PK':{'S':'CITY%sOslo'},'city':{'S':'Oslo'}")
                           ITEM("2", ",'GSI1PK':{'S':'CITY%sROME'},'city':{'S':'Rome'}"),
                       b, b);
        (void)snprintf(unsaid, sizeof unsaid,
                       ITEM("1", ",'GSI1PK':{'S':'CITY%sOslo'}")
                           ITEM("2", ",'GSI1PK':{'S':'CITY%sRome'}"),
                       b, b);
        (void)snprintf(want, sizeof want,
                       "advice: A: \"GSI1PK\" says what no column says, in 1 of 2 items, as "
                       "\"CITY%sRome\": give it a key template or a column\n",
                       b);
        if (!letters)
            advice_is(said, "");
        advice_is(unsaid, want);
    }
    /* a padded number is the number, and a part of a longer word is no word */
    advice_is(ITEM("1", ",'GSI1PK':{'S':'N|00041'},'n':{'N':'41'}")
                  ITEM("2", ",'GSI1PK':{'S':'N|00042'},'n':{'N':'42'}"),
              "");
    advice_is(ITEM("1", ",'GSI1PK':{'S':'C-Oslo'},'city':{'S':'Oslo'}")
                  ITEM("2", ",'GSI1PK':{'S':'C-Rom'},'city':{'S':'Rome'}"),
              "advice: A: \"GSI1PK\" says what no column says, in 1 of 2 items, as \"C-Rom\": "
              "give it a key template or a column\n");
}

static void test_the_own_key_is_no_index(void **state)
{
    (void)state;
    advice_is(ITEM("1", ",'GSI1PK':{'S':'A#1'},'GSI2PK':{'S':'A#1'}")
                  ITEM("2", ",'GSI1PK':{'S':'A#2'},'GSI2PK':{'S':'A#2'}"),
              "advice: A: \"GSI1PK\" always holds the table's own \"PK\", as \"A#1\", "
              "\"GSI2PK\" its \"PK\": an index can have that attribute itself\n");
}

static void test_a_kind_has_one_line_for_an_entity(void **state)
{
    (void)state;
    advice_is(
        ITEM("1", ",'GSI1PK':{'S':'X|a'},'GSI2PK':{'S':'b'},'GSI3PK':{'S':'b'}")
            ITEM("2", ",'GSI1PK':{'S':'X|c'},'GSI2PK':{'S':'b'},'GSI3PK':{'S':'b'}") ITEM(
                "3",
                ",'GSI1PK':{'S':'X|d'},'GSI2PK':{'S':'e'},'GSI3PK':{'S':'e'}") "{'PK':{'S':'A#"
                                                                               "4'}}\n",
        "advice: A: \"GSI1PK\", \"GSI2PK\" and \"GSI3PK\" say what no column says, \"GSI1PK\" "
        "in "
        "2 of 4 items, as \"X|c\": give each a key template or a column\n"
        "advice: A: \"GSI2PK\" and \"GSI3PK\" always hold the same value in 3 items, as \"b\": "
        "one attribute could serve all these indexes\n"
        "\n"
        "backfill hint: A: 1 of 4 items have no \"Type\": a backfill could add it\n");
}

static void test_items_without_a_type_are_counted(void **state)
{
    (void)state;
    advice_is(ITEM("1", "") "{'PK':{'S':'A#2'}}\n{'PK':{'S':'A#3'}}\n",
              "backfill hint: A: 2 of 3 items have no \"Type\": a backfill could add it\n");
}

static void test_rejects_and_strangers_are_passed_over(void **state)
{
    (void)state;
    advice_is("{'PK':\n{'PK':{'S':'B#1'},'Type':{'S':'B'}}\n" ITEM("1", ""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_said_when_columns_say_it_all),
        cmocka_unit_test(test_what_only_an_index_says_is_named),
        cmocka_unit_test(test_indexes_that_repeat_each_other_are_named),
        cmocka_unit_test(test_any_separator_will_do),
        cmocka_unit_test(test_the_own_key_is_no_index),
        cmocka_unit_test(test_a_kind_has_one_line_for_an_entity),
        cmocka_unit_test(test_items_without_a_type_are_counted),
        cmocka_unit_test(test_rejects_and_strangers_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
