/* SPDX-License-Identifier: MIT */
/* What no item could cure: found when the backfill is compiled, told as a problem of the model. */
#include "sinks/dynamodb/recipe/recipe_private.h"
#include "sinks/dynamodb/writer/update.h"

/* https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
enum { EXPRESSION_BYTES = 4096, EXPRESSION_OPERATORS = 300 };

void recipe_check_number(const struct backfill_spec *spec, struct problems *problems)
{
    for (uint32_t i = 0; i < spec->tpl.n; i++) {
        const struct template_piece *piece = &spec->tpl.pieces[i];
        for (size_t k = 0; piece->literal && k < piece->text.n; k++) {
            char c = piece->text.p[k];
            if (c && strchr("0123456789+-.eE", c))
                continue;
            problems_add(problems, spec->place,
                         "\"%.*s\" is to be a number, \"%.*s\" can print none",
                         STR_FMT(spec->attribute), STR_FMT(spec->tpl.text));
            return;
        }
    }
}

void recipe_check_type(const struct plan *plan, uint32_t entity,
                       const struct backfill_spec *spec, struct problems *problems)
{
    const struct entity *e = &plan->model->entities[entity];
    const struct template *tpl = &spec->tpl;
    bool fixed = tpl->n == 0 || (tpl->n == 1 && tpl->pieces[0].literal);
    if (e->when || !str_eq(spec->attribute, plan->type) || spec->remove || !fixed)
        return;
    struct str type = tpl->n ? tpl->pieces[0].text : STR("");
    if (map_get(&plan->types, type) == entity)
        return;
    problems_add(problems, spec->place,
                 "an item of type \"%.*s\" would no longer be of entity \"%.*s\"\nhint: write "
                 "its name, or one of its \"types\"",
                 STR_FMT(type), STR_FMT(e->name));
}

void recipe_check_key(const struct recipe *r, struct problems *problems)
{
    const struct names *have = &r->key, *said = &r->plan->key;
    bool same = have->n == said->n;
    for (uint32_t i = 0; same && i < have->n; i++)
        same = str_eq(have->v[i], said->v[i]);
    if (same)
        return;
    struct buf text;
    buf_init(&text, 4096);
    for (uint32_t i = 0; i < have->n; i++)
        buf_addf(&text, "%s\"%.*s\"", i ? ", " : "", STR_FMT(have->v[i]));
    problems_add(
        problems, (struct place){0},
        "the key of the model is not the key of the table\nhint: write \"key\": [%s] under "
        "\"source\", or leave it out",
        buf_cstr(&text));
    buf_release(&text);
}

enum rc recipe_check_condition(const struct entity_recipe *e, struct problems *problems)
{
    struct arena arena;
    struct buf text;
    struct change c = {.ntargets = e->ntargets, .nreads = e->nreads};
    arena_init(&arena, 4096);
    buf_init(&text, BUF_NO_LIMIT);
    c.targets = arena_array(&arena, e->ntargets + 1, sizeof *c.targets);
    c.reads = arena_array(&arena, e->nreads + 1, sizeof *c.reads);
    for (uint32_t i = 0; c.targets && i < e->ntargets; i++)
        c.targets[i].path = e->targets[i].path;
    for (uint32_t i = 0; c.reads && i < e->nreads; i++)
        c.reads[i].path = e->reads[i];
    bool ok = c.targets && c.reads;
    if (ok)
        update_condition(&text, &c);
    uint32_t operators = 1 + 2 * (c.ntargets + c.nreads); /* AND, and = or a function */
    if (ok && (text.len > EXPRESSION_BYTES || operators > EXPRESSION_OPERATORS)) {
        problems_add(problems, e->entity->backfill[0].place,
                     "the condition of a write to \"%.*s\" would name %u attributes in %zu "
                     "bytes with %u operators, DynamoDB takes %d bytes and %d operators\nhint: "
                     "what templates, conditions and the entities before this one look at is "
                     "part of it: set less at a time, or put the entity further up",
                     STR_FMT(e->entity->name), c.ntargets + c.nreads, text.len, operators,
                     EXPRESSION_BYTES, EXPRESSION_OPERATORS);
    }
    ok = ok && !text.rc;
    buf_release(&text);
    arena_release(&arena);
    return ok ? RC_OK : RC_NOMEM;
}
