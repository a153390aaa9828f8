/* SPDX-License-Identifier: MIT */
/* Decimals: one text per number, the limits of DynamoDB, order and whole numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/item/decimal.h"

#define NINES38 "99999999999999999999999999999999999999"
#define ZEROS38 "00000000000000000000000000000000000000"

static void expect_canon(const char *text, const char *want)
{
    char out[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    enum decimal_fault f = decimal_canon(str_of(text), out, &n, &same);
    if (f != DECIMAL_OK)
        fail_msg("%s: fault %d", text, (int)f);
    assert_int_equal(same, strcmp(text, want) == 0);
    struct str got = same ? str_of(text) : str_make(out, n);
    assert_int_equal(n, got.n);
    if (!str_is(got, want))
        fail_msg("%s: %.*s, not %s", text, STR_FMT(got), want);
}

static void test_canon_has_one_text_per_number(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"0", "0"},
        {"-0", "0"},
        {"+0", "0"},
        {"0.0", "0"},
        {"-0.000", "0"},
        {"00", "0"},
        {"0E+999999999999999999999", "0"},
        {"0e-5", "0"},
        {".0", "0"},
        {"0.", "0"},
        {"1", "1"},
        {"+1", "1"},
        {"-1", "-1"},
        {"007", "7"},
        {"-007.50", "-7.5"},
        {"45.10", "45.1"},
        {"1E5", "100000"},
        {"1e+5", "100000"},
        {"1.5e1", "15"},
        {"1E-5", "0.00001"},
        {".5", "0.5"},
        {"5.", "5"},
        {"100", "100"},
        {"1.0", "1"},
        {"0.1", "0.1"},
        {"10.01", "10.01"},
        {"-0.5", "-0.5"},
        {"00.5", "0.5"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {NINES38, NINES38},
        {NINES38 "0", NINES38 "0"},
        {NINES38 "00", "9.9999999999999999999999999999999999999E+39"},
        {"1" ZEROS38, "1" ZEROS38},
        {"1" ZEROS38 "0", "1E+39"},
        {"1E38", "1" ZEROS38},
        {"1E39", "1E+39"},
        {"1E-38", "0.00000000000000000000000000000000000001"},
        {"1E-39", "1E-39"},
        {"0.000000000000000000000000000000000000001", "1E-39"},
        {"12E-40", "1.2E-39"},
        {"1E+125", "1E+125"},
        {"1E-130", "1E-130"},
        {"-9.9999999999999999999999999999999999999E+125",
         "-9.9999999999999999999999999999999999999E+125"},
        {"10E124", "1E+125"},
        {"0.1E126", "1E+125"},
        {"1.50E+99", "1.5E+99"},
        {"1.5e99", "1.5E+99"},
        {"1.5E+0099", "1.5E+99"},
        {"1.5E99", "1.5E+99"},
        {"1.5E+100", "1.5E+100"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_canon(cases[i][0], cases[i][1]);
        expect_canon(cases[i][1], cases[i][1]);
    }
}

static void expect_fault(const char *text, enum decimal_fault want)
{
    char out[DECIMAL_MAX];
    size_t n;
    bool same;
    enum decimal_fault f = decimal_canon(str_of(text), out, &n, &same);
    if (f != want)
        fail_msg("%s: %d, not %d", text, (int)f, (int)want);
}

static void test_canon_refuses_what_is_no_number(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",      "-",     "+",     ".",     "-.",       "e5",  "1e",  "1e+", "1e-",
        "1e5.5", "1.2.3", "--1",   "+-1",   " 1",       "1 ",  "1,5", "NaN", "Infinity",
        "-inf",  "0x10",  "1_000", "1e5e5", "\xD9\xA1", ".e1", "abc"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_fault(bad[i], DECIMAL_SYNTAX);
    char out[DECIMAL_MAX];
    size_t n;
    bool same;
    assert_int_equal(decimal_canon(STR("1\0"), out, &n, &same), DECIMAL_SYNTAX);
}

static void test_canon_keeps_the_limits_of_dynamodb(void **state)
{
    (void)state;
    expect_fault("1" NINES38, DECIMAL_DIGITS);
    expect_fault("1." NINES38, DECIMAL_DIGITS);
    expect_fault("1" ZEROS38 "1", DECIMAL_DIGITS);
    expect_fault("1" ZEROS38 ZEROS38 ZEROS38 "1", DECIMAL_DIGITS);
    expect_canon("0." ZEROS38 NINES38, "9.9999999999999999999999999999999999999E-39");
    expect_fault("1E126", DECIMAL_RANGE);
    expect_fault("-1E126", DECIMAL_RANGE);
    expect_fault("10E125", DECIMAL_RANGE);
    expect_fault("9.9E-131", DECIMAL_RANGE);
    expect_fault("0.1E-130", DECIMAL_RANGE);
    expect_fault("1E99999999999999999999999999", DECIMAL_RANGE);
    expect_fault("1E-99999999999999999999999999", DECIMAL_RANGE);
}

/* Long runs of zeros on both sides of a number that is small in the end. */
static void test_canon_of_a_very_long_text(void **state)
{
    (void)state;
    enum { ZEROS = 100000 };
    char *text = malloc(ZEROS + 32), out[DECIMAL_MAX];
    assert_non_null(text);
    memset(text, '0', ZEROS + 32);
    text[1] = '.';
    memcpy(text + ZEROS, "12E100000", sizeof "12E100000");
    size_t n;
    bool same;
    /* the 1 is digit ZEROS-1 behind the point */
    assert_int_equal(decimal_canon(str_make(text, ZEROS + 9), out, &n, &same), DECIMAL_OK);
    assert_true(str_is(str_make(out, n), "12"));
    free(text);
}

/* In rising order. */
static const char *const ladder[] = {
    "-9.9E+125", "-1E+40",  "-100",  "-99.5",   "-10",     "-9",      "-1.5", "-1",
    "-0.5",      "-1E-130", "0",     "1E-130",  "1E-39",   "0.00001", "0.5",  "0.51",
    "1",         "1.05",    "1.5",   "2",       "9",       "10",      "99.5", "100",
    "101",       "1E+39",   "1E+40", "1.5E+40", "9.9E+125"};

static void test_cmp_orders_by_value(void **state)
{
    (void)state;
    int n = (int)(sizeof ladder / sizeof ladder[0]);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            int c = decimal_cmp(str_of(ladder[i]), str_of(ladder[k]));
            assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
        }
    }
}

static void test_int64_takes_whole_numbers_that_fit(void **state)
{
    (void)state;
    int64_t v = 1;
    assert_true(decimal_int64(STR("0"), &v) && v == 0);
    assert_true(decimal_int64(STR("9223372036854775807"), &v) && v == INT64_MAX);
    assert_true(decimal_int64(STR("-9223372036854775808"), &v) && v == INT64_MIN);
    assert_true(decimal_int64(STR("-42"), &v) && v == -42);
    static const char *const bad[] = {"9223372036854775808",
                                      "-9223372036854775809",
                                      "1.5",
                                      "1E+40",
                                      "99999999999999999999",
                                      "",
                                      "-"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(decimal_int64(str_of(bad[i]), &v));
}

static void test_plain_has_no_exponent(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"0", "0"},
                                           {"-12.5", "-12.5"},
                                           {"1E+40", "1" ZEROS38 "00"},
                                           {"1.5E+40", "15" ZEROS38 "0"},
                                           {"-1E-40", "-0." ZEROS38 "01"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[400];
        size_t n = decimal_plain(str_of(cases[i][0]), out);
        assert_true(str_is(str_make(out, n), cases[i][1]));
    }
    char out[400];
    assert_int_equal(decimal_plain(STR("-9.9999999999999999999999999999999999999E-130"), out),
                     3 + 129 + 38);
}

/* As dynalite counts, whose formula was checked against the service. */
static void test_size_counts_pairs_of_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {{"0", 1},   {"1", 2},    {"-1", 3},   {"10", 2},    {"12", 2},  {"123", 3},
                 {"1.2", 3}, {"1234", 3}, {"0.12", 2}, {"0.012", 3}, {"100", 2}, {NINES38, 20}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(decimal_size(str_of(cases[i].text)), cases[i].size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canon_has_one_text_per_number),
        cmocka_unit_test(test_canon_refuses_what_is_no_number),
        cmocka_unit_test(test_canon_keeps_the_limits_of_dynamodb),
        cmocka_unit_test(test_canon_of_a_very_long_text),
        cmocka_unit_test(test_cmp_orders_by_value),
        cmocka_unit_test(test_int64_takes_whole_numbers_that_fit),
        cmocka_unit_test(test_plain_has_no_exponent),
        cmocka_unit_test(test_size_counts_pairs_of_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
