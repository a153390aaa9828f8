/* SPDX-License-Identifier: MIT */
/* Splits attributes by key templates, as the entity's own keys are split before all stages. */
#include "pipeline/plan/key_parts.h"
#include "pipeline/stage/stage.h"

static void plan(struct scope *s, const struct stage_spec *stage)
{
    key_parts_plan(s, stage->spec);
}

static void explain(const void *spec, const struct stage_explain *x)
{
    struct buf keys;
    buf_init(&keys, BUF_NO_LIMIT);
    key_parts_explain(spec, &x->trace->item, "; ", "", &keys);
    if (keys.len) {
        buf_puts(x->out, ": ");
        buf_add(x->out, keys.p + 2, keys.len - 2);
    }
    buf_release(&keys);
}

const struct stage stage_keys = {.name = "keys",
                                 .spec_size = sizeof(struct keys_spec),
                                 .read = read_keys,
                                 .plan = plan,
                                 .explain = explain};
