/* SPDX-License-Identifier: MIT */
/* Asks every kind of advice about every entity. */
#include "cmd/print/advice_lines.h"

#include <inttypes.h>

#include "cmd/print/advice_kinds.h"
#include "cmd/print/plain.h"

/* Whom the kinds are asked about. */
struct round {
    const struct plan *plan;
    const struct index_attributes *seen; /* NULL: no items */
    const struct key_doubts *doubts;     /* likewise */
    const struct advice_style *how;
};

static struct advice_subject subject_of(const struct round *r, uint32_t entity)
{
    return (struct advice_subject){.plan = r->plan,
                                   .entity = entity,
                                   .seen =
                                       r->seen ? index_attributes_of(r->seen, entity) : NULL,
                                   .doubts = r->doubts,
                                   .how = r->how};
}

/* Of an entity that is left out nothing is told. */
static bool applies(const struct round *r, const struct advice_kind *kind, uint32_t entity)
{
    struct advice_subject s = subject_of(r, entity);
    return r->plan->shapes[entity] && kind->applies(&s);
}

static void tell_whole(const struct round *r, const struct advice_kind *kind, uint32_t entity,
                       struct buf *out)
{
    struct advice_subject s = subject_of(r, entity);
    if (!applies(r, kind, entity))
        return;
    buf_addf(out, "%s: ", kind->label);
    plain_add(out, r->plan->model->entities[entity].name, 200);
    buf_puts(out, ": ");
    kind->line(&s, out);
    buf_putc(out, '\n');
}

static void tell_brief(const struct round *r, const struct advice_kind *kind, struct buf *out)
{
    enum { NAMED = 3 };
    const struct model *m = r->plan->model;
    struct buf names;
    uint32_t n = 0;
    buf_init(&names, BUF_NO_LIMIT);
    for (uint32_t i = 0; i < m->nentities; i++) {
        if (!applies(r, kind, i))
            continue;
        if (n < NAMED) {
            buf_puts(&names, n ? ", " : "");
            plain_add(&names, m->entities[i].name, 200);
        }
        n++;
    }
    if (n) {
        buf_addf(out, "%s: %" PRIu32 " %s %s %s: %s%s\n", kind->label, n,
                 n > 1 ? "entities" : "entity", n > 1 ? "have" : "has", kind->brief,
                 buf_cstr(&names), n > NAMED ? " .." : "");
    }
    buf_release(&names);
}

static void tell(const struct round *r, const struct advice_kind *kinds, struct buf *out)
{
    for (size_t k = 0; r->how->brief && kinds[k].label; k++)
        tell_brief(r, &kinds[k], out);
    for (uint32_t i = 0; !r->how->brief && i < r->plan->model->nentities; i++) {
        for (size_t k = 0; kinds[k].label; k++)
            tell_whole(r, &kinds[k], i, out);
    }
}

void advice_lines_model(const struct plan *plan, const struct advice_style *how,
                        struct buf *out)
{
    struct round r = {.plan = plan, .how = how};
    if (plan->key.n == 0) {
        buf_puts(out, "advice: name the table's key, as in \"source\": {\"key\": [\"PK\", "
                      "\"SK\"]}: what it says is then kept where no column says it, even if "
                      "\"indexing\" names it\n");
    }
    tell(&r, advice_kinds_model, out);
}

void advice_lines_items(const struct plan *plan, const struct index_attributes *seen,
                        const struct key_doubts *doubts, const struct advice_style *how,
                        struct buf *out)
{
    struct round r = {plan, seen, doubts, how};
    tell(&r, advice_kinds_items, out);
    size_t before = out->len;
    struct buf hints;
    buf_init(&hints, BUF_NO_LIMIT);
    tell(&r, advice_kinds_backfill, &hints);
    if (hints.len && before)
        buf_putc(out, '\n');
    buf_add_str(out, buf_view(&hints));
    buf_release(&hints);
}
