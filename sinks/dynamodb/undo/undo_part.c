/* SPDX-License-Identifier: MIT */
/*
 * Others may have written over some of what a backfill wrote to an item. What still has the value
 * that was written is put back by itself; the rest is theirs, and the item is listed.
 */
#include "pipeline/item/canon.h"
#include "sinks/dynamodb/recipe/change.h"
#include "sinks/dynamodb/undo/undo.h"

static bool has(const struct item *item, const struct setting *t, const struct val *v)
{
    return value_same(item_get(item, t->path.members[0]), v);
}

/* Names of what is left to others, as long as there is room. */
static void note_left(struct undo_job *j, const struct setting *t)
{
    struct fault *f = &j->part;
    if (!f->reason) {
        (void)fault_set(f, "changed-in-part", 0,
                        "put back but for what is no longer as it was written: \"%.*s\"",
                        STR_FMT(t->path.members[0]));
        return;
    }
    struct fault before = *f;
    (void)fault_set(f, before.reason, 0, "%s, \"%.*s\"", before.detail,
                    STR_FMT(t->path.members[0]));
}

/* Keeps the targets that `keep` says; the order stays. */
static void narrow(struct undo_job *j, bool (*keep)(const void *ctx, const struct setting *t),
                   const void *ctx)
{
    struct change *c = &j->job.change;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->ntargets; i++) {
        if (keep(ctx, &c->targets[i])) {
            c->targets[n++] = c->targets[i];
        } else {
            note_left(j, &c->targets[i]);
        }
    }
    c->ntargets = n;
}

static bool is_ours(const void *ctx, const struct setting *t)
{
    return has(ctx, t, t->old);
}

enum fate undo_part_again(struct undo_job *j, const struct item *item)
{
    const struct change *c = &j->job.change;
    uint32_t ours = 0;
    for (uint32_t i = 0; i < c->ntargets; i++)
        ours += has(item, &c->targets[i], c->targets[i].old);
    if (recipe_change_stands(c, item, false))
        return FATE_ALREADY;
    if (ours == 0 && j->job.applied)
        return FATE_ALREADY; /* it was put back, and changed after that */
    if (ours == 0) {
        (void)fault_set(&j->job.why, "changed", 0,
                        "the value is no longer the one that was written");
        return FATE_CONFLICTED;
    }
    if (ours < c->ntargets)
        narrow(j, is_ours, item);
    return FATE_CHANGED;
}

static bool is_of(const void *ctx, const struct setting *t)
{
    const struct change *part = ctx;
    bool found = false;
    for (uint32_t i = 0; i < part->ntargets && !found; i++)
        found = str_eq(part->targets[i].path.members[0], t->path.members[0]);
    return found;
}

static uint32_t find_like(struct undo *u, const struct undo_job *j,
                          bool (*like)(const struct change *, const struct change *))
{
    uint32_t i = u->mine.count ? map_get(&u->mine, j->key) : MAP_NONE;
    while (i != MAP_NONE && (u->met[i] || !like(&u->resumed.intents[i].change, &j->job.change)))
        i = u->next_mine[i];
    if (i == MAP_NONE)
        return UNDO_NOT_EARLIER;
    u->met[i] = true;
    return i;
}

void undo_part_find(struct undo *u, struct undo_job *j)
{
    j->whole = UNDO_NOT_EARLIER;
    j->earlier = find_like(u, j, change_same);
    if (j->earlier != UNDO_NOT_EARLIER && !u->resumed.intents[j->earlier].open)
        return;
    uint32_t part = find_like(u, j, change_part);
    if (part == UNDO_NOT_EARLIER)
        return;
    j->whole = j->earlier;
    j->earlier = part;
    narrow(j, is_of, &u->resumed.intents[part].change);
}

bool undo_part_settle(struct undo *u, const struct undo_job *j, enum outcome what)
{
    const struct intent *all = u->resumed.intents;
    bool ok = true;
    if (j->whole != UNDO_NOT_EARLIER) {
        const struct intent *it = &all[j->whole];
        ok = journal_settled(u->side.journal, it->generation, it->worker, it->id, OUTCOME_VOID);
    }
    if (ok && j->earlier != UNDO_NOT_EARLIER) {
        const struct intent *it = &all[j->earlier];
        ok = journal_settled(u->side.journal, it->generation, it->worker, it->id, what);
    }
    return ok;
}

enum fate undo_part_end(struct undo_job *j, enum fate fate)
{
    if (!j->part.reason || (fate != FATE_CHANGED && fate != FATE_ALREADY))
        return fate;
    j->job.why = j->part;
    return FATE_CONFLICTED;
}
