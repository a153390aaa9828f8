/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are read as a model and compiled, its backfill too, which is then tried on an item. Each
 * problem of the reader must have a place inside the text, and a model without problems must read
 * again to the same hash.
 */
#include <stdlib.h>

#include "pipeline/item/decoder.h"
#include "pipeline/stage/stage.h"
#include "sinks/dynamodb/recipe/recipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_places(const struct problems *problems, struct str text)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    for (const struct problem *p = problems->first; p; p = p->next) {
        if (p->place.line < 1 || p->place.line > lines || p->place.column < 1)
            abort();
    }
}

static void check_again(const struct model *m, struct str text)
{
    struct problems problems;
    struct err err = {0};
    struct model *again = NULL;
    problems_init(&problems);
    if (model_read(text, stage_table, &again, &problems, &err) || !str_eq(m->hash, again->hash))
        abort();
    model_free(again);
    problems_release(&problems);
}

/* What is to be changed is not there yet. */
static void try_item(const struct recipe *r)
{
    static const char ITEM[] =
        "{\"PK\":{\"S\":\"A#1\"},\"SK\":{\"S\":\"s\"},\"a\":{\"S\":\"x\"},\"n\":{\"N\":\"7\"},"
        "\"s\":{\"S\":\"Open\"},\"Type\":{\"S\":\"A\"},\"b\":{\"B\":\"AAE=\"},\"m\":{\"M\":{}}"
        "}";
    struct decoder *decoder = decoder_new();
    struct arena arena;
    struct fault why;
    struct item item;
    struct change c;
    arena_init(&arena, 0);
    if (!decoder || item_decode(decoder, str_of(ITEM), &arena, &item, &why) ||
        recipe_apply(r, &item, 0, &arena, &c))
        abort();
    if (c.fate == FATE_CHANGED && recipe_change_stands(&c, &item, false))
        abort();
    arena_release(&arena);
    decoder_free(decoder);
}

static void try_backfill(const struct plan *plan, struct problems *problems)
{
    struct recipe *recipe = NULL;
    struct err err = {0};
    enum rc rc = recipe_new(plan, NULL, &recipe, problems, &err);
    if (rc && rc != RC_USAGE)
        abort();
    if (!rc)
        try_item(recipe);
    recipe_free(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct problems problems;
    struct err err = {0};
    struct model *m = NULL;
    struct buf out;
    problems_init(&problems);
    buf_init(&out, BUF_NO_LIMIT);
    enum rc rc = model_read(text, stage_table, &m, &problems, &err);
    if ((!rc) != (problems.count == 0))
        abort();
    check_places(&problems, text);
    problems_print(&problems, "model", &out);
    if (!rc)
        check_again(m, text);
    for (uint32_t i = 0; m && i < m->nentities; i++) {
        if (m->entities[i].when)
            condition_print(m->entities[i].when, &out);
    }
    struct plan *plan = NULL;
    if (m && plan_new(m, &(struct plan_options){0}, &plan, &problems, &err) == RC_NOMEM)
        abort();
    if (plan)
        try_backfill(plan, &problems);
    plan_free(plan);
    buf_release(&out);
    model_free(m);
    problems_release(&problems);
    return 0;
}
