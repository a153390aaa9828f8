/* SPDX-License-Identifier: MIT */
/*
 * After Sugiyama: layers by the longest way, an order in each layer by the middle of the neighbours
 * and by swaps of two that lower the crossings, then heights that come as near to the neighbours as
 * the order allows. All of it depends on the order of tables alone.
 */
#include "cmd/print/diagram/layout_steps.h"

#include <string.h>

static bool is_loop(const struct layout_edge *e)
{
    return e->from == e->to;
}

/* ---- layers ---- */

/* Counts what each box refers to; joined are those that have a reference, of either end. */
static void count_open(struct layout_steps *s, bool *joined)
{
    for (uint32_t i = 0; i < s->l->nedges; i++) {
        const struct layout_edge *e = &s->l->edges[i];
        if (is_loop(e))
            continue;
        joined[e->from] = joined[e->to] = true;
        s->open[e->from]++;
    }
}

/* The next box: one all of whose targets have a layer; in a cycle the one with fewest open. */
static uint32_t next_box(const struct layout_steps *s, const bool *joined)
{
    uint32_t best = LAYOUT_NONE, least = LAYOUT_NONE;
    for (uint32_t i = 0; i < s->l->nboxes && least > 0; i++) {
        if (!joined[i] || s->layer_of[i] != LAYOUT_NONE)
            continue;
        if (s->open[i] < least) {
            best = i;
            least = s->open[i];
        }
    }
    return best;
}

/* One behind every neighbour that has a layer: no edge stays within a layer. */
static void set_layer(struct layout_steps *s, uint32_t box)
{
    uint32_t layer = 0;
    for (uint32_t i = 0; i < s->l->nedges; i++) {
        const struct layout_edge *e = &s->l->edges[i];
        uint32_t other = e->from == box ? e->to : e->to == box ? e->from : LAYOUT_NONE;
        if (other == LAYOUT_NONE || other == box)
            continue;
        s->open[e->from] -= e->to == box;
        if (s->layer_of[other] == LAYOUT_NONE)
            continue;
        layer = s->layer_of[other] + 1 > layer ? s->layer_of[other] + 1 : layer;
    }
    s->layer_of[box] = layer;
    s->nlayers = layer + 1 > s->nlayers ? layer + 1 : s->nlayers;
}

static bool find_layers(struct layout_steps *s)
{
    uint32_t n = s->l->nboxes;
    s->layer_of = arena_array(s->a, n + 1, sizeof *s->layer_of);
    s->open = arena_array(s->a, n + 1, sizeof *s->open);
    bool *joined = arena_array(s->a, n + 1, sizeof *joined);
    if (!s->layer_of || !s->open || !joined)
        return false;
    for (uint32_t i = 0; i < n; i++)
        s->layer_of[i] = LAYOUT_NONE;
    count_open(s, joined);
    for (uint32_t box; (box = next_box(s, joined)) != LAYOUT_NONE;)
        set_layer(s, box);
    return true;
}

/* ---- nodes and segments ---- */
static uint32_t left_box(const struct layout_steps *s, const struct layout_edge *e)
{
    return s->layer_of[e->to] < s->layer_of[e->from] ? e->to : e->from;
}

static uint32_t add_node(struct layout_steps *s, uint32_t box, uint32_t point, uint32_t layer)
{
    double h = box == LAYOUT_NONE ? 0 : s->l->boxes[box].h;
    s->nodes[s->nnodes] =
        (struct layout_node){.box = box, .point = point, .layer = layer, .h = h};
    return s->nnodes++;
}

static uint32_t count_points(const struct layout_steps *s, const struct layout_edge *e)
{
    if (is_loop(e))
        return 0;
    uint32_t from = s->layer_of[e->from], to = s->layer_of[e->to];
    return (from > to ? from - to : to - from) - 1;
}

/* `node_of`: the node of each box. */
static void add_edge(struct layout_steps *s, uint32_t i, const uint32_t *node_of)
{
    struct layout_edge *e = &s->l->edges[i];
    uint32_t left = left_box(s, e), right = left == e->to ? e->from : e->to;
    uint32_t last = node_of[left];
    for (uint32_t k = 0; k < e->n; k++) {
        uint32_t node = add_node(s, LAYOUT_NONE, e->first + k, s->layer_of[left] + 1 + k);
        s->segments[s->nsegments++] = (struct layout_segment){last, node};
        last = node;
    }
    s->segments[s->nsegments++] = (struct layout_segment){last, node_of[right]};
}

static bool make_nodes(struct layout_steps *s)
{
    struct layout *l = s->l;
    uint32_t npoints = 0;
    for (uint32_t i = 0; i < l->nedges; i++) {
        l->edges[i].first = npoints;
        l->edges[i].n = count_points(s, &l->edges[i]);
        npoints += l->edges[i].n;
    }
    s->nodes = arena_array(s->a, l->nboxes + npoints + 1, sizeof *s->nodes);
    s->segments = arena_array(s->a, l->nedges + npoints + 1, sizeof *s->segments);
    l->points = arena_array(s->a, npoints + 1, sizeof *l->points);
    uint32_t *node_of = arena_array(s->a, l->nboxes + 1, sizeof *node_of);
    if (!s->nodes || !s->segments || !l->points || !node_of)
        return false;
    for (uint32_t i = 0; i < l->nboxes; i++) {
        if (s->layer_of[i] != LAYOUT_NONE)
            node_of[i] = add_node(s, i, LAYOUT_NONE, s->layer_of[i]);
    }
    for (uint32_t i = 0; i < l->nedges; i++) {
        if (!is_loop(&l->edges[i]))
            add_edge(s, i, node_of);
    }
    return true;
}

static bool make_order(struct layout_steps *s)
{
    s->order = arena_array(s->a, s->nnodes + 1, sizeof *s->order);
    s->starts = arena_array(s->a, s->nlayers + 1, sizeof *s->starts);
    if (!s->order || !s->starts)
        return false;
    uint32_t n = 0;
    for (uint32_t layer = 0; layer < s->nlayers; layer++) {
        s->starts[layer] = n;
        for (uint32_t i = 0; i < s->nnodes; i++) {
            if (s->nodes[i].layer != layer)
                continue;
            s->nodes[i].at = n - s->starts[layer];
            s->order[n++] = i;
        }
    }
    s->starts[s->nlayers] = n;
    return true;
}

bool diagram_layout(struct layout *l, struct arena *a)
{
    struct layout_steps s = {.l = l, .a = a};
    l->w = l->h = 0;
    l->crossings = 0;
    return find_layers(&s) && make_nodes(&s) && make_order(&s) && layout_order(&s) &&
           layout_places(&s);
}
