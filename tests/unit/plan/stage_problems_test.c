/* SPDX-License-Identifier: MIT */
/* Faulty columns, stages and conditions, each with what is told of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/faulty.h"

static void test_problems_of_columns(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'a': 'string'", "m:2:6: 'string' is no column type\n"
                          "hint: did you mean 'text'? the types are text, integer, bigint, "
                          "numeric, double precision, boolean, bytea, date, timestamp, "
                          "timestamptz, uuid, jsonb, and arrays such as text[] of all but "
                          "jsonb\n"},
        {"'a': 'txt'", "m:2:6: 'txt' is no column type\n"
                       "hint: did you mean 'text'? the types are text, integer, bigint, "
                       "numeric, double precision, boolean, bytea, date, timestamp, "
                       "timestamptz, uuid, jsonb, and arrays such as text[] of all but "
                       "jsonb\n"},
        {"'a': 'qqqqqq'",
         "m:2:6: 'qqqqqq' is no column type\n"
         "hint: the types are text, integer, bigint, numeric, double precision, boolean, "
         "bytea, date, timestamp, timestamptz, uuid, jsonb, and arrays such as text[] of all "
         "but "
         "jsonb\n"},
        {"'a': 1", "m:2:6: 'a' must be a column type or an object with 'type', not a number\n"},
        {"'a': {}", "m:2:1: 'a' lacks the member 'type'\n"},
        {"'a': {'type': 'text', 'form': 'b'}", "m:2:23: unknown member 'form'\n"
                                               "hint: did you mean 'from'?\n"},
        {"'a': {'type': 'text', 'from': ''}",
         "m:2:31: '' is no path\n"
         "hint: write 'Name' or 'Map.member'; a backslash quotes a dot in a name\n"},
        {"'a': {'type': 'text', 'from': []}", "m:2:23: 'from' is an empty path\n"},
        {"'a': {'type': 'text', 'from': 'b..c'}",
         "m:2:31: 'b..c' is no path\n"
         "hint: write 'Name' or 'Map.member'; a backslash quotes a dot in a name\n"},
        {"'a': {'type': 'bigint', 'unit': 'ms'}",
         "m:2:1: column 'a' has a unit, but is no timestamp or timestamptz\n"
         "hint: a unit says how a number counts time\n"},
        {"'a': {'type': 'timestamptz', 'unit': 'h'}", "m:2:38: 'unit' cannot be 'h'\n"
                                                      "hint: use 's', 'ms' or 'us'\n"},
        {"'a': {'type': 'text', 'lossy': 'truncate'}",
         "m:2:32: 'lossy' cannot be 'truncate'\n"
         "hint: use 'float', 'json', 'nul', 'round', 'text' or 'parse'\n"},
        {"'a': {'type': 'text', 'not_null': 1}",
         "m:2:35: 'not_null' must be true or false, not a number\n"},
        {"'a': 'text',\n"
         "'a': 'text'",
         "m:3:1: 'a' is given twice; the first is at line 2, column 1\n"},
        {"'a': {'type': 'text', 'from': 'X.y'},\n"
         "'b': {'type': 'text', 'from': ['X', 'y']}",
         "m:3:1: columns 'a' and 'b' take the same attribute\n"
         "hint: an attribute fills one column; derive a second one\n"},
        {"'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1': 'text',\n"
         "'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2': 'text'",
         "m:3:1: column 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'... and "
         "the one at line 2 are equal in their first 63 bytes\n"
         "hint: shorten one and name its attribute with 'from'\n"},
        {"'': 'text'", "m:2:1: a name cannot be empty\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{'columns':{\n", CASES, COUNT(CASES), "\n}}}}");
}

static void test_problems_of_stages(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"{'flaten': 'x'}", "m:2:2: unknown member 'flaten'\n"
                            "hint: did you mean 'flatten'?\n"},
        {"{'zzzzzzzz': 'x'}",
         "m:2:2: unknown member 'zzzzzzzz'\n"
         "hint: what can stand here: keys, strip, pick, drop, rename, default, flatten, "
         "explode, extract, link, derive, filter, mask, document, symmetric\n"},
        {"{}", "m:1:30: an empty stage\n"
               "hint: {'flatten': 'Address'}\n"},
        {"7",
         "m:2:1: 'stage' must be an object such as {'flatten': 'Address'}, not a number\n"},
        {"{'pick': ['a'], 'drop': ['b']}", "m:2:2: a stage has one name, this one has 2\n"
                                           "hint: write one object for each\n"},
        {"{'pick': []}", "m:2:2: 'pick' is an empty list\n"},
        {"{'drop': {}}", "m:2:2: 'drop' must be a list of attributes, not an object\n"},
        {"{'strip': [1]}", "m:2:12: 'strip' must be a string, not a number\n"},
        {"{'rename': {'a': ''}}", "m:2:18: 'a' is empty\n"
                                  "hint: give it a name\n"},
        {"{'default': {'a': []}}",
         "m:2:14: 'a' must be a string, a number, true, false or null, not a list\n"},
        {"{'default': {'a': 123456789012345678901234567890123456789}}",
         "m:2:19: 123456789012345678901234567890123456789 is no number DynamoDB could hold\n"
         "hint: 38 digits, from 1E-130 to 9.99E+125\n"},
        {"{'flatten': {'depth': 0, 'from': 'a'}}",
         "m:2:23: 'depth' must be a whole number from 1 to 32\n"},
        {"{'explode': {'from': 'a', 'stages': {}}}",
         "m:2:2: 'explode' lacks the member 'into'\n"
         "m:2:27: 'stages' must be a list of stages, not an object\n"},
        {"{'explode': 'Lines'}", "m:2:13: 'explode' must be an object, not a string\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{'stages':[\n", CASES, COUNT(CASES), "\n]}}}");
}

static void test_problems_of_later_stages(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"{'extract': {'into': 'c', 'key': 'id', 'columns': {'x': 'text'}}}",
         "m:2:2: key column 'id' is not among the columns of the extract\n"
         "hint: add it to 'columns'\n"},
        {"{'extract': {'into': 'c', 'key': 'id', 'columns': ['id'], 'rule': 'latest'}}",
         "m:2:2: rule 'latest' needs 'by', the attribute that says how late\n"},
        {"{'extract': {'into': 'c', 'key': 'id', 'columns': ['id'], 'by': 'At'}}",
         "m:2:2: 'by' is for the rule 'latest' only\n"},
        {"{'link': {'a': 'A'}}",
         "m:2:2: a link needs two columns or more, each with its table\n"
         "hint: {'link': {'movie_id': 'movie', 'actor_id': 'actor'}}\n"
         "m:2:16: no entity or stage makes a table 'A'\n"
         "hint: did you mean 'a'?\n"},
        {"{'link': {'a': 'a', 'b': 'b'}}", "m:2:26: no entity or stage makes a table 'b'\n"
                                           "hint: name one that 'table' or 'into' names\n"},
        {"{'symmetric': true}", "m:2:2: 'symmetric' belongs to a link\n"},
        {"{'pick': 'a', 'symmetric': true}", "m:2:15: 'symmetric' belongs to a link\n"},
        {"{'derive': {'a': 'x{b|uper}'}}",
         "m:2:23: template 'x{b|uper}': 'uper' is no function\n"
         "hint: use one of lower, upper, pad, date, sha256, trim\n"},
        {"{'derive': {'a': '{b..c}'}}",
         "m:2:19: 'b..c' is no path\n"
         "hint: write 'Name' or 'Map.member'; a backslash quotes a dot in a name\n"},
        {"{'filter': 1}", "m:2:12: 'filter' must be an object, not a number\n"},
        {"{'mask': {'fields': 'a', 'method': 'md5'}}", "m:2:36: 'method' cannot be 'md5'\n"
                                                       "hint: use 'hmac' or 'blank'\n"},
        {"{'document': '*'}", "m:2:14: a document of all that is left needs a column\n"
                              "hint: {'document': {'from': '*', 'into': 'rest'}}\n"},
        {"{'explode': {'from': 'a', 'into': "
         "'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1'}},\n"
         "{'explode': {'from': 'b', 'into': "
         "'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2'}}",
         "m:3:2: table 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'... is "
         "equal in its first 63 bytes to table "
         "'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'...\n"
         "hint: shorten one\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{'stages':[\n", CASES, COUNT(CASES), "\n]}}}");
}

static void test_problems_of_conditions(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'a': {'~': 1}", "m:2:7: unknown test '~'\n"
                          "hint: use one of =, <, <=, >, >=, exists, missing, not\n"},
        {"'a': {}", "m:2:1: the test of 'a' is empty\n"
                    "hint: {'exists': true} is true of any value\n"},
        {"'a': []", "m:2:1: the list of values for 'a' is empty, so nothing matches\n"},
        {"'a': {'<': true}", "m:2:7: '<' must be a string or a number, not true\n"},
        {"'a': {'exists': 1}", "m:2:17: 'exists' must be true or false, not a number\n"},
        {"'all': 1", "m:2:8: 'all' must be a list of conditions, not a number\n"},
        {"'any': []", "m:2:1: 'any' is an empty list\n"},
        {"'not': 'x'", "m:2:8: 'not' must be an object, not a string\n"},
        {"'a.': 1", "m:2:1: 'a.' is no path\n"
                    "hint: write 'Name' or 'Map.member'; a backslash quotes a dot in a name\n"},
        {"'a': 1E200", "m:2:6: 1E200 is no number DynamoDB could hold\n"
                       "hint: 38 digits, from 1E-130 to 9.99E+125\n"},
        {"'a': [[], {'not': {'x': 1}}]",
         "m:2:1: the list of values for 'a' is empty, so nothing matches\n"
         "m:2:20: unknown test 'x'\n"
         "hint: use one of =, <, <=, >, >=, exists, missing, not\n"},
        {"'any': [1, {'b': {'>': null}}]",
         "m:2:9: 'any' must be an object, not a number\n"
         "m:2:19: '>' must be a string or a number, not null\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{'when':{\n", CASES, COUNT(CASES), "\n}}}}");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_of_columns),
        cmocka_unit_test(test_problems_of_stages),
        cmocka_unit_test(test_problems_of_later_stages),
        cmocka_unit_test(test_problems_of_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
