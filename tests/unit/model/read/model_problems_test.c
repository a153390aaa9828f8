/* SPDX-License-Identifier: MIT */
/*
 * Faulty models, each with what is told of it: line, column, what is wrong, what would be right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/faulty.h"

static void test_problems_of_the_text(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"", "m:1:1: this is no JSON: there is no text\n"},
        {"{'renorm': 1,\n"
         " 'entities': }",
         "m:2:14: this is no JSON: unexpected character, expected a valid JSON value\n"},
        {"{'renorm': 1", "m:1:13: this is no JSON: unexpected end of data\n"},
        {"[]", "m:1:1: the model must be an object, not a list\n"},
        {"7", "m:1:1: the model must be an object, not a number\n"},
        {"{'renorm':1,'entities':{'A':{}}} x",
         "m:1:34: this is no JSON: unexpected content after document\n"},
        {"{'a': 'b\n"
         "'}",
         "m:1:9: this is no JSON: unexpected control character in string\n"},
        {"{'renorm':1,'entities':{'\\ud800':{}}}",
         "m:1:32: this is no JSON: no low surrogate in string\n"},
    };
    faulty_each("", CASES, COUNT(CASES), "");
}

static void test_problems_of_the_head(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"{}", "m:1:1: the model lacks the member 'entities'\n"
               "m:1:1: the model lacks its version\n"
               "hint: begin with 'renorm': 1\n"},
        {"{'renorm': 1, 'entities': {}}", "m:1:15: the model has no entity\n"},
        {"{'renorm': 1, 'entities': []}", "m:1:15: 'entities' must be an object, not a list\n"},
        {"{'renorm': '1', 'entities': {'A': {}}}",
         "m:1:12: 'renorm' must be 1, the version of the model format that this program "
         "reads\n"},
        {"{'renorm': 1, 'entitis': {'A': {}}}", "m:1:1: the model lacks the member 'entities'\n"
                                                "m:1:15: unknown member 'entitis'\n"
                                                "hint: did you mean 'entities'?\n"},
        {"{'renorm': 1, 'entities': {'A': {}}, 'x': 1}",
         "m:1:38: unknown member 'x'\n"
         "hint: what can stand here: renorm, $schema, name, source, sources, rest, nulls, "
         "null_if, "
         "define, no_sep, "
         "entities\n"},
        {"{'renorm': 1, 'entities': {'A': {}, 'A': {}}}",
         "m:1:37: 'A' is given twice; the first is at line 1, column 28\n"},
        {"{'renorm': 1, 'entities': {'': {}}}", "m:1:28: a name cannot be empty\n"},
        {"{'renorm': 1, 'entities': {'A': 1}}",
         "m:1:33: 'A' must be an object, not a number\n"},
        {"{'renorm': 1, 'name': '', 'rest': 'keep',\n"
         " 'nulls': null, 'entities': {'A': {}}}",
         "m:1:23: 'name' is empty\n"
         "hint: give it a name\n"
         "m:1:35: 'rest' cannot be 'keep'\n"
         "hint: use 'extra', 'drop' or 'reject'\n"
         "m:2:2: 'nulls' must be a string, not null\n"},
        {"{'renorm': 1, 'name': 'a\\u0000b', 'entities': {'A': {}}}",
         "m:1:23: 'name' holds a NUL byte, which no name can\n"},
        {"{'renorm': 1, 'source': {'type': 1, 'key': ['a', 'b', 'c'],\n"
         " 'ttl': {}, 'indexing': 5, 'typ': 'x'}, 'entities': {'A': {}}}",
         "m:1:34: 'type' must be a string, not a number\n"
         "m:1:37: the key of a table has one or two attributes, not 3\n"
         "m:2:2: 'ttl' must be a string, not an object\n"
         "m:2:25: 'indexing' must be a name or a list of names, not a number\n"
         "m:2:28: unknown member 'typ'\n"
         "hint: did you mean 'type'?\n"},
        {"{'renorm': 1, 'source': {'key': ['a', 'a']}, 'entities': {'A': {}}}",
         "m:1:39: 'a' stands twice in 'key'\n"},
    };
    faulty_each("", CASES, COUNT(CASES), "");
}

static void test_problems_of_an_entity(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'tables': 'x'", "m:2:1: unknown member 'tables'\n"
                          "hint: did you mean 'table'?\n"},
        {"'table': ''", "m:2:10: 'table' is empty\n"
                        "hint: give it a name\n"},
        {"'table': 1", "m:2:10: 'table' must be a string, not a number\n"},
        {"'primary_key': []", "m:2:1: 'primary_key' is an empty list\n"},
        {"'primary_key': ['a', 'a']", "m:2:22: 'a' stands twice in 'primary_key'\n"},
        {"'primary_key': ['a', 1]", "m:2:22: 'primary_key' must be a string, not a number\n"},
        {"'types': {}", "m:2:1: 'types' must be a name or a list of names, not an object\n"},
        {"'keys': {'PK': 'A#{a}{b}'}",
         "m:2:22: template 'A#{a}{b}': two parts need a literal between them\n"},
        {"'keys': {'PK': 'A\\n\\u00e4#{b|lower}'}",
         "m:2:27: template 'A\\nä#{b|lower}': a key template takes no functions\n"
         "hint: functions are for derive and backfill\n"},
        {"'keys': {'PK': 1}", "m:2:16: 'PK' must be a string, not a number\n"},
        {"'keys': {'': 'x'}", "m:2:10: a name cannot be empty\n"},
        {"'keys': {'PK': 'A#{'}",
         "m:2:20: template 'A#{': a part needs a name, as in {order_id}\n"},
        {"'references': {}", "m:2:1: 'references' must be a list such as [{'columns': "
                             "['a_id'], 'to': 'a'}], not an object\n"},
        {"'references': [{'columns': ['a'], 'to': 'b'}]",
         "m:2:17: no entity or stage makes a table 'b'\n"
         "hint: name one that 'table' or 'into' names\n"},
        {"'table': 'customer',\n"
         "'references': [{'columns': ['a'], 'to': 'custmer'}]",
         "m:3:17: no entity or stage makes a table 'custmer'\n"
         "hint: did you mean 'customer'?\n"},
        {"'references': [{'column': ['a']}]",
         "m:2:17: unknown member 'column'\n"
         "hint: did you mean 'columns'?\n"
         "m:2:17: 'references' lacks the member 'columns'\n"
         "m:2:17: 'references' lacks the member 'to'\n"},
        {"'backfill': {'a': 1}", "m:2:19: 'a' must be a template, null or {'type': 'N', "
                                 "'value': '{n}'}, not a number\n"},
        {"'backfill': {'a': {'type': 'BOOL', 'value': '{x'}}",
         "m:2:28: 'type' cannot be 'BOOL'\n"
         "hint: use 'S', 'N' or 'B'\n"
         "m:2:46: template '{x': a '{' without its '}'\n"
         "hint: write '{{' for the brace itself\n"},
        {"'backfill': {'set': {'a': 'x'}, 'when': 1, 'mising': 1}",
         "m:2:41: 'when' must be an object, not a number\n"
         "m:2:44: unknown member 'mising'\n"
         "hint: did you mean 'missing'?\n"},
        {"'backfill': 'x'", "m:2:13: 'backfill' must be an object, not a string\n"},
        {"'backfill_missing': 'stop'", "m:2:21: 'backfill_missing' cannot be 'stop'\n"
                                       "hint: use 'skip' or 'fail'\n"},
        {"'prefer': 'atribute'",
         "m:2:11: 'prefer' cannot be 'atribute'\n"
         "hint: did you mean 'attribute'? it takes 'attribute' or 'part'\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{\n", CASES, COUNT(CASES), "\n}}}");
}

static void test_problems_of_null_if(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'columns': {'a': {'type': 'text', 'null_if': null}}",
         "m:2:35: 'null_if' must be a text or a list of texts, not null\n"},
        {"'columns': {'a': {'type': 'text', 'null_if': ['', 0, '']}}",
         "m:2:51: 'null_if' must be a string, not a number\n"
         "m:2:54: '' stands twice in 'null_if'\n"},
        {"'columns': {'a': {'type': 'text', 'nullif': ''}}", "m:2:35: unknown member 'nullif'\n"
                                                             "hint: did you mean 'null_if'?\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{\n", CASES, COUNT(CASES), "\n}}}");
}

static void test_problems_of_from_any(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'a': {'type': 'text', 'from_any': []}", "m:2:23: 'from_any' is an empty list\n"},
        {"'a': {'type': 'text', 'from_any': [1]}",
         "m:2:36: 'from_any' must be a path such as 'A.b' or ['A', 'b'], not a number\n"},
        {"'a': {'type': 'text', 'from_any': ['A', 'A']}",
         "m:2:1: column 'a' names an attribute twice in 'from_any'\n"},
        {"'a': {'type': 'text', 'from_any': ['A', 'B'], 'from': 'C'}",
         "m:2:1: column 'a' has both 'from' and 'from_any'\n"
         "hint: 'from_any' lists all attributes that it may be filled from\n"},
        {"'a': {'type': 'text', 'from': 'C', 'prefer': 'first'}",
         "m:2:1: column 'a' prefers the first of several attributes, and names none\n"
         "hint: 'from_any': ['A', 'B'] does\n"},
        {"'a': {'type': 'text', 'from_any': ['A', 'B']}, 'b': {'type': 'text', 'from': 'B'}",
         "m:2:48: columns 'a' and 'b' take the same attribute\n"
         "hint: an attribute fills one column; derive a second one\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{'columns':{\n", CASES, COUNT(CASES), "\n}}}}");
}

static void test_problems_of_parse(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'a': {'type': 'jsonb', 'parse': 'yaml'}", "m:2:33: 'parse' cannot be 'yaml'\n"
                                                    "hint: use 'json' or 'dynamodb'\n"},
        {"'a': {'type': 'jsonb', 'lossy': 'parse'}",
         "m:2:1: column 'a' has the lossy rule 'parse', but parses nothing\n"
         "hint: 'parse': 'json' or 'dynamodb' says what its texts hold\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{'columns':{\n", CASES, COUNT(CASES), "\n}}}}");
}

static void test_problems_of_times(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'a': {'type': 'timestamptz', 'zone': 'Mars/Base'}",
         "m:2:38: no time zone is called 'Mars/Base' in /usr/share/zoneinfo\n"
         "hint: a zone is a name of the tz database such as 'Europe/Berlin', 'UTC', or an "
         "offset such as '+02:00'\n"},
        {"'a': {'type': 'timestamptz', 'zone': '../../etc/passwd'}",
         "m:2:38: '../../etc/passwd' is no name of a time zone\n"
         "hint: a zone is a name of the tz database such as 'Europe/Berlin', 'UTC', or an "
         "offset such as '+02:00'\n"},
        {"'a': {'type': 'timestamptz', 'zone': 2}",
         "m:2:38: 'zone' must be a string, not a number\n"},
        {"'a': {'type': 'date', 'zone': 'UTC'}",
         "m:2:1: column 'a' has 'zone', but is no timestamp or timestamptz\n"},
        {"'a': {'type': 'timestamp', 'ambiguous': 'earlier'}",
         "m:2:1: column 'a' has 'ambiguous' without a 'zone'\n"},
        {"'a': {'type': 'timestamp[]', 'zone': 'UTC', 'ambiguous': 'first'}",
         "m:2:58: 'ambiguous' cannot be 'first'\n"
         "hint: use 'earlier' or 'later'\n"},
        {"'a': {'type': 'timestamp', 'unit': 's'}",
         "m:2:1: column 'a' is a timestamp, and has a unit, but no zone\n"
         "hint: a number is an instant; a 'zone' says what clocks show then\n"},
        {"'a': {'type': 'text', 'format': '%d.%m.%Y'}",
         "m:2:1: column 'a' has 'format', but is no date, timestamp or timestamptz\n"},
        {"'a': {'type': 'date', 'format': ['iso', '%d.%m']}",
         "m:2:23: the format '%d.%m' is none: it must name a day: %Y (or %y), %m (or %b) and "
         "%d\n"},
        {"'a': {'type': 'date', 'format': '%d.%m.%Y %H:%M'}",
         "m:2:1: column 'a' is a date, and has a format with a time\n"
         "hint: make it a timestamp, or leave the time out of the format\n"},
        {"'a': {'type': 'timestamptz', 'format': '%d.%m.%Y'}",
         "m:2:1: column 'a' has a format without an offset, and no zone\n"
         "hint: a 'zone' says what time it is; or make it a timestamp\n"},
        {"'a': {'type': 'timestamp', 'format': '%d.%m.%Y %H%z'}",
         "m:2:1: column 'a' is a timestamp, and has a format with an offset, but no zone\n"
         "hint: a 'zone' says what clocks show then\n"},
    };
    faulty_each("{'renorm':1,'entities':{'A':{'columns':{\n", CASES, COUNT(CASES), "\n}}}}");
}

static void test_problems_are_told_all_at_once(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"{\n"
         "  'name': 5, 'entitys': {},\n"
         "  'source': {'tipe': 'Type'},\n"
         "  'entities': {\n"
         "    'Customer': {\n"
         "      'table': '', 'table': 'x',\n"
         "      'keys': {'PK': 'C#{a}{b}', 'SK': '{n:int}'},\n"
         "      'stages': [{'flaten': 'Address'}, {'derive': {'a': '{x|uper}'}}],\n"
         "      'columns': {'id': 'string', 'z': 7},\n"
         "      'when': {'a': {'~': 1}}\n"
         "    }\n"
         "  }\n"
         "}",
         "m:1:1: the model lacks its version\n"
         "hint: begin with 'renorm': 1\n"
         "m:2:11: 'name' must be a string, not a number\n"
         "m:2:14: unknown member 'entitys'\n"
         "hint: did you mean 'entities'?\n"
         "m:3:14: unknown member 'tipe'\n"
         "hint: did you mean 'type'?\n"
         "m:6:16: 'table' is empty\n"
         "hint: give it a name\n"
         "m:6:20: 'table' is given twice; the first is at line 6, column 7\n"
         "m:7:28: template 'C#{a}{b}': two parts need a literal between them\n"
         "m:7:44: template '{n:int}': 'int' is no type a part can have\n"
         "hint: use one of text, integer, bigint, numeric, boolean, date, timestamp, "
         "timestamptz, uuid; in a key also no-sep and sep\n"
         "m:8:19: unknown member 'flaten'\n"
         "hint: did you mean 'flatten'?\n"
         "m:8:62: template '{x|uper}': 'uper' is no function\n"
         "hint: use one of lower, upper, pad, date, sha256, trim\n"
         "m:9:25: 'string' is no column type\n"
         "hint: did you mean 'text'? the types are text, integer, bigint, numeric, double "
         "precision, boolean, bytea, date, timestamp, timestamptz, uuid, jsonb, and arrays "
         "such as text[] of all but jsonb\n"
         "m:9:40: 'z' must be a column type or an object with 'type', not a number\n"
         "m:10:22: unknown test '~'\n"
         "hint: use one of =, <, <=, >, >=, exists, missing, not\n"},
    };
    faulty_each("", CASES, COUNT(CASES), "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_of_the_text),
        cmocka_unit_test(test_problems_of_the_head),
        cmocka_unit_test(test_problems_of_an_entity),
        cmocka_unit_test(test_problems_of_null_if),
        cmocka_unit_test(test_problems_of_times),
        cmocka_unit_test(test_problems_of_parse),
        cmocka_unit_test(test_problems_of_from_any),
        cmocka_unit_test(test_problems_are_told_all_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
