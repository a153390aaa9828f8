/* SPDX-License-Identifier: MIT */
/*
 * What must hold of any item: a change that is made leaves nothing to do, the sizes are those of the
 * items, undoing it gives the item back, and only targets are touched.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/item/canon.h"
#include "sinks/dynamodb/recipe/units.h"
#include "tests/harness/backfills.h"

enum { ITEMS = 20000 };

static const char TABLE[] =
    "'KeySchema':[{'AttributeName':'name0','KeyType':'HASH'}],'AttributeDefinitions':["
    "{'AttributeName':'G','AttributeType':'S'},{'AttributeName':'name7919','AttributeType':'S'}"
    "],"
    "'GlobalSecondaryIndexes':[{'IndexName':'g','KeySchema':[{'AttributeName':'G','KeyType':"
    "'HASH'},{'AttributeName':'name7919','KeyType':'RANGE'}],'Projection':{'ProjectionType':"
    "'ALL'}}]";

static const char MODEL[] =
    "'A':{'when':{'name0':'a*'},'backfill':{'name7919':'{name15838|upper}','G':'{name0}'}},"
    "'B':{'when':{'name7919':{'exists':true}},"
    "'backfill':{'G':'{name7919}','name15838':{'type':'B','value':'{name15838}'}}},"
    "'C':{'backfill':{'set':{'H':{'type':'N','value':'{name15838}'},'name23757':null,"
    "'name7919':'#{name7919?}'},'when':{'name31676':{'missing':true}}},'when':{}}";

/* The item with the old or the new values of the targets, by way of its text. */
static struct item with(struct items *t, const struct item *item, const struct change *c,
                        bool after)
{
    struct member v[64];
    uint32_t n = 0;
    assert_true(item->n + c->ntargets <= 64);
    for (uint32_t i = 0; i < item->n; i++) {
        bool target = false;
        for (uint32_t k = 0; k < c->ntargets; k++)
            target |= str_eq(item->members[i].name, c->targets[k].path.members[0]);
        if (!target)
            v[n++] = item->members[i];
    }
    for (uint32_t k = 0; k < c->ntargets; k++) {
        const struct val *value = after ? c->targets[k].new_ : c->targets[k].old;
        if (value)
            v[n++] = (struct member){c->targets[k].path.members[0], *value};
    }
    struct item out;
    buf_clear(&t->buf);
    canon_ddb_members(&t->buf, v, n);
    struct str raw = arena_dup(&t->texts, buf_view(&t->buf));
    assert_int_equal(item_decode(t->decoder, raw, &t->arena, &out, &t->why), RC_OK);
    return out;
}

static void look_at_change(struct backfills *t, const struct item *item, const struct change *c)
{
    struct item after = with(t->items, item, c, true);
    struct change again;
    assert_int_equal(c->size_before, item_size(item->members, item->n));
    assert_int_equal(c->size_after, item_size(after.members, after.n));
    assert_true(recipe_change_stands(c, &after, false));
    assert_true(recipe_change_stands(c, item, true));
    assert_false(recipe_change_stands(c, item, false));
    assert_int_equal(recipe_apply(t->recipe, &after, t->now_us, &t->items->arena, &again),
                     RC_OK);
    assert_int_not_equal(again.fate, FATE_CHANGED);
    assert_int_not_equal(again.fate, FATE_FAILED);
    struct item back = with(t->items, &after, c, false);
    struct val x = {.kind = VAL_M, .n = item->n, .u.members = item->members};
    struct val y = {.kind = VAL_M, .n = back.n, .u.members = back.members};
    assert_true(value_eq(&x, &y));
    struct units u = units_of(&t->table, item, c);
    assert_true(u.table >= 1 && u.indexes <= 2 * u.table);
}

static void test_any_change_settles(void **state)
{
    struct backfills *t = *state;
    uint32_t fates[FATES] = {0};
    assert_int_equal(backfills_make(t, MODEL, TABLE), RC_OK);
    for (int i = 0; i < ITEMS; i++) {
        struct item item;
        struct change c;
        arena_clear(&t->items->arena);
        items_make(t->items);
        if (item_decode(t->items->decoder, buf_view(&t->items->text), &t->items->arena, &item,
                        &t->items->why))
            continue;
        assert_int_equal(recipe_apply(t->recipe, &item, t->now_us, &t->items->arena, &c),
                         RC_OK);
        fates[c.fate]++;
        assert_int_equal(c.fate == FATE_FAILED || c.fate == FATE_SKIPPED, c.why.reason != NULL);
        if (c.fate == FATE_CHANGED)
            look_at_change(t, &item, &c);
    }
    assert_true(fates[FATE_CHANGED] > 100);
    assert_true(fates[FATE_FAILED] > 100);
    assert_true(fates[FATE_SKIPPED] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_change_settles)};
    return cmocka_run_group_tests(tests, backfills_set_up, backfills_tear_down);
}
