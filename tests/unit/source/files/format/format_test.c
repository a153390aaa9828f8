/* SPDX-License-Identifier: MIT */
/* What a file is, told from its first bytes; and what is said when it is nothing known. */
#include "pipeline/source/files/format/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void is(const char *text, enum format want)
{
    enum format got = FORMAT_EMPTY;
    struct err err = {0};
    enum rc rc = format_guess(str_of(text), true, "f", &got, &err);
    if (rc || got != want)
        print_message("%s: %s %s\n", text, format_name(got), err.msg);
    assert_int_equal(rc, RC_OK);
    assert_int_equal(got, want);
}

static void is_not(const char *text, const char *message)
{
    enum format got = FORMAT_EMPTY;
    struct err err = {0};
    assert_int_equal(format_guess(str_of(text), true, "f", &got, &err), RC_USAGE);
    if (!strstr(err.msg, message))
        print_message("%s\n", err.msg);
    assert_non_null(strstr(err.msg, message));
    assert_non_null(strstr(err.msg, "\"f\""));
    assert_non_null(strstr(err.msg, "\nhint: "));
}

static void test_items_by_lines(void **state)
{
    (void)state;
    is("{\"PK\":{\"S\":\"x\"}}", FORMAT_LINES);
    is("\n\n {\"PK\":{\"S\":\"x\"}}\n{\"PK\":{\"S\":\"y\"}}\n", FORMAT_LINES);
    is("{\"Item\":{\"PK\":{\"S\":\"x\"}}}\n", FORMAT_LINES);
    is("{ \"PK\" : { \"S\" : \"x\" } }\n", FORMAT_LINES);
    is("{}\n", FORMAT_LINES);
    is("{\"renorm\":{\"reason\":\"cast\"},\"item\":{\"PK\":{\"S\":\"x\"}}}\n", FORMAT_LINES);
    is("{\"renorm\":{\"reason\":\"bad-json\"},\"item_base64\":\"e1BL\"}\n", FORMAT_LINES);
    /* attributes with the names of document members */
    is("{\"Items\":{\"L\":[]}}", FORMAT_LINES);
    is("{\"Count\":{\"N\":\"1\"},\"Responses\":{\"M\":{}}}", FORMAT_LINES);
}

static void test_broken_items_are_still_lines(void **state)
{
    (void)state;
    is("{\"PK\":{\"S\":\"x\"", FORMAT_LINES);
    is("{\"PK\":{\"Q\":\"x\"}}", FORMAT_LINES);
    is("garbage\n{\"PK\":{\"S\":\"x\"}}\n", FORMAT_LINES);
    is("{\"a\":1}\n{\"PK\":{\"S\":\"x\"}}\n", FORMAT_LINES);
    is("{\"Item\":{\"PK\":\n{\"S\":\"x\"}}}\n", FORMAT_LINES);
    is("{\"Item\":{\"PK\":{\"S\":\"x\"},\n{\"Item\":{\"PK\":{\"S\":\"y\"}}}\n", FORMAT_LINES);
    is("{\n", FORMAT_LINES);
}

static void test_items_over_several_lines(void **state)
{
    (void)state;
    is("{\n  \"PK\": {\n    \"S\": \"x\"\n  }\n}\n", FORMAT_SEQUENCE);
    is("{ \"Item\": {\r\n  \"PK\": {\"S\": \"x\"}}}", FORMAT_SEQUENCE);
    is("{\"PK\":{\"S\":\"x\"},\n \"SK\":{\"S\":\"y\"}}", FORMAT_SEQUENCE);
}

static void test_arrays_and_documents(void **state)
{
    (void)state;
    is("[", FORMAT_ARRAY);
    is("[{\"PK\":{\"S\":\"x\"}}]", FORMAT_ARRAY);
    is("[{\"Items\":[]}]", FORMAT_DOCUMENT);
    is("{\"Items\":[", FORMAT_DOCUMENT);
    is("{\n  \"Items\": [\n", FORMAT_DOCUMENT);
    is("{\"Count\":12,\"Items\":[", FORMAT_DOCUMENT);
    is("{\"ConsumedCapacity\":null,\"Count\":1", FORMAT_DOCUMENT);
    is("{\"LastEvaluatedKey\":{\"PK\":{\"S\":\"x\"}},\"Items\":[]}", FORMAT_DOCUMENT);
    is("{\"Responses\":{\"table\":[", FORMAT_DOCUMENT);
    is("{\"ModelName\":\"m\",\"ModelMetadata\":{}", FORMAT_DOCUMENT);
    is("{\"Comment\":\"x\",\"DataModel\":[", FORMAT_DOCUMENT);
}

static void test_plain_items(void **state)
{
    (void)state;
    is("{\"pk\":\"x\",\"n\":[1,2]}", FORMAT_LINES);
    is("{\"pk\":1}\n{\"pk\":2}\n", FORMAT_LINES);
    is("{\n  \"pk\": 1\n}\n{\n  \"pk\": 2\n}\n", FORMAT_SEQUENCE);
    is("{\"pk\":\"x\",\"Count\":5,\"Items\":[1]}", FORMAT_LINES);
    is("{\"Items\":[{\"pk\":\"x\"}],\"Count\":1}", FORMAT_DOCUMENT);
}

static void test_nothing(void **state)
{
    (void)state;
    is("", FORMAT_EMPTY);
    is(" \r\n\t\n", FORMAT_EMPTY);
}

static void test_unknown_content_is_named(void **state)
{
    (void)state;
    is_not("pk,sk\n1,2\n", "it begins with \"pk,sk\"");
    is_not("\xff\xfe{", "UTF-16");
    is_not("PAR1", "Parquet");
    is_not("$ion_1_0 {Item:{}}", "Ion");
    is_not("{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"1\"}},\"Keys\":{}}",
           "incremental");
    is_not("\x01\x02", "unprintable");
    is_not("<html>", "HTML");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_by_lines),
        cmocka_unit_test(test_broken_items_are_still_lines),
        cmocka_unit_test(test_items_over_several_lines),
        cmocka_unit_test(test_arrays_and_documents),
        cmocka_unit_test(test_plain_items),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_unknown_content_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
