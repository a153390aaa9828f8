/* SPDX-License-Identifier: MIT */
/* What the inline steps pass on: scalars that must be changed or looked at twice. */
#include "pipeline/item/decode_fast_scalar.h"

#include "pipeline/item/decode_check.h"

const char *decode_fast_odd_scalar(struct decode_fast *q, const char *p, enum val_kind kind,
                                   struct val *out)
{
    struct str text;
    struct decode_check w = {{0}, q->arena, &q->unused};
    const char *stop = decode_fast_text(p, q->end, &text);
    return stop && !decode_check_scalar(&w, kind, text, 0, out) ? stop + 1 : NULL;
}
