/* SPDX-License-Identifier: MIT */
/*
 * Faulty models, each with what is told of it: line, column, what is wrong, what would be right.
 * Models and messages are written here with ' for ".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/model/model.h"

struct faulty {
    const char *text, *told;
};

/* The text with " for '. */
static struct buf quoted(const char *before, const char *text, const char *after)
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    buf_puts(&b, before);
    buf_puts(&b, text);
    buf_puts(&b, after);
    for (size_t i = 0; i < b.len; i++)
        if (b.p[i] == '\'')
            b.p[i] = '"';
    return b;
}

static void expect(const char *before, const struct faulty *c, const char *after)
{
    struct problems problems;
    struct err err = {0};
    struct model *m = NULL;
    struct buf text = quoted(before, c->text, after), want = quoted("", c->told, ""), got;
    problems_init(&problems);
    buf_init(&got, BUF_NO_LIMIT);
    enum rc rc = model_read(buf_view(&text), &m, &problems, &err);
    problems_print(&problems, "m", &got);
    if (rc != RC_USAGE || strcmp(buf_cstr(&got), buf_cstr(&want)) != 0)
        fail_msg("%s\ngot:\n%swant:\n%s", buf_cstr(&text), buf_cstr(&got), buf_cstr(&want));
    model_free(m);
    problems_release(&problems);
    buf_release(&text);
    buf_release(&want);
    buf_release(&got);
}

static void each(const char *before, const struct faulty *cases, size_t n, const char *after)
{
    for (size_t i = 0; i < n; i++)
        expect(before, &cases[i], after);
}

#define COUNT(cases) (sizeof(cases) / sizeof((cases)[0]))

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
    each("", CASES, COUNT(CASES), "");
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
         "hint: what can stand here: renorm, $schema, name, source, rest, nulls, entities\n"},
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
    each("", CASES, COUNT(CASES), "");
}

/* Each stands at the start of line 2. */
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
    each("{'renorm':1,'entities':{'A':{\n", CASES, COUNT(CASES), "\n}}}");
}

static void test_problems_of_columns(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"'a': 'string'", "m:2:6: 'string' is no column type\n"
                          "hint: did you mean 'text'? the types are text, integer, bigint, "
                          "numeric, double precision, boolean, bytea, date, timestamptz, uuid, "
                          "jsonb, text[], numeric[], bytea[]\n"},
        {"'a': 'txt'", "m:2:6: 'txt' is no column type\n"
                       "hint: did you mean 'text'? the types are text, integer, bigint, "
                       "numeric, double precision, boolean, bytea, date, timestamptz, uuid, "
                       "jsonb, text[], numeric[], bytea[]\n"},
        {"'a': 'qqqqqq'",
         "m:2:6: 'qqqqqq' is no column type\n"
         "hint: the types are text, integer, bigint, numeric, double precision, boolean, "
         "bytea, date, timestamptz, uuid, jsonb, text[], numeric[], bytea[]\n"},
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
         "m:2:1: column 'a' has a unit, but is no timestamptz\n"
         "hint: a unit says how a number counts time\n"},
        {"'a': {'type': 'timestamptz', 'unit': 'h'}", "m:2:38: 'unit' cannot be 'h'\n"
                                                      "hint: use 's', 'ms' or 'us'\n"},
        {"'a': {'type': 'text', 'lossy': 'truncate'}",
         "m:2:32: 'lossy' cannot be 'truncate'\n"
         "hint: use 'float', 'json', 'nul' or 'round'\n"},
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
    each("{'renorm':1,'entities':{'A':{'columns':{\n", CASES, COUNT(CASES), "\n}}}}");
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
    each("{'renorm':1,'entities':{'A':{'stages':[\n", CASES, COUNT(CASES), "\n]}}}");
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
    each("{'renorm':1,'entities':{'A':{'when':{\n", CASES, COUNT(CASES), "\n}}}}");
}

/* One model with faults everywhere: all are told, in the order of the text. */
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
         "hint: use one of text, integer, bigint, numeric, boolean, date, timestamptz, uuid\n"
         "m:8:19: unknown member 'flaten'\n"
         "hint: did you mean 'flatten'?\n"
         "m:8:62: template '{x|uper}': 'uper' is no function\n"
         "hint: use one of lower, upper, pad, date, sha256, trim\n"
         "m:9:25: 'string' is no column type\n"
         "hint: did you mean 'text'? the types are text, integer, bigint, numeric, double "
         "precision, boolean, bytea, date, timestamptz, uuid, jsonb, text[], numeric[], "
         "bytea[]\n"
         "m:9:40: 'z' must be a column type or an object with 'type', not a number\n"
         "m:10:22: unknown test '~'\n"
         "hint: use one of =, <, <=, >, >=, exists, missing, not\n"},
    };
    each("", CASES, COUNT(CASES), "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_of_the_text),
        cmocka_unit_test(test_problems_of_the_head),
        cmocka_unit_test(test_problems_of_an_entity),
        cmocka_unit_test(test_problems_of_columns),
        cmocka_unit_test(test_problems_of_stages),
        cmocka_unit_test(test_problems_of_conditions),
        cmocka_unit_test(test_problems_are_told_all_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
