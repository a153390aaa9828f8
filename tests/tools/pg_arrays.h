/* SPDX-License-Identifier: MIT */
/* Arrays of the values of pg_values.h. */
#ifndef TOOLS_PG_ARRAYS_H
#define TOOLS_PG_ARRAYS_H

#include "tests/tools/pg_values.h"

/* ---- arrays: compared by the binary that comes back ----------------------------------------- */
static void array_of(struct probe *p, int kind)
{
    while (p->n < VALUES) {
        struct sample *s = add(p, "");
        s->text.p = NULL;
        s->d.n = p->n == 1 ? 0 : (uint32_t)(next(p) % 6);
        s->d.u.array = arena_array(&p->a, s->d.n + 1, sizeof(struct datum));
        for (uint32_t i = 0; i < s->d.n; i++) {
            struct buf scratch;
            char text[32];
            buf_init(&scratch, 1 << 16);
            (void)snprintf(text, sizeof text, "%" PRId64, (int64_t)next(p) % 1000000);
            struct datum *e = &s->d.u.array[i];
            e->state = next(p) % 9 ? DATUM_VALUE : DATUM_NULL;
            e->u.text = kind == 0   ? random_text(p, 10)
                        : kind == 1 ? arena_dup(&p->a, str_of(text))
                                    : random_bytes(p, 10, &scratch);
            buf_release(&scratch);
        }
    }
}

static void text_arrays(struct probe *p)
{
    array_of(p, 0);
}

static void number_arrays(struct probe *p)
{
    array_of(p, 1);
}

static void byte_arrays(struct probe *p)
{
    array_of(p, 2);
}

/* As an array shows an element: t and f, and quotes around what holds a blank. */
static void add_element_text(struct buf *b, enum col_type type, const struct sample *s)
{
    bool blank = memchr(s->text.p, ' ', s->text.n) != NULL;
    struct str text = type == COL_BOOLEAN ? str_make(s->text.p, 1) : s->text;
    buf_addf(b, blank ? "\"%.*s\"" : "%.*s", STR_FMT(text));
}

/* Arrays of up to six samples of another type, some NULL. */
static void group(struct probe *p, enum col_type type, void (*make)(struct probe *))
{
    struct probe of = {.seed = p->seed};
    of.v = calloc(MAX_VALUES, sizeof *of.v);
    if (!of.v)
        abort();
    arena_init(&of.a, 1 << 20);
    make(&of);
    for (size_t at = 0; at < of.n; at += 6) {
        struct sample *s = add(p, "");
        struct buf text;
        bool known = true;
        buf_init(&text, 1 << 16);
        s->d.n = (uint32_t)(at == 0 ? 0 : of.n - at < 6 ? of.n - at : 6);
        s->d.u.array = arena_array(&p->a, 6, sizeof(struct datum));
        for (uint32_t i = 0; i < s->d.n; i++) {
            const struct sample *e = &of.v[at + i];
            buf_putc(&text, i ? ',' : '{');
            s->d.u.array[i] = e->d;
            known = known && e->text.p;
            if (next(p) % 9 == 0) {
                s->d.u.array[i] = (struct datum){.state = DATUM_NULL};
                buf_puts(&text, "NULL");
            } else if (known) {
                add_element_text(&text, type, e);
            }
        }
        buf_puts(&text, s->d.n ? "}" : "{}");
        s->text = known ? arena_dup(&p->a, buf_view(&text)) : (struct str){0};
        buf_release(&text);
    }
    arena_release(&of.a);
    free(of.v);
}

static void integer_arrays(struct probe *p)
{
    group(p, COL_INTEGER, small_integers);
}

static void bigint_arrays(struct probe *p)
{
    group(p, COL_BIGINT, big_integers);
}

static void double_arrays(struct probe *p)
{
    group(p, COL_DOUBLE, doubles);
}

static void boolean_arrays(struct probe *p)
{
    while (p->n < 12)
        group(p, COL_BOOLEAN, booleans);
}

static void date_arrays(struct probe *p)
{
    group(p, COL_DATE, dates);
}

static void stamp_arrays(struct probe *p)
{
    group(p, COL_TIMESTAMPTZ, stamps);
}

static void local_stamp_arrays(struct probe *p)
{
    group(p, COL_TIMESTAMP, local_stamps);
}

static void uuid_arrays(struct probe *p)
{
    group(p, COL_UUID, uuids);
}

#endif
