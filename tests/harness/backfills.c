/* SPDX-License-Identifier: MIT */
/* Texts are turned by items_text; nothing is kept between two models. */
#include "tests/harness/backfills.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pipeline/item/canon.h"
#include "pipeline/stage/stage.h"

int backfills_set_up(void **state)
{
    struct backfills *t = calloc(1, sizeof *t);
    void *items = NULL;
    assert_non_null(t);
    assert_int_equal(items_set_up(&items), 0);
    t->items = items;
    problems_init(&t->problems);
    buf_init(&t->shown, BUF_NO_LIMIT);
    t->now_us = INT64_C(1700000000000000);
    *state = t;
    return 0;
}

static void forget(struct backfills *t)
{
    recipe_free(t->recipe);
    plan_free(t->plan);
    model_free(t->model);
    problems_release(&t->problems);
    t->recipe = NULL;
    t->plan = NULL;
    t->model = NULL;
}

int backfills_tear_down(void **state)
{
    struct backfills *t = *state;
    void *items = t->items;
    forget(t);
    buf_release(&t->shown);
    free(t);
    return items_tear_down(&items);
}

static const struct dynamodb_table *read_table(struct backfills *t, const char *table)
{
    struct err err = {0};
    if (!table)
        return NULL;
    buf_clear(&t->shown);
    buf_addf(&t->shown, "{'Table':{'TableName':'t',%s}}", table);
    struct str text = items_text(t->items, buf_view(&t->shown));
    assert_int_equal(dynamodb_table_read(&t->table, text, &t->items->texts, &err), RC_OK);
    return &t->table;
}

static const char *model_key(const struct backfills *t, const struct dynamodb_table *known)
{
    if (t->key)
        return t->key;
    return known ? "" : "'key':['PK','SK'],";
}

enum rc backfills_make(struct backfills *t, const char *entities, const char *table)
{
    struct err err = {0};
    struct plan_options opts = {0};
    forget(t);
    problems_init(&t->problems);
    const struct dynamodb_table *known = read_table(t, table);
    struct str *key = arena_array(&t->items->texts, DDB_KEYS_MAX, sizeof *key);
    assert_non_null(key);
    for (size_t i = 0; known && i < known->schema.n; i++)
        key[i] = known->schema.keys[i].name;
    opts.key = (struct names){key, known ? (uint32_t)known->schema.n : 0};
    buf_clear(&t->shown);
    buf_addf(&t->shown, "{'renorm':1,'source':{%s'ttl':'ttl'},\n'entities':{%s}}",
             model_key(t, known), entities);
    struct str text = items_text(t->items, buf_view(&t->shown));
    enum rc rc = model_read(text, stage_table, &t->model, &t->problems, &err);
    if (!rc)
        rc = plan_new(t->model, &opts, &t->plan, &t->problems, &err);
    if (rc)
        fail_msg("%s\n%s", err.msg, backfills_problems(t));
    return recipe_new(t->plan, known, &t->recipe, &t->problems, &err);
}

struct change backfills_apply(struct backfills *t, const char *item, struct item *out)
{
    struct change c;
    *out = items_item(t->items, item);
    assert_int_equal(recipe_apply(t->recipe, out, t->now_us, &t->items->arena, &c), RC_OK);
    return c;
}

static void show_value(struct buf *b, const struct val *v)
{
    if (v) {
        canon_ddb(b, v);
    } else {
        buf_putc(b, '-');
    }
}

static const char *single_quoted(struct buf *b)
{
    for (size_t i = 0; i < b->len; i++)
        b->p[i] = (char)(b->p[i] == '"' ? '\'' : b->p[i]);
    return buf_cstr(b);
}

const char *backfills_show(struct backfills *t, const struct change *c)
{
    struct buf *b = &t->shown;
    buf_clear(b);
    buf_puts(b, recipe_fate_names[c->fate]);
    if (c->entity != UINT32_MAX)
        buf_addf(b, " %.*s", STR_FMT(t->model->entities[c->entity].name));
    if (c->why.reason)
        buf_addf(b, " %s", c->why.reason);
    for (uint32_t i = 0; i < c->ntargets; i++) {
        buf_putc(b, ' ');
        path_print(&c->targets[i].path, b);
        buf_putc(b, '=');
        show_value(b, c->targets[i].old);
        buf_puts(b, "->");
        show_value(b, c->targets[i].new_);
    }
    for (uint32_t i = 0; i < c->nreads; i++) {
        buf_puts(b, i ? " " : " | ");
        path_print(&c->reads[i].path, b);
        buf_putc(b, '=');
        show_value(b, c->reads[i].old);
    }
    return single_quoted(b);
}

const char *backfills_problems(struct backfills *t)
{
    buf_clear(&t->shown);
    problems_print(&t->problems, "m", &t->shown);
    return single_quoted(&t->shown);
}
