/* SPDX-License-Identifier: MIT */
/* Sets an attribute that is missing to a literal. NULL is a value: it stays. */
#include "pipeline/stage/stage.h"

struct default_value {
    struct sources to;
    const struct val *value;
    uint32_t open; /* where an attribute that matches by name only would be */
};

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct default_value *d = op->data;
    bool there = d->open != SLOT_NONE && f->slots[d->open];
    if (there || sources_get(&d->to, f))
        return RC_OK;
    struct val *copy = ARENA_NEW(f->arena, struct val); /* a later stage may change it */
    if (!copy)
        return RC_NOMEM;
    *copy = *d->value;
    f->slots[d->to.slots[0]] = copy;
    return RC_OK;
}

void stage_default_plan(struct scope *s, const struct stage_spec *spec)
{
    for (uint32_t i = 0; i < spec->u.pairs.n; i++) {
        const struct pair_spec *pair = &spec->u.pairs.v[i];
        struct default_value *d = plan_array(s->planner, 1, sizeof *d);
        struct sources to = scope_find(s, &pair->path, pair->place);
        if (!d || to.n == 0)
            return;
        *d = (struct default_value){to, &pair->value, SLOT_NONE};
        if (pair->path.n == 1)
            d->open = scope_open(s, pair->path.members[0]);
        scope_add_op(s, &(struct op){"default", apply, d, NOTE_NONE, s->stage});
    }
}
