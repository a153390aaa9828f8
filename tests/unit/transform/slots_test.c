/* SPDX-License-Identifier: MIT */
/*
 * The one pass over an item: names that fill columns, names that are left, names that are
 * stripped; and that none of it depends on how many names were seen before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/plan/plan.h"
#include "pipeline/transform/slots.h"
#include "tests/harness/items.h"
#include "tests/harness/models.h"

enum { MANY = 5000 }; /* more names than a walk remembers */

struct made {
    struct models of;
    struct slots_level *walk;
    struct arena arena;
    struct fault why;
    struct buf text;
    void *items; /* a struct items_world */
};

static void make(struct made *m, const char *entity)
{
    struct buf text;
    *m = (struct made){0};
    buf_init(&text, 65536);
    buf_init(&m->text, (size_t)16 << 20);
    arena_init(&m->arena, 65536);
    buf_addf(&text,
             "{\"renorm\":1,\"source\":{\"key\":[\"PK\"],\"indexing\":[\"PK\",\"GSI*\"]},"
             "\"entities\":{\"A\":{\"table\":\"a\",%s}}}",
             entity);
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\'')
            text.p[i] = '"';
    }
    models_make(&m->of, buf_view(&text));
    m->walk = slots_new(m->of.plan, m->of.plan->shapes[0]);
    assert_non_null(m->walk);
    assert_int_equal(items_world_set_up(&m->items), 0);
    buf_release(&text);
}

static void done(struct made *m)
{
    assert_int_equal(items_world_tear_down(&m->items), 0);
    slots_free(m->walk);
    models_release(&m->of);
    arena_release(&m->arena);
    buf_release(&m->text);
}

static void add_rest(struct buf *out, const struct rest_list *rest)
{
    for (uint32_t i = 0; i < rest->n; i++) {
        buf_addf(out, "%s%.*s", i ? " " : "", STR_FMT(rest->v[i].name));
        if (rest->v[i].below) {
            buf_putc(out, '(');
            add_rest(out, rest->v[i].below);
            buf_putc(out, ')');
        }
    }
}

/* "column=value ... | rest": strings only; "ambiguous" and the like for a fault. */
static const char *walked(struct made *m, struct str text)
{
    struct items_world *w = m->items;
    const struct shape *shape = m->of.plan->shapes[0];
    const struct table *t = &m->of.plan->schema.tables[shape->table];
    struct rest_list rest = {0};
    arena_clear(&m->arena);
    buf_clear(&m->text);
    assert_int_equal(items_world_decode(w, text), RC_OK);
    uint64_t counts[64] = {0};
    assert_true(m->of.plan->schema.nnotes <= 64);
    struct notes notes = {.counts = counts};
    struct frame f = {.shape = shape,
                      .notes = &notes,
                      .schema = &m->of.plan->schema,
                      .arena = &m->arena,
                      .why = &m->why,
                      .slots = arena_array(&m->arena, shape->nslots, sizeof(struct val *))};
    assert_non_null(f.slots);
    enum rc rc = slots_members(m->walk, w->item.members, w->item.n, &f, &rest);
    if (rc)
        return m->why.reason;
    for (uint32_t i = 0; i < shape->fills.n; i++) {
        const struct val *v = cells_source(&shape->fills.v[i].from, &f);
        if (v && v->kind == VAL_S) {
            buf_addf(&m->text, "%.*s=%.*s ", STR_FMT(t->columns[shape->fills.v[i].column].name),
                     STR_FMT(v->u.s));
        }
    }
    buf_putc(&m->text, '|');
    add_rest(&m->text, &rest);
    return buf_cstr(&m->text);
}

static const char *walk(struct made *m, const char *text)
{
    return walked(m, str_of(text));
}

static void test_names_find_columns_the_rest_is_left(void **state)
{
    (void)state;
    struct made m;
    make(&m, "'columns':{'order_id':'text','city':{'type':'text','from':'Address.City'}}");
    for (int again = 0; again < 2; again++) { /* learnt, then known */
        assert_string_equal(walk(&m, "{'PK':{'S':'p'},'Type':{'S':'A'},'orderID':{'S':'7'},"
                                     "'GSI1PK':{'S':'g'},'odd':{'S':'o'},"
                                     "'Address':{'M':{'City':{'S':'Oslo'},'Zip':{'S':'1'}}}}"),
                            "order_id=7 city=Oslo |PK odd Address(Zip)");
    }
    assert_string_equal(walk(&m, "{'Address':{'S':'flat'},'order_id':{'S':'8'}}"),
                        "order_id=8 |Address");
    assert_string_equal(walk(&m, "{'Address':{'M':{}}}"), "|Address");
    assert_string_equal(walk(&m, "{'orderID':{'S':'7'},'order_id':{'S':'8'}}"), "ambiguous");
    done(&m);
}

static void test_flatten_picks_and_drops(void **state)
{
    (void)state;
    struct made m;
    make(&m, "'stages':[{'flatten':{'from':'M','depth':2}},{'drop':['M.gone']}],"
             "'columns':{'m_a':'text','m_b_c':'text'}");
    assert_string_equal(walk(&m, "{'M':{'M':{'a':{'S':'1'},'gone':{'S':'x'},"
                                 "'b':{'M':{'c':{'S':'2'},'d':{'S':'3'}}}}}}"),
                        "m_a=1 m_b_c=2 |M(b(d))");
    done(&m);
    make(&m, "'stages':[{'pick':['x']}],'columns':{'x':'text'}");
    assert_string_equal(walk(&m, "{'x':{'S':'1'},'y':{'S':'2'}}"), "x=1 |");
    done(&m);
}

/* An item of many names of its own under `open`, which end in `close`. */
static struct str crowded(struct buf *b, const char *open, const char *close)
{
    buf_clear(b);
    buf_puts(b, open);
    for (int i = 0; i < MANY; i++)
        buf_addf(b, "%s'n%d':{'S':''}", i ? "," : "", i);
    buf_puts(b, close);
    return buf_view(b);
}

static void test_names_without_end_change_nothing(void **state)
{
    (void)state;
    struct made m;
    struct buf text;
    buf_init(&text, (size_t)16 << 20);
    make(&m, "'stages':[{'flatten':{'from':'M','depth':3}}],"
             "'columns':{'late_one':'text','m_a':'text','m_b_c':'text','m_x_y_z':'text'}");
    (void)walked(&m, crowded(&text, "{", "}"));
    (void)walked(&m, crowded(&text, "{'M':{'M':{", "}}}"));
    (void)walked(&m, crowded(&text, "{'M':{'M':{'b':{'M':{", "}}}}}"));
    for (int again = 0; again < 2; again++) {
        assert_string_equal(
            walk(&m, "{'PK':{'S':'p'},'GSI9':{'S':'g'},'lateOne':{'S':'1'},'odd':{'S':'o'},"
                     "'M':{'M':{'A':{'S':'2'},'B':{'M':{'c':{'S':'3'},'d':{'S':'4'}}},"
                     "'x':{'M':{'y':{'M':{'z':{'S':'5'},'w':{'S':'6'}}}}}}}}"),
            "late_one=1 m_a=2 m_b_c=3 m_x_y_z=5 |PK odd M(B(d) x(y(w)))");
    }
    assert_string_equal(walk(&m, "{'lateOne':{'S':'1'},'late_one':{'S':'2'}}"), "ambiguous");
    done(&m);
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_find_columns_the_rest_is_left),
        cmocka_unit_test(test_flatten_picks_and_drops),
        cmocka_unit_test(test_names_without_end_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
