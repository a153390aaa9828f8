/* SPDX-License-Identifier: MIT */
/* What the inline steps pass on: scalars that must be changed or looked at twice. */
#include "pipeline/item/quick_scalar.h"

#include "pipeline/item/vet.h"

const char *quick_odd_scalar(struct quick *q, const char *p, enum val_kind kind,
                             struct val *out)
{
    struct str text;
    struct vet w = {{0}, q->arena, &q->unused};
    const char *stop = quick_text(p, q->end, &text);
    return stop && vet_scalar(&w, kind, text, 0, out) == RC_OK ? stop + 1 : NULL;
}
