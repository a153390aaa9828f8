/* SPDX-License-Identifier: MIT */
/*
 * Places for the boxes of tables, in layers: what is referred to stands left of what refers to it.
 * A reference over several layers goes through a place of its own in each layer between, so that no
 * line runs through a box. Tables without references stand in rows below all others.
 */
#ifndef CMD_PRINT_DIAGRAM_DIAGRAM_LAYOUT_H
#define CMD_PRINT_DIAGRAM_DIAGRAM_LAYOUT_H

#include "cmd/print/diagram/diagram.h"

struct layout_box {
    double w, h;      /* given */
    double x, y;      /* found */
    double layer_end; /* found: where its layer ends, on the right */
};

/* A reference from box `from`, by index, to box `to`; or itself. */
struct layout_edge {
    uint32_t from, to; /* given */
    uint32_t
        first; /* found: its points between the boxes, from left to right, in layout.points */
    uint32_t n;
};

/* Where an edge crosses a layer: from x to x + w, at y. */
struct layout_point {
    double x, w, y;
};

struct layout {
    struct layout_box *boxes;
    uint32_t nboxes;
    struct layout_edge *edges;
    uint32_t nedges;
    struct layout_point *points;
    double w, h; /* of all */
    uint32_t crossings;
};

/* Finds places. Boxes and edges are the caller's; `a` owns the rest. False: out of memory. */
bool diagram_layout(struct layout *l, struct arena *a);

#endif
