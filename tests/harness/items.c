/* SPDX-License-Identifier: MIT */
/* An arena hides all but the bytes asked for from AddressSanitizer: texts end where they end. */
#include "tests/harness/items.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int items_set_up(void **state)
{
    struct items *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->decoder = decoder_new();
    assert_non_null(t->decoder);
    arena_init(&t->arena, 0);
    arena_init(&t->texts, 0);
    buf_init(&t->buf, BUF_NO_LIMIT);
    buf_init(&t->text, BUF_NO_LIMIT);
    t->random = 1;
    *state = t;
    return 0;
}

int items_tear_down(void **state)
{
    struct items *t = *state;
    decoder_free(t->decoder);
    arena_release(&t->arena);
    arena_release(&t->texts);
    buf_release(&t->buf);
    buf_release(&t->text);
    free(t);
    return 0;
}

struct str items_text(struct items *t, struct str text)
{
    char *p = arena_alloc(&t->texts, text.n);
    assert_non_null(p);
    for (size_t i = 0; i < text.n; i++)
        p[i] = (char)(text.p[i] == '\'' ? '"' : text.p[i]);
    return str_make(p, text.n);
}

struct val items_decode_value(struct decoder *d, struct str raw, struct arena *a)
{
    struct buf text;
    struct item item;
    struct fault why;
    buf_init(&text, BUF_NO_LIMIT);
    buf_addf(&text, "{\"v\":%.*s}", STR_FMT(raw));
    struct str whole = arena_dup(a, buf_view(&text));
    buf_release(&text);
    assert_non_null(whole.p);
    if (item_decode(d, whole, a, &item, &why))
        fail_msg("%.*s: %s", STR_FMT(raw), why.detail);
    assert_int_equal(item.n, 1);
    return item.members[0].val;
}

struct val items_value(struct items *t, const char *text)
{
    return items_decode_value(t->decoder, items_text(t, str_of(text)), &t->arena);
}

struct item items_item(struct items *t, const char *text)
{
    struct item item;
    struct str raw = items_text(t, str_of(text));
    if (item_decode(t->decoder, raw, &t->arena, &item, &t->why))
        fail_msg("%s: %s", text, t->why.detail);
    return item;
}

int items_world_set_up(void **state)
{
    void *items;
    struct items_world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    items_set_up(&items);
    w->t = items;
    *state = w;
    return 0;
}

int items_world_tear_down(void **state)
{
    struct items_world *w = *state;
    void *items = w->t;
    items_tear_down(&items);
    free(w);
    return 0;
}

enum rc items_world_decode(struct items_world *w, struct str text)
{
    arena_clear(&w->t->arena);
    arena_clear(&w->t->texts);
    w->why = (struct fault){0};
    w->raw = items_text(w->t, text);
    return item_decode(w->t->decoder, w->raw, &w->t->arena, &w->item, &w->why);
}
