/* SPDX-License-Identifier: MIT */
/* A kind of advice is a row: whether it is for an entity, the line, and what is said in brief. */
#ifndef CMD_PRINT_ADVICE_KINDS_H
#define CMD_PRINT_ADVICE_KINDS_H

#include "cmd/print/advice_lines.h"

struct advice_subject {
    const struct plan *plan;
    uint32_t entity;
    const struct index_entity *seen; /* NULL: advice that needs no items */
    const struct key_doubts *doubts; /* NULL, too */
    const struct advice_style *how;
};

struct advice_kind {
    const char *label;
    bool (*applies)(const struct advice_subject *s);
    void (*line)(const struct advice_subject *s, struct buf *out);
    const char *brief; /* behind "3 entities" */
};

/* The last of each has no label. Of models; of items; what a backfill could do. */
extern const struct advice_kind advice_kinds_model[], advice_kinds_items[],
    advice_kinds_backfill[];

#endif
