/* SPDX-License-Identifier: MIT */
/*
 * Costs are computed from the item as read and the targets, without building the item as it will
 * be: an attribute's value after the change is its target's new one, or what it was. An item has
 * an entry in an index when it has all of its keys, each of the index's type.
 */
#include "sinks/dynamodb/recipe/units.h"

#include "pipeline/item/canon.h"

enum { WRITE_UNIT = 1024 };

enum when { BEFORE, AFTER };

/* One index and one change. */
struct look {
    const struct dynamodb_table *table;
    const struct dynamodb_index *index;
    const struct item *item;
    const struct change *change;
};

uint64_t units_for(uint64_t bytes)
{
    return bytes <= WRITE_UNIT ? 1 : (bytes + WRITE_UNIT - 1) / WRITE_UNIT;
}

static const struct setting *target_of(const struct change *c, struct str name)
{
    for (uint32_t i = 0; i < c->ntargets; i++) {
        if (str_eq(c->targets[i].path.members[0], name))
            return &c->targets[i];
    }
    return NULL;
}

static const struct val *value_of(const struct look *l, struct str name, enum when when)
{
    const struct setting *s = target_of(l->change, name);
    if (!s)
        return item_get(l->item, name);
    return when == BEFORE ? s->old : s->new_;
}

static bool fits(const struct dynamodb_key *key, const struct val *v)
{
    if (!v)
        return false;
    switch ((int)v->kind) {
    case VAL_S:
        return (key->type == 'S' || key->type == '?') && v->u.s.n;
    case VAL_B:
        return (key->type == 'B' || key->type == '?') && v->u.s.n;
    case VAL_N:
        return key->type == 'N' || key->type == '?';
    default:
        return false;
    }
}

static bool has_entry(const struct look *l, enum when when)
{
    const struct dynamodb_schema *s = &l->index->schema;
    bool all = true;
    for (size_t i = 0; all && i < s->n; i++)
        all = fits(&s->keys[i], value_of(l, s->keys[i].name, when));
    return all;
}

static bool in_schema(const struct dynamodb_schema *s, struct str name)
{
    for (size_t i = 0; i < s->n; i++) {
        if (str_eq(s->keys[i].name, name))
            return true;
    }
    return false;
}

static bool is_projected(const struct look *l, struct str name)
{
    if (l->index->projection == DDB_PROJECT_ALL || in_schema(&l->index->schema, name) ||
        in_schema(&l->table->schema, name))
        return true;
    bool found = false;
    for (size_t i = 0;
         l->index->projection == DDB_PROJECT_INCLUDE && !found && i < l->index->n_attributes;
         i++)
        found = str_eq(l->index->attributes[i], name);
    return found;
}

static uint64_t entry_size(const struct look *l, enum when when)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < l->item->n; i++) {
        struct str name = l->item->members[i].name;
        if (!target_of(l->change, name) && is_projected(l, name))
            size += item_size(&l->item->members[i], 1);
    }
    for (uint32_t i = 0; i < l->change->ntargets; i++) {
        const struct setting *s = &l->change->targets[i];
        struct str name = s->path.members[0];
        if (is_projected(l, name))
            size += value_attribute_size(name, when == BEFORE ? s->old : s->new_);
    }
    return size;
}

/* Does the key of the index change, does anything in it? */
static void what_changes(const struct look *l, bool *key, bool *any)
{
    *key = *any = false;
    for (uint32_t i = 0; i < l->change->ntargets; i++) {
        const struct setting *s = &l->change->targets[i];
        struct str name = s->path.members[0];
        if (value_same(s->old, s->new_))
            continue;
        *key |= in_schema(&l->index->schema, name);
        *any |= is_projected(l, name);
    }
}

static uint64_t index_units(const struct look *l)
{
    bool key, any;
    what_changes(l, &key, &any);
    if (!any)
        return 0;
    bool before = has_entry(l, BEFORE), after = has_entry(l, AFTER);
    uint64_t old = before ? entry_size(l, BEFORE) : 0;
    uint64_t new_ = after ? entry_size(l, AFTER) : 0;
    if (before && after && key)
        return units_for(old) + units_for(new_);
    if (before || after)
        return units_for(old > new_ ? old : new_);
    return 0;
}

uint64_t units_of_entry(const struct dynamodb_table *t, const struct dynamodb_index *index,
                        const struct item *item, const struct change *c)
{
    struct look l = {t, index, item, c};
    bool key, any;
    what_changes(&l, &key, &any);
    if (!has_entry(&l, AFTER) || !any)
        return 0;
    return key && has_entry(&l, BEFORE) ? units_for(entry_size(&l, AFTER)) : index_units(&l);
}

struct units units_of(const struct dynamodb_table *t, const struct item *item,
                      const struct change *c)
{
    struct units u = {0};
    u.table = units_for(c->size_before > c->size_after ? c->size_before : c->size_after);
    for (size_t i = 0; i < t->n_indexes; i++) {
        struct look l = {t, &t->indexes[i], item, c};
        *(t->indexes[i].global ? &u.indexes : &u.table) += index_units(&l);
    }
    return u;
}
