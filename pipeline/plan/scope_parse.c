/* SPDX-License-Identifier: MIT */
/* Texts that are JSON: which slots are parsed as what. */
#include "pipeline/plan/scope.h"

static bool is_attribute(const struct scope *s, uint32_t slot)
{
    for (const struct binding *b = s->bindings; b; b = b->next) {
        if (b->slot == slot)
            return b->node != NULL;
    }
    return true; /* an open slot: attributes that are called like a column */
}

static bool said_otherwise(const struct scope *s, uint32_t slot, const struct parse_rule *rule)
{
    for (const struct pending_parse *p = s->parses; p; p = p->next) {
        if (p->slot == slot && (p->rule.form != rule->form || p->rule.keep != rule->keep))
            return true;
    }
    return false;
}

static void add(struct scope *s, uint32_t slot, const struct parse_rule *rule)
{
    struct pending_parse *p = plan_array(s->planner, 1, sizeof *p);
    if (!p)
        return;
    *p = (struct pending_parse){slot, *rule, s->parses};
    s->parses = p;
}

void scope_parse(struct scope *s, const struct sources *from, const struct path *path,
                 const struct parse_rule *rule, struct place at)
{
    struct parse_rule own = *rule;
    if (path->n && str_starts(path->members[0], STR("^"))) {
        problems_add(s->planner->problems, at,
                     "\"%.*s\" is the parent's, and is parsed there\n"
                     "hint: a stage or column of the parent takes \"parse\" as well",
                     STR_FMT(path->members[0]));
        return;
    }
    if (own.name.n == 0)
        own.name = path_join(s->planner->arena, path);
    if (own.keep) {
        own.note =
            plan_note(s->planner, "lossy: %.*s.%.*s",
                      STR_FMT(s->planner->tables[s->shape->table].name), STR_FMT(own.name));
    }
    for (uint32_t i = 0; i < from->nattributes; i++) {
        if (!is_attribute(s, from->slots[i])) {
            problems_add(s->planner->problems, at,
                         "\"%.*s\" is made by a stage: only attributes of items are parsed",
                         STR_FMT(own.name));
        } else if (said_otherwise(s, from->slots[i], &own)) {
            problems_add(s->planner->problems, at, "\"%.*s\" is parsed in two ways",
                         STR_FMT(own.name));
        } else {
            add(s, from->slots[i], &own);
        }
    }
}

void scope_parse_finish(struct scope *s)
{
    struct shape *shape = s->shape;
    if (!s->parses)
        return;
    shape->parses = plan_array(s->planner, shape->nslots, sizeof(struct parse_rule *));
    for (const struct pending_parse *p = s->parses; shape->parses && p; p = p->next) {
        const struct parse_rule *known = shape->parses[p->slot];
        if (!known || !known->null_if)
            shape->parses[p->slot] = &p->rule;
    }
}
