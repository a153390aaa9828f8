/* SPDX-License-Identifier: MIT */
/* Sweeps from left to right and back put each node at the middle of its neighbours; the order with
   the fewest crossings stays, and is made better by swaps. */
#include "cmd/print/diagram/layout_steps.h"

#include <string.h>

enum { SWEEPS = 12 };

static bool cross(const struct layout_steps *s, const struct layout_segment *a,
                  const struct layout_segment *b)
{
    const struct layout_node *n = s->nodes;
    if (n[a->left].layer != n[b->left].layer)
        return false;
    int64_t left = (int64_t)n[a->left].at - n[b->left].at;
    int64_t right = (int64_t)n[a->right].at - n[b->right].at;
    return left * right < 0;
}

/* All crossings, or those of the segments of one layer's nodes. */
static uint32_t count_crossings(const struct layout_steps *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nsegments; i++) {
        for (uint32_t k = 0; k < i; k++)
            n += cross(s, &s->segments[i], &s->segments[k]);
    }
    return n;
}

/* The middle of the neighbours on one side; its own place if it has none. */
static void wish_order(struct layout_steps *s, uint32_t node, bool to_left)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nsegments; i++) {
        const struct layout_segment *g = &s->segments[i];
        if ((to_left ? g->right : g->left) != node)
            continue;
        sum += s->nodes[to_left ? g->left : g->right].at;
        n++;
    }
    s->nodes[node].wish = n ? sum / n : s->nodes[node].at;
}

/* Sorts a layer by its wishes; equal ones stay as they are. */
static void sort_layer(struct layout_steps *s, uint32_t layer)
{
    uint32_t *v = s->order + s->starts[layer], n = s->starts[layer + 1] - s->starts[layer];
    for (uint32_t i = 1; i < n; i++) {
        uint32_t node = v[i], k = i;
        for (; k > 0 && s->nodes[v[k - 1]].wish > s->nodes[node].wish; k--)
            v[k] = v[k - 1];
        v[k] = node;
    }
    for (uint32_t i = 0; i < n; i++)
        s->nodes[v[i]].at = i;
}

static void sweep(struct layout_steps *s, bool to_left)
{
    for (uint32_t i = 0; i < s->nlayers; i++) {
        uint32_t layer = to_left ? i : s->nlayers - 1 - i;
        for (uint32_t k = s->starts[layer]; k < s->starts[layer + 1]; k++)
            wish_order(s, s->order[k], to_left);
        sort_layer(s, layer);
    }
}

static void swap(struct layout_steps *s, uint32_t k)
{
    uint32_t *v = s->order, a = v[k];
    v[k] = v[k + 1];
    v[k + 1] = a;
    s->nodes[v[k]].at--;
    s->nodes[v[k + 1]].at++;
}

/* Swaps neighbours as long as that helps. */
static void swap_neighbours(struct layout_steps *s)
{
    uint32_t best = count_crossings(s);
    for (bool better = true; better && best > 0;) {
        better = false;
        for (uint32_t layer = 0; layer < s->nlayers; layer++) {
            for (uint32_t k = s->starts[layer]; k + 1 < s->starts[layer + 1]; k++) {
                swap(s, k);
                uint32_t now = count_crossings(s);
                if (now >= best)
                    swap(s, k);
                better = better || now < best;
                best = now < best ? now : best;
            }
        }
    }
}

static void restore(struct layout_steps *s, const uint32_t *order)
{
    memcpy(s->order, order, s->nnodes * sizeof *order);
    for (uint32_t layer = 0; layer < s->nlayers; layer++) {
        for (uint32_t k = s->starts[layer]; k < s->starts[layer + 1]; k++)
            s->nodes[s->order[k]].at = k - s->starts[layer];
    }
}

bool layout_order(struct layout_steps *s)
{
    uint32_t *best = arena_array(s->a, s->nnodes + 1, sizeof *best);
    if (!best)
        return false;
    if (s->nsegments > LAYOUT_MANY)
        return true;
    uint32_t least = LAYOUT_NONE;
    for (uint32_t i = 0; i < SWEEPS && least > 0; i++) {
        sweep(s, i % 2 == 0);
        uint32_t now = count_crossings(s);
        if (now < least) {
            least = now;
            memcpy(best, s->order, s->nnodes * sizeof *best);
        }
    }
    restore(s, best);
    if (s->nsegments <= LAYOUT_MANY / 10)
        swap_neighbours(s);
    s->l->crossings = count_crossings(s);
    return true;
}
