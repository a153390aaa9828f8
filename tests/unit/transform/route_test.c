/* SPDX-License-Identifier: MIT */
/* Which entity takes an item, and the sentence that explains it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/transform/route.h"
#include "tests/harness/items.h"
#include "tests/harness/models.h"

static const char MODEL[] =
    "{\"renorm\":1,\"source\":{\"key\":[\"PK\",\"SK\"]},\"entities\":{"
    "\"Early\":{\"when\":{\"Kind\":\"e*\"},\"table\":\"early\",\"columns\":{\"x\":\"text\"}},"
    "\"User\":{\"types\":[\"Person\"],\"keys\":{\"PK\":\"U#{u}\",\"SK\":\"A\"},"
    "\"table\":\"u\",\"primary_key\":[\"u\"]},"
    "\"Late\":{\"when\":{\"Kind\":\"l*\"},\"table\":\"late\",\"columns\":{\"x\":\"text\"}},"
    "\"Any\":{\"keys\":{\"PK\":\"{a}\"},\"table\":\"any\",\"primary_key\":[\"a\"]},"
    "\"Plain\":{\"table\":\"plain\",\"columns\":{\"x\":\"text\"}}}}";

struct made {
    struct models of;
    void *items; /* a struct items_world */
};

static int set_up(void **state)
{
    struct made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    models_make(&m->of, str_of(MODEL));
    *state = m;
    return items_world_set_up(&m->items);
}

static int tear_down(void **state)
{
    struct made *m = *state;
    int rc = items_world_tear_down(&m->items);
    models_release(&m->of);
    free(m);
    return rc;
}

static const struct item *item(struct made *m, const char *text)
{
    struct items_world *w = m->items;
    assert_int_equal(items_world_decode(w, str_of(text)), RC_OK);
    return &w->item;
}

static const char *taker(struct made *m, const char *text)
{
    uint32_t i = route_item(m->of.plan, item(m, text));
    static const char *const NAMES[] = {"Early", "User", "Late", "Any", "Plain"};
    return i == ROUTE_NONE ? "none" : NAMES[i];
}

static void test_first_match_wins(void **state)
{
    static const char *const CASES[][2] = {
        {"{'PK':{'S':'U#1'},'SK':{'S':'A'},'Type':{'S':'User'}}", "User"},
        {"{'PK':{'S':'U#1'},'SK':{'S':'A'},'Type':{'S':'Person'}}", "User"},
        {"{'PK':{'S':'odd'},'SK':{'S':'A'},'Type':{'S':'User'}}", "User"},
        {"{'PK':{'S':'U#1'},'SK':{'S':'A'}}", "User"},
        {"{'PK':{'S':'U#1'},'SK':{'S':'B'}}", "Any"},
        {"{'PK':{'N':'1'},'SK':{'S':'B'}}", "none"},
        {"{'PK':{'S':'x'},'Type':{'S':'Alien'}}", "none"},
        {"{'PK':{'S':'x'},'Type':{'S':'Plain'}}", "Plain"},
        {"{'PK':{'S':'x'},'Type':{'S':'User'},'Kind':{'S':'early'}}", "Early"},
        {"{'PK':{'S':'x'},'Type':{'S':'User'},'Kind':{'S':'late'}}", "User"},
        {"{'PK':{'S':'x'},'Type':{'S':'Plain'},'Kind':{'S':'late'}}", "Late"},
        {"{'PK':{'S':'x'},'Type':{'S':'Alien'},'Kind':{'S':'late'}}", "Late"},
        {"{'PK':{'S':'x'},'Type':{'N':'1'}}", "none"},
        {"{'PK':{'S':'x'},'Type':{'NULL':true}}", "none"},
        {"{'PK':{'S':'x'},'Type':{'N':'1'},'Kind':{'S':'late'}}", "Late"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_string_equal(taker(*state, CASES[i][0]), CASES[i][1]);
}

static void test_an_item_is_counted_under_its_type(void **state)
{
    struct made *m = *state;
    assert_true(str_is(route_type(m->of.plan, item(m, "{'Type':{'S':'User'}}")), "User"));
    assert_true(str_is(route_type(m->of.plan, item(m, "{'Type':{'N':'7'}}")), "7"));
    assert_true(str_is(route_type(m->of.plan, item(m, "{'Type':{'NULL':true}}")), "NULL"));
    assert_int_equal(route_type(m->of.plan, item(m, "{'PK':{'S':'x'}}")).n, 0);
}

static void test_every_answer_is_explained(void **state)
{
    static const struct {
        const char *item;
        uint32_t entity;
        bool fits;
        const char *why;
    } CASES[] = {
        {"{'Type':{'S':'User'}}", 1, true, "\"Type\" is \"User\""},
        {"{'Type':{'S':'Person'}}", 1, true, "\"Type\" is \"Person\""},
        {"{'Type':{'N':'7'}}", 1, false, "\"Type\" is no string but N"},
        {"{'Type':{'S':'User'}}", 3, false, "\"Type\" is \"User\", another type"},
        {"{'PK':{'S':'U#1'},'SK':{'S':'A'}}", 1, true,
         "no type attribute, and all key templates match"},
        {"{'PK':{'S':'U#1'}}", 1, false, "no type attribute, and \"SK\" does not match \"A\""},
        {"{'PK':{'S':'U#1'}}", 4, false,
         "the item has no type attribute and the entity no key templates"},
    };
    struct made *m = *state;
    struct buf why;
    buf_init(&why, 4096);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        buf_clear(&why);
        const struct item *it = item(m, CASES[i].item);
        assert_int_equal(route_explain(m->of.plan, CASES[i].entity, it, &why), CASES[i].fits);
        assert_string_equal(buf_cstr(&why), CASES[i].why);
    }
    buf_clear(&why);
    assert_true(route_explain(m->of.plan, 0, item(m, "{'Kind':{'S':'e1'}}"), &why));
    assert_true(str_starts(buf_view(&why), STR("\"when\" holds: ")));
    buf_clear(&why);
    assert_false(route_explain(m->of.plan, 0, item(m, "{'Kind':{'S':'x'}}"), &why));
    assert_true(str_starts(buf_view(&why), STR("\"when\" does not hold: ")));
    buf_release(&why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_match_wins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_item_is_counted_under_its_type, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_every_answer_is_explained, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
