/* SPDX-License-Identifier: MIT */
/* Heights: every node wishes to stand beside its neighbours. With the order given, the wishes are met
   as well as can be by pooling those that are in each other's way (isotonic regression). */
#include "cmd/print/diagram/layout_steps.h"

#define GAP_LAYERS 110.0
#define GAP_BOXES  28.0
#define GAP_LINES  14.0
#define ROW_WIDTH  900.0

enum { SWEEPS = 8 };

/* Nodes that stand next to each other without a gap that could be closed. */
struct block {
    double sum;
    uint32_t n;
};

static double gap(const struct layout_node *above, const struct layout_node *below)
{
    return above->box == LAYOUT_NONE || below->box == LAYOUT_NONE ? GAP_LINES : GAP_BOXES;
}

static double middle(const struct layout_node *n)
{
    return n->y + n->h / 2;
}

/* The middle of all neighbours, as the top of this node. */
static void wish_places(struct layout_steps *s)
{
    for (uint32_t i = 0; i < s->nnodes; i++) {
        double sum = 0;
        uint32_t n = 0;
        for (uint32_t k = 0; k < s->nsegments; k++) {
            const struct layout_segment *g = &s->segments[k];
            if (g->left != i && g->right != i)
                continue;
            sum += middle(&s->nodes[g->left == i ? g->right : g->left]);
            n++;
        }
        s->nodes[i].wish = (n ? sum / n : middle(&s->nodes[i])) - s->nodes[i].h / 2;
    }
}

static double mean(const struct block *b)
{
    return b->sum / b->n;
}

/* Puts the nodes of a layer as near to their wishes as their order and the gaps allow. */
static void place_layer(struct layout_steps *s, uint32_t layer, struct block *blocks)
{
    const uint32_t *v = s->order + s->starts[layer];
    uint32_t n = s->starts[layer + 1] - s->starts[layer], nblocks = 0;
    double down = 0; /* where a node would stand if all stood tight */
    for (uint32_t i = 0; i < n; i++) {
        blocks[nblocks++] = (struct block){s->nodes[v[i]].wish - down, 1};
        while (nblocks > 1 && mean(&blocks[nblocks - 2]) >= mean(&blocks[nblocks - 1])) {
            blocks[nblocks - 2].sum += blocks[nblocks - 1].sum;
            blocks[nblocks - 2].n += blocks[nblocks - 1].n;
            nblocks--;
        }
        if (i + 1 < n)
            down += s->nodes[v[i]].h + gap(&s->nodes[v[i]], &s->nodes[v[i + 1]]);
    }
    down = 0;
    for (uint32_t b = 0, i = 0; b < nblocks; b++) {
        for (uint32_t k = 0; k < blocks[b].n; k++, i++) {
            s->nodes[v[i]].y = mean(&blocks[b]) + down;
            if (i + 1 < n)
                down += s->nodes[v[i]].h + gap(&s->nodes[v[i]], &s->nodes[v[i + 1]]);
        }
    }
}

static bool find_heights(struct layout_steps *s)
{
    struct block *blocks = arena_array(s->a, s->nnodes + 1, sizeof *blocks);
    if (!blocks)
        return false;
    for (uint32_t i = 0; i < SWEEPS && s->nsegments <= LAYOUT_MANY; i++) {
        for (uint32_t layer = 0; layer < s->nlayers; layer++)
            place_layer(s, layer, blocks);
        wish_places(s);
    }
    for (uint32_t layer = 0; layer < s->nlayers; layer++)
        place_layer(s, layer, blocks);
    double top = 0;
    for (uint32_t i = 0; i < s->nnodes; i++)
        top = i == 0 || s->nodes[i].y < top ? s->nodes[i].y : top;
    for (uint32_t i = 0; i < s->nnodes; i++)
        s->nodes[i].y -= top;
    return true;
}

static double layer_width(const struct layout_steps *s, uint32_t layer)
{
    double w = 0;
    for (uint32_t k = s->starts[layer]; k < s->starts[layer + 1]; k++) {
        const struct layout_node *n = &s->nodes[s->order[k]];
        if (n->box != LAYOUT_NONE && s->l->boxes[n->box].w > w)
            w = s->l->boxes[n->box].w;
    }
    return w;
}

static void grow(struct layout *l, double right, double bottom)
{
    l->w = right > l->w ? right : l->w;
    l->h = bottom > l->h ? bottom : l->h;
}

/* An edge's nodes were made from left to right, as its points are. */
static void set_places(struct layout_steps *s)
{
    struct layout *l = s->l;
    double x = 0;
    for (uint32_t layer = 0; layer < s->nlayers; layer++) {
        double w = layer_width(s, layer);
        for (uint32_t k = s->starts[layer]; k < s->starts[layer + 1]; k++) {
            const struct layout_node *n = &s->nodes[s->order[k]];
            grow(l, x + w, n->y + n->h);
            if (n->box != LAYOUT_NONE) {
                l->boxes[n->box].x = x;
                l->boxes[n->box].y = n->y;
                l->boxes[n->box].layer_end = x + w;
            } else {
                l->points[n->point] = (struct layout_point){x, w, n->y};
            }
        }
        x += w + GAP_LAYERS;
    }
}

/* Boxes without references, in rows. */
static void place_rest(struct layout_steps *s)
{
    struct layout *l = s->l;
    double most = l->w > ROW_WIDTH ? l->w : ROW_WIDTH;
    double x = 0, y = l->h > 0 ? l->h + GAP_BOXES : 0, row = 0;
    for (uint32_t i = 0; i < l->nboxes; i++) {
        struct layout_box *b = &l->boxes[i];
        if (s->layer_of[i] != LAYOUT_NONE)
            continue;
        if (x > 0 && x + b->w > most) {
            x = 0;
            y += row + GAP_BOXES;
            row = 0;
        }
        b->x = x;
        b->y = y;
        x += b->w + GAP_BOXES;
        row = b->h > row ? b->h : row;
        grow(l, b->x + b->w, b->y + b->h);
    }
}

bool layout_places(struct layout_steps *s)
{
    if (!find_heights(s))
        return false;
    set_places(s);
    place_rest(s);
    return true;
}
