/* SPDX-License-Identifier: MIT */
/* Splits attributes by key templates, as the entity's own keys are split before all stages. */
#include "pipeline/plan/key_parts.h"
#include "pipeline/stage/stage.h"

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct keys_spec *keys = stage->spec;
    for (uint32_t i = 0; i < keys->n; i++)
        key_parts_plan(s, &keys->v[i]);
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct keys_spec *keys = spec;
    for (uint32_t i = 0; i < keys->n; i++) {
        buf_puts(x->out, i ? "; " : ": ");
        key_parts_explain(&keys->v[i], &x->trace->item, x->out);
    }
}

const struct stage stage_keys = {.name = "keys",
                                 .spec_size = sizeof(struct keys_spec),
                                 .read = read_keys,
                                 .plan = plan,
                                 .explain = explain};
