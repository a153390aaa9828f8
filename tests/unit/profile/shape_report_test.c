/* SPDX-License-Identifier: MIT */
/* What a profile finds, by itself and beside the one of the last run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/profile/shape_report.h"

static struct column columns[] = {
    {.name = {"id", 2}, .type = COL_TEXT},
    {.name = {"n", 1}, .type = COL_TEXT},
    {.name = {"never", 5}, .type = COL_BIGINT},
    {.name = {"extra", 5}, .type = COL_JSONB, .extra = true},
};
static struct table tables[] = {{.name = {"a", 1}, .columns = columns, .ncolumns = 4}};
static struct str entities[] = {{"A", 1}, {"B", 1}};
static struct schema_stage stages[] = {{{"A", 1}, {"mask m", 6}}, {{"B", 1}, {"drop d", 6}}};
static const struct schema SCHEMA = {.tables = tables,
                                     .ntables = 1,
                                     .entities = entities,
                                     .nentities = 2,
                                     .stages = stages,
                                     .nstages = 2};

struct made {
    struct profile p;
    uint64_t c[64];
    struct err err;
};

static void begin(struct made *m)
{
    memset(m, 0, sizeof *m);
    assert_true(CNT_FIXED + 1 + profile_layout_size(&SCHEMA) <= 64);
    assert_int_equal(profile_init(&m->p, &SCHEMA, &m->err), RC_OK);
}

/* Items of A: `n` of them with a value of the kind, as many with none. */
static void items(struct made *m, unsigned n, enum val_kind kind, unsigned without)
{
    struct datum cells[4] = {{.state = DATUM_VALUE, .kind = VAL_S}};
    struct row row = {.extract = UINT32_MAX, .cells = cells};
    for (unsigned i = 0; i < n + without; i++) {
        cells[1] = (struct datum){.kind = i < n ? (uint8_t)kind : VAL_MISSING};
        profile_layout_count(&m->p.layout, 0, &row, 1, m->c);
    }
    m->c[CNT_ROUTED] += n + without;
}

static void extra(struct made *m, const char *name, enum val_kind kind)
{
    struct member x = {str_of(name), {.kind = kind, .u.s = STR("1")}};
    struct row row = {.extra = &x, .nextra = 1};
    assert_int_equal(extras_count(&m->p.extras, 0, &row, (struct extra_place){0, 0}), RC_OK);
}

/* Is it among the findings? Its text, or NULL. */
static const char *found(const struct made *m, const char *kind, const char *place,
                         const char *name)
{
    for (size_t i = 0; i < m->p.nfindings; i++) {
        const struct finding *f = &m->p.findings[i];
        if (strcmp(profile_finding_name(f->kind), kind) == 0 && str_is(f->place, place) &&
            str_is(f->name, name))
            return f->text.p;
    }
    return NULL;
}

static void test_a_profile_finds_what_is_empty(void **state)
{
    (void)state;
    struct made m;
    begin(&m);
    items(&m, 2, VAL_S, 1);
    extra(&m, "x", VAL_N);
    assert_int_equal(profile_look(&m.p, m.c, STR(""), &m.err), RC_OK);
    assert_true(m.p.known);
    assert_non_null(found(&m, "empty-column", "a", "never"));
    assert_non_null(found(&m, "empty-entity", "B", ""));
    assert_non_null(found(&m, "idle-stage", "A", "mask m"));
    assert_non_null(found(&m, "extra-attribute", "A", "x"));
    assert_int_equal(m.p.nfindings, 4);
    assert_int_equal(profile_filled(&m.p, 0, 1), 2);
    assert_int_equal(profile_rows(&m.p, 0), 3);
    profile_release(&m.p);
}

static void test_a_run_that_was_not_looked_at_whole_says_nothing(void **state)
{
    (void)state;
    struct made m;
    struct buf json;
    begin(&m);
    buf_init(&json, 4096);
    items(&m, 2, VAL_S, 1);
    m.c[CNT_ROUTED]++;
    assert_int_equal(profile_look(&m.p, m.c, STR(""), &m.err), RC_OK);
    assert_false(m.p.known);
    assert_int_equal(m.p.nfindings, 0);
    profile_json(&m.p, &json);
    assert_true(str_is(buf_view(&json), "[]"));
    buf_release(&json);
    profile_release(&m.p);
}

static void test_the_last_run_is_compared(void **state)
{
    (void)state;
    struct made before, now;
    struct buf json;
    buf_init(&json, 65536);
    begin(&before);
    items(&before, 98, VAL_N, 2);
    extra(&before, "old", VAL_N);
    extra(&before, "same", VAL_N);
    assert_int_equal(profile_look(&before.p, before.c, STR(""), &before.err), RC_OK);
    profile_json(&before.p, &json);
    begin(&now);
    items(&now, 60, VAL_S, 40);
    extra(&now, "old", VAL_S);
    extra(&now, "same", VAL_N);
    extra(&now, "new", VAL_N);
    assert_int_equal(profile_look(&now.p, now.c, buf_view(&json), &now.err), RC_OK);
    assert_true(now.p.compared);
    assert_string_equal(found(&now, "type-change", "a", "n"), "N became S");
    assert_string_equal(found(&now, "type-change", "A", "old"), "N became S");
    assert_null(found(&now, "type-change", "A", "same"));
    assert_non_null(found(&now, "new-attribute", "A", "new"));
    assert_null(found(&now, "new-attribute", "A", "old"));
    assert_string_equal(found(&now, "null-jump", "a", "n"),
                        "2.0% of rows had no value, now 40.0%");
    buf_release(&json);
    profile_release(&before.p);
    profile_release(&now.p);
}

static void test_a_run_like_the_last_has_nothing_new(void **state)
{
    (void)state;
    struct made m;
    struct buf json;
    buf_init(&json, 65536);
    begin(&m);
    items(&m, 98, VAL_N, 2);
    extra(&m, "old", VAL_N);
    assert_int_equal(profile_look(&m.p, m.c, STR(""), &m.err), RC_OK);
    profile_json(&m.p, &json);
    size_t n = m.p.nfindings;
    assert_int_equal(profile_look(&m.p, m.c, buf_view(&json), &m.err), RC_OK);
    assert_int_equal(m.p.nfindings, n);
    assert_int_equal(profile_look(&m.p, m.c, STR("[] and rubbish"), &m.err), RC_OK);
    assert_false(m.p.compared);
    buf_release(&json);
    profile_release(&m.p);
}

static void test_findings_are_named(void **state)
{
    (void)state;
    unsigned bits = 0;
    struct err err = {0};
    assert_int_equal(profile_findings_parse("type-change,empty-column", &bits, &err), RC_OK);
    assert_int_equal(bits, 1u << FINDING_TYPE_CHANGE | 1u << FINDING_EMPTY_COLUMN);
    assert_int_equal(profile_findings_parse("type-change,", &bits, &err), RC_OK);
    assert_int_equal(profile_findings_parse("type-changes", &bits, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "new-attribute"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_profile_finds_what_is_empty),
        cmocka_unit_test(test_a_run_that_was_not_looked_at_whole_says_nothing),
        cmocka_unit_test(test_the_last_run_is_compared),
        cmocka_unit_test(test_a_run_like_the_last_has_nothing_new),
        cmocka_unit_test(test_findings_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
