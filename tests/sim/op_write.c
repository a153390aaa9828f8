/* SPDX-License-Identifier: MIT */
/*
 * GetItem, PutItem, DeleteItem and UpdateItem on one item. A write is: find the item, test the
 * condition, build the new item, store it, charge the larger of both sizes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/sim/av.h"
#include "tests/sim/expr.h"
#include "tests/sim/gsi.h"
#include "tests/sim/op.h"
#include "tests/sim/sim.h"

#define MAX_ITEM 409600

/* One item under change. */
struct change {
    struct table_key key;
    size_t at;
    bool found;
    yyjson_doc *old; /* NULL if there is no such item */
    yyjson_val *before;
    uint64_t old_size;
    struct lex_scope scope;
};

static bool change_init(struct change *ch, struct sim *s, const struct op_call *c,
                        yyjson_val *key, struct reply *r)
{
    *ch = (struct change){.scope = op_scope(c)};
    if (!table_key_read(&s->table, key, &ch->key)) {
        reply_invalid(r, "The provided key element does not match the schema");
        return false;
    }
    ch->at = table_find(&s->table, &ch->key, &ch->found);
    if (!ch->found)
        return true;
    struct str text = table_json(s->table.items[ch->at]);
    ch->old = yyjson_read(text.p, text.n, 0);
    ch->before = yyjson_doc_get_root(ch->old);
    ch->old_size = s->table.items[ch->at]->size;
    ch->scope.item = ch->before;
    return true;
}

static void change_release(struct change *ch)
{
    yyjson_doc_free(ch->old);
    table_key_release(&ch->key);
}

static double write_units(uint64_t a, uint64_t b)
{
    uint64_t bytes = a > b ? a : b;
    uint64_t kb = (bytes + 1023) / 1024;
    return kb ? (double)kb : 1;
}

/* False if the condition fails: the error is then in `r`, and charged. */
static bool condition(struct sim *s, const struct op_call *c, struct change *ch,
                      struct reply *r)
{
    struct str text = op_text(c, "ConditionExpression");
    if (text.n == 0 || expr_condition(&ch->scope, text) || ch->scope.error[0])
        return true;
    struct buf extra;
    buf_init(&extra, BUF_NO_LIMIT);
    if (ch->found && !s->opt.no_failed_item &&
        str_is(op_text(c, "ReturnValuesOnConditionCheckFailure"), "ALL_OLD")) {
        buf_puts(&extra, "\"Item\":");
        buf_add_str(&extra, table_json(s->table.items[ch->at]));
    }
    reply_error(r, 400, "ConditionalCheckFailedException", "The conditional request failed",
                buf_cstr(&extra));
    buf_release(&extra);
    s->stats.conditions_failed++;
    sim_charge(s, ch->key.hash, true, write_units(ch->old_size, 0), r);
    return false;
}

static bool no_error(const struct change *ch, struct reply *r)
{
    if (ch->scope.error[0])
        reply_invalid(r, "%s", ch->scope.error);
    return ch->scope.error[0] == '\0';
}

static void add_attributes(struct reply *r, struct str json)
{
    buf_puts(&r->body, "\"Attributes\":");
    buf_add_str(&r->body, json);
}

/* Stores `fresh` (NULL = delete) and writes the answer. */
static void store(struct sim *s, const struct op_call *c, struct change *ch, yyjson_val *fresh,
                  struct reply *r)
{
    struct err err = {0};
    struct str values = op_text(c, "ReturnValues");
    struct item *it = fresh ? table_item(&s->table, fresh, &err) : NULL;
    if (fresh && !it) {
        reply_invalid(r, "%s", err.msg);
        return;
    }
    if (it && it->size > MAX_ITEM) {
        reply_invalid(r, "Item size to update has exceeded the maximum allowed size");
        free(it);
        return;
    }
    if (!sim_admit_indexes(s, ch->before, fresh, r)) {
        free(it);
        return;
    }
    double units = write_units(ch->old_size, it ? it->size : 0);
    struct buf indexes;
    buf_init(&indexes, 1 << 16);
    double more = gsi_units(s->describe, &s->table, ch->before, fresh, &indexes);
    buf_putc(&r->body, '{');
    if (str_is(values, "ALL_OLD") && ch->found) {
        add_attributes(r, table_json(s->table.items[ch->at]));
    } else if (str_is(values, "ALL_NEW") && it) {
        add_attributes(r, table_json(it));
    }
    op_add_write_capacity(c, units, more, buf_view(&indexes), r->body.len > 1 ? "," : "",
                          &r->body);
    buf_putc(&r->body, '}');
    buf_release(&indexes);
    if (it) {
        table_put(&s->table, it);
    } else if (ch->found) {
        table_remove(&s->table, ch->at);
    }
    s->stats.applied++;
    s->stats.index_units += more;
    r->index_units = more;
    sim_charge(s, ch->key.hash, true, units, r);
}

static bool open_change(struct change *ch, struct sim *s, const struct op_call *c,
                        yyjson_val *key, struct reply *r)
{
    return change_init(ch, s, c, key, r) && sim_admit(s, ch->key.hash, true, r) &&
           condition(s, c, ch, r);
}

void op_put_item(struct sim *s, const struct op_call *c, struct reply *r)
{
    struct change ch;
    yyjson_val *item = yyjson_obj_get(c->root, "Item");
    s->stats.updates++;
    if (open_change(&ch, s, c, item, r)) {
        lex_check_used(&ch.scope);
        if (no_error(&ch, r) && gsi_check(s->describe, item, r))
            store(s, c, &ch, item, r);
    }
    change_release(&ch);
}

void op_delete_item(struct sim *s, const struct op_call *c, struct reply *r)
{
    struct change ch;
    s->stats.updates++;
    if (open_change(&ch, s, c, yyjson_obj_get(c->root, "Key"), r)) {
        lex_check_used(&ch.scope);
        if (no_error(&ch, r))
            store(s, c, &ch, NULL, r);
    }
    change_release(&ch);
}

static bool same_key(const struct sim *s, const struct change *ch, yyjson_val *fresh)
{
    struct table_key key;
    bool same = table_key_read(&s->table, fresh, &key) &&
                str_eq(buf_view(&key.bytes), buf_view(&ch->key.bytes));
    table_key_release(&key);
    return same;
}

static void update(struct sim *s, const struct op_call *c, struct change *ch, struct reply *r)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_val *base = ch->found ? ch->before : yyjson_obj_get(c->root, "Key");
    yyjson_mut_val *target = yyjson_val_mut_copy(doc, base);
    yyjson_mut_doc_set_root(doc, target);
    struct str text = op_text(c, "UpdateExpression");
    if (text.n)
        expr_update(&ch->scope, text, doc, target);
    lex_check_used(&ch->scope);
    yyjson_doc *fresh = yyjson_mut_doc_imut_copy(doc, NULL);
    yyjson_val *root = yyjson_doc_get_root(fresh);
    if (!no_error(ch, r)) {
        r->units = 0;
    } else if (!same_key(s, ch, root)) {
        reply_invalid(r,
                      "One or more parameter values were invalid: Cannot update attribute %s. "
                      "This attribute is part of the key",
                      s->table.pk);
    } else if (gsi_check(s->describe, root, r)) {
        store(s, c, ch, root, r);
    }
    yyjson_doc_free(fresh);
    yyjson_mut_doc_free(doc);
}

void op_update_item(struct sim *s, const struct op_call *c, struct reply *r)
{
    struct change ch;
    s->stats.updates++;
    if (open_change(&ch, s, c, yyjson_obj_get(c->root, "Key"), r))
        update(s, c, &ch, r);
    change_release(&ch);
}

void op_get_item(struct sim *s, const struct op_call *c, struct reply *r)
{
    struct change ch;
    s->stats.gets++;
    if (change_init(&ch, s, c, yyjson_obj_get(c->root, "Key"), r) &&
        sim_admit(s, ch.key.hash, false, r)) {
        double units = op_read_units(c, ch.old_size);
        buf_putc(&r->body, '{');
        if (ch.found) {
            buf_puts(&r->body, "\"Item\":");
            buf_add_str(&r->body, table_json(s->table.items[ch.at]));
        }
        op_add_capacity(c, units, ch.found ? "," : "", &r->body);
        buf_putc(&r->body, '}');
        sim_charge(s, ch.key.hash, false, units, r);
    }
    change_release(&ch);
}
