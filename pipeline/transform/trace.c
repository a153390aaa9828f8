/* SPDX-License-Identifier: MIT */
/*
 * Tells what came of a stage that makes rows. Most stages only rearrange names when the model
 * is compiled, so there is no moment at which they run on an item: their work is read off its
 * rows.
 */
#include <inttypes.h>

#include "pipeline/transform/transform.h"

void transform_trace_rows(const struct transform_trace *t, const struct schema *schema,
                          struct str table, bool candidates, struct buf *out)
{
    uint64_t n = 0;
    if (t->fate != ITEM_ROUTED) { /* its rows were taken back */
        buf_addf(out, "into %.*s", STR_FMT(table));
        return;
    }
    for (size_t i = 0; i < t->nrows; i++) {
        bool candidate = t->rows[i].extract != UINT32_MAX;
        n += candidate == candidates && str_eq(schema->tables[t->rows[i].table].name, table);
    }
    buf_addf(out, "%" PRIu64 " %s%s %s %.*s", n, candidates ? "candidate" : "row",
             n == 1 ? "" : "s", candidates ? "for" : "of", STR_FMT(table));
}
