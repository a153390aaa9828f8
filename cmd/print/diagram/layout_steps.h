/* SPDX-License-Identifier: MIT */
/* What the steps of a layout share. */
#ifndef CMD_PRINT_DIAGRAM_LAYOUT_STEPS_H
#define CMD_PRINT_DIAGRAM_LAYOUT_STEPS_H

#include "cmd/print/diagram/diagram_layout.h"

enum { LAYOUT_NONE = UINT32_MAX };

/* With more pieces of edges than that nothing is made better: nobody could read it. */
enum { LAYOUT_MANY = 3000 };

/* A box, or the place of an edge in a layer that it crosses. */
struct layout_node {
    uint32_t box;       /* LAYOUT_NONE: it is the place of an edge */
    uint32_t point;     /* which of layout.points that is */
    uint32_t layer, at; /* its place in the layer */
    double h, y, wish;
};

/* A piece of an edge, from one layer to the next. */
struct layout_segment {
    uint32_t left, right;
};

struct layout_steps {
    struct layout *l;
    struct arena *a;
    uint32_t *layer_of; /* by box; LAYOUT_NONE: no reference */
    uint32_t *open;     /* by box: how many that it refers to have no layer yet */
    struct layout_node *nodes;
    uint32_t nnodes;
    uint32_t *order;  /* nodes, layer by layer */
    uint32_t *starts; /* where each layer begins in it */
    uint32_t nlayers;
    struct layout_segment *segments;
    uint32_t nsegments;
};

/* The order of the nodes in each layer. False: out of memory. */
bool layout_order(struct layout_steps *s);

/* The places of all that is ordered, then of boxes without references. False: out of memory. */
bool layout_places(struct layout_steps *s);

#endif
