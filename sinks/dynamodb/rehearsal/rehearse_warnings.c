/* SPDX-License-Identifier: MIT */
/*
 * What an operator should know before a backfill, in sentences. An attribute that several entities
 * write is spoken of once.
 */
#include <stdio.h>

#include "sinks/dynamodb/recipe/key_role.h"
#include "sinks/dynamodb/rehearsal/rehearse.h"

static void add_count(struct buf *out, uint64_t n)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            buf_putc(out, ',');
        buf_putc(out, digits[i]);
    }
}

static void warn_table(const struct dynamodb_table *t, int pitr, uint64_t to_change,
                       struct buf *out)
{
    if (t->stream) {
        buf_puts(out, "warning: the table has a stream: ");
        add_count(out, to_change);
        buf_puts(out, " records will reach its consumers\n");
    }
    if (t->n_replicas) {
        buf_puts(out, "warning: the table has replicas (");
        for (size_t i = 0; i < t->n_replicas; i++)
            buf_addf(out, "%s%.*s", i ? ", " : "", STR_FMT(t->replicas[i]));
        buf_puts(out, "): every write is repeated and paid there\n");
    }
    if (pitr == 0) {
        buf_puts(
            out,
            "warning: point-in-time recovery is off: only the journal knows the old values\n");
    } else if (pitr < 0) {
        buf_puts(out, "warning: it could not be asked whether point-in-time recovery is on\n");
    }
}

static const struct dynamodb_key *key_of(const struct dynamodb_index *index, struct str name)
{
    for (size_t i = 0; i < index->schema.n; i++) {
        if (str_eq(index->schema.keys[i].name, name))
            return &index->schema.keys[i];
    }
    return NULL;
}

static void warn_key(const struct dynamodb_index *index, const struct backfill_spec *spec,
                     struct buf *out)
{
    const struct dynamodb_key *key = key_of(index, spec->attribute);
    const char *kind = value_kind_name(spec->kind);
    if (!key)
        return;
    if (spec->remove) {
        buf_addf(out,
                 "warning: \"%.*s\" is a key of index \"%.*s\": without it an item leaves the "
                 "index\n",
                 STR_FMT(spec->attribute), STR_FMT(index->name));
    } else if (key->type != '?' && key->type != kind[0]) {
        buf_addf(out,
                 "warning: index \"%.*s\" wants \"%.*s\" to be of type %c, the model writes "
                 "%s: such items "
                 "would fail\n",
                 STR_FMT(index->name), STR_FMT(spec->attribute), key->type, kind);
    }
}

static void warn_several(const struct dynamodb_table *t, struct str name, struct buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_indexes; i++)
        n += key_of(&t->indexes[i], name) != NULL;
    if (n < 2)
        return;
    buf_addf(out, "warning: \"%.*s\" is a key of %zu indexes (", STR_FMT(name), n);
    const char *comma = "";
    for (size_t i = 0; i < t->n_indexes; i++) {
        if (!key_of(&t->indexes[i], name))
            continue;
        buf_addf(out, "%s%.*s", comma, STR_FMT(t->indexes[i].name));
        comma = ", ";
    }
    buf_puts(out, "): each of them will change\n");
}

static void warn_target(const struct plan *plan, const struct dynamodb_table *t,
                        const struct backfill_spec *spec, struct buf *out)
{
    const struct dynamodb_index *index = NULL;
    enum key_role role = key_role(plan, t, spec->attribute, &index);
    if (!spec->remove && (role == KEY_HASH_NAMED || role == KEY_RANGE_NAMED)) {
        buf_addf(out, "warning: no index has \"%.*s\" as a key\n", STR_FMT(spec->attribute));
    }
    for (size_t i = 0; i < t->n_indexes; i++)
        warn_key(&t->indexes[i], spec, out);
    if (!spec->remove)
        warn_several(t, spec->attribute, out);
}

/* Has an earlier entity the same target, of the same kind? */
static bool told_before(const struct model *m, uint32_t entity,
                        const struct backfill_spec *spec)
{
    for (uint32_t i = 0; i < entity; i++) {
        for (uint32_t k = 0; k < m->entities[i].nbackfill; k++) {
            const struct backfill_spec *other = &m->entities[i].backfill[k];
            if (str_eq(other->attribute, spec->attribute) && other->kind == spec->kind &&
                other->remove == spec->remove)
                return true;
        }
    }
    return false;
}

static bool is_written(const struct model *m, const struct dynamodb_index *index)
{
    bool found = false;
    for (uint32_t i = 0; !found && i < m->nentities; i++) {
        for (uint32_t k = 0; !found && k < m->entities[i].nbackfill; k++)
            found = key_of(index, m->entities[i].backfill[k].attribute) != NULL;
    }
    return found;
}

static void warn_index(const struct dynamodb_index *index, struct buf *out)
{
    if (index->backfilling || (index->status.n && !str_is(index->status, "ACTIVE"))) {
        buf_addf(out, "warning: index \"%.*s\" is still being built\n", STR_FMT(index->name));
    }
}

void rehearse_warnings(const struct plan *plan, const struct dynamodb_table *table, int pitr,
                       uint64_t to_change, struct buf *out)
{
    const struct model *m = plan->model;
    warn_table(table, pitr, to_change, out);
    for (uint32_t i = 0; i < m->nentities; i++) {
        for (uint32_t k = 0; k < m->entities[i].nbackfill; k++) {
            if (!told_before(m, i, &m->entities[i].backfill[k]))
                warn_target(plan, table, &m->entities[i].backfill[k], out);
        }
    }
    for (size_t i = 0; i < table->n_indexes; i++) {
        if (is_written(m, &table->indexes[i]))
            warn_index(&table->indexes[i], out);
    }
}
