/* SPDX-License-Identifier: MIT */
/* A stage gets its watch with the first attribute it asks the scope for. */
#include "pipeline/plan/watches.h"

/* The scope's place as people call it. */
static struct str place_of(const struct scope *s)
{
    return s->entity ? s->entity->name : s->planner->tables[s->shape->table].comment;
}

static struct watch *new_watch(struct scope *s)
{
    struct planner *p = s->planner;
    struct shape *shape = s->shape;
    struct watch *v =
        plan_append(p, shape->watches, shape->nwatches, &shape->cap_watches, sizeof *v);
    struct schema_stage *stages =
        plan_append(p, p->stages, p->nstages, &p->cap_stages, sizeof *stages);
    if (!v || !stages)
        return NULL;
    shape->watches = v;
    p->stages = stages;
    stages[p->nstages] =
        (struct schema_stage){.place = place_of(s), .name = str_of(s->stage->stage->name)};
    v[shape->nwatches] = (struct watch){.stage = s->stage, .id = p->nstages++};
    return &v[shape->nwatches++];
}

static struct watch *watch_of(struct scope *s)
{
    struct shape *shape = s->shape;
    struct watch *last = shape->nwatches ? &shape->watches[shape->nwatches - 1] : NULL;
    return last && last->stage == s->stage ? last : new_watch(s);
}

static bool knows(const struct watch *w, uint32_t slot)
{
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->slots[i] == slot)
            return true;
    }
    return false;
}

/* Appends the path to the stage's name. */
static void name_path(struct planner *p, struct schema_stage *stage, const struct path *path,
                      bool first)
{
    enum { LONG = 100 };
    struct buf text;
    if (stage->name.n > LONG)
        return;
    buf_init(&text, BUF_NO_LIMIT);
    buf_add_str(&text, stage->name);
    buf_puts(&text, first ? " " : ", ");
    path_print(path, &text);
    struct str name = arena_dup(p->arena, buf_view(&text));
    if (text.rc || !name.p) {
        p->rc = RC_NOMEM;
    } else {
        stage->name = name;
    }
    buf_release(&text);
}

void watches_add(struct scope *s, const struct path *path, uint32_t slot)
{
    struct watch *w = s->stage ? watch_of(s) : NULL;
    if (!w || knows(w, slot))
        return;
    uint32_t *slots = plan_append(s->planner, w->slots, w->n, &w->cap, sizeof *slots);
    if (!slots)
        return;
    name_path(s->planner, &s->planner->stages[w->id], path, w->n == 0);
    w->slots = slots;
    slots[w->n++] = slot;
}
