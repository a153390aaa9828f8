/* SPDX-License-Identifier: MIT */
/* The table of stages: one word for each. */
#include "pipeline/stage/stage.h"

#define STAGES(row)                                                                            \
    row(keys) row(strip) row(pick) row(drop) row(rename) row(default) row(flatten)             \
        row(explode) row(extract) row(link) row(derive) row(filter) row(mask) row(document)

#define DECLARE(name) extern const struct stage stage_##name;
#define ADDRESS(name) &stage_##name,

STAGES(DECLARE)

const struct stage *const stage_table[] = {STAGES(ADDRESS) NULL};

void stage_explain_paths(const void *spec, const struct stage_explain *x)
{
    buf_puts(x->out, ": ");
    path_print_all(spec, x->out);
}
