/* SPDX-License-Identifier: MIT */
/*
 * A first line as template, the rest as text: a key template that matches must print back byte
 * for byte from its parts.
 */
#include <stdlib.h>

#include "pipeline/model/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PARTS = 64 };

struct found {
    const struct template *t;
    struct val values[PARTS];
};

static const struct val *value_of(void *ctx, uint32_t piece)
{
    const struct found *f = ctx;
    uint32_t part = 0;
    for (uint32_t i = 0; i < piece; i++)
        part += !f->t->pieces[i].literal;
    return &f->values[part];
}

static void check(const struct template *t, struct str text)
{
    struct str parts[PARTS];
    struct found f = {.t = t};
    struct buf out;
    struct fault why = {0};
    if (t->nparts > PARTS || !template_match(t, text, parts))
        return;
    for (uint32_t i = 0; i < t->nparts; i++)
        f.values[i] = (struct val){.kind = parts[i].p ? VAL_S : VAL_MISSING, .u.s = parts[i]};
    buf_init(&out, BUF_NO_LIMIT);
    if (template_print(t, value_of, &f, &out, &why) || !str_eq(buf_view(&out), text))
        abort();
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str all = {(const char *)data, size};
    size_t cut = str_find(all, STR("\n"), 0);
    struct str text = cut < all.n ? str_from(all, cut + 1) : STR("");
    struct arena a;
    struct template t;
    struct err err = {0};
    size_t at = 0;
    arena_init(&a, 0);
    if (template_parse(str_make(all.p, cut), &a, &t, &at, &err)) {
        if (at > cut)
            abort();
    } else if (!template_check_key(&t, &at, &err)) {
        check(&t, text);
    } else if (at > cut) {
        abort();
    }
    arena_release(&a);
    return 0;
}
