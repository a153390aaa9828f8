/* SPDX-License-Identifier: MIT */
#include "tests/harness/casts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/item/cast/column_type.h"

enum rc casts_try(struct items_world *w, const char *text, struct cast cast)
{
    struct val v = items_value(w->t, text);
    w->why = (struct fault){0};
    w->used = 99;
    return cast_value(&cast, &v, &w->t->arena, &w->cell, &w->used, &w->why);
}

void casts_expect(struct items_world *w, const char *text, struct cast cast, const char *json)
{
    if (casts_try(w, text, cast))
        fail_msg("%s to %s: %s", text, column_type_name(cast.type), w->why.detail);
    assert_int_equal(w->used, cast.lossy);
    buf_clear(&w->t->buf);
    datum_json(&w->t->buf, cast.type, &w->cell);
    struct str want = items_text(w->t, str_of(json));
    if (!str_eq(buf_view(&w->t->buf), want)) {
        fail_msg("%s to %s: %s, not %s", text, column_type_name(cast.type),
                 buf_cstr(&w->t->buf), json);
    }
}

void casts_expect_refused(struct items_world *w, const char *text, struct cast cast)
{
    if (casts_try(w, text, cast) != RC_DATA)
        fail_msg("%s to %s was taken", text, column_type_name(cast.type));
    assert_string_equal(w->why.reason, "cast");
    assert_true(w->why.detail[0]);
}
