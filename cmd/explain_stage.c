/* SPDX-License-Identifier: MIT */
/*
 * Most stages only rearrange names when the model is compiled, so there is no moment at which one
 * of them runs on an item: what is said here comes from the model, the item and its rows.
 */
#include "cmd/explain_stage.h"

#include <inttypes.h>

#include "pipeline/item/canon.h"

typedef void say(struct buf *out, const struct stage_spec *spec, const struct schema *schema,
                 const struct pass_trace *t);

void explain_key(struct buf *out, const struct key_spec *key, const struct item *item)
{
    const struct val *v = item_get(item, key->attribute);
    struct str parts[TPL_PARTS];
    buf_addf(out, "%.*s \"%.*s\"", STR_FMT(key->attribute), STR_FMT(key->tpl.text));
    if (!v || v->kind != VAL_S || !tpl_match(&key->tpl, v->u.s, parts)) {
        buf_puts(out, v ? " does not match" : " is not there");
        return;
    }
    uint32_t part = 0;
    for (uint32_t p = 0; p < key->tpl.n; p++) {
        if (key->tpl.pieces[p].literal)
            continue;
        struct str found = parts[part++];
        if (found.p) {
            buf_addf(out, "  %.*s=\"%.*s\"", STR_FMT(key->tpl.pieces[p].text), STR_FMT(found));
        } else {
            buf_addf(out, "  no %.*s", STR_FMT(key->tpl.pieces[p].text));
        }
    }
}

static void say_keys(struct buf *out, const struct stage_spec *spec,
                     const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    for (uint32_t i = 0; i < spec->u.keys.n; i++) {
        buf_puts(out, i ? "; " : ": ");
        explain_key(out, &spec->u.keys.v[i], &t->item);
    }
}

static bool strips(const struct names *globs, struct str name)
{
    for (uint32_t i = 0; i < globs->n; i++) {
        if (str_glob(name, globs->v[i]))
            return true;
    }
    return false;
}

static void say_strip(struct buf *out, const struct stage_spec *spec,
                      const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->item.n; i++) {
        if (strips(&spec->u.globs, t->item.members[i].name))
            buf_addf(out, "%s%.*s", n++ ? ", " : ": ", STR_FMT(t->item.members[i].name));
    }
    if (n == 0)
        buf_puts(out, ": nothing here");
}

static void add_paths(struct buf *out, const struct path *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(out, i ? ", " : ": ");
        path_print(&v[i], out);
    }
}

static void say_paths(struct buf *out, const struct stage_spec *spec,
                      const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    (void)t;
    add_paths(out, spec->u.paths.v, spec->u.paths.n);
}

/* rename, default and derive */
static void say_pairs(struct buf *out, const struct stage_spec *spec,
                      const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    (void)t;
    for (uint32_t i = 0; i < spec->u.pairs.n; i++) {
        const struct pair_spec *p = &spec->u.pairs.v[i];
        buf_puts(out, i ? ", " : ": ");
        path_print(&p->path, out);
        if (spec->kind == STAGE_RENAME) {
            buf_addf(out, " becomes %.*s", STR_FMT(p->name));
        } else if (spec->kind == STAGE_DERIVE) {
            buf_addf(out, " from \"%.*s\"", STR_FMT(p->tpl.text));
        } else {
            buf_puts(out, ", if missing, is ");
            canon_plain(out, &p->value, NULL);
        }
    }
}

static void say_flatten(struct buf *out, const struct stage_spec *spec,
                        const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    (void)t;
    add_paths(out, &spec->u.flatten.from, 1);
}

/* The rows an item has of a table, or its candidates for it. */
static void add_rows(struct buf *out, const struct schema *schema, const struct pass_trace *t,
                     struct str table, bool candidates)
{
    uint64_t n = 0;
    if (t->fate != FATE_ROUTED) { /* its rows were taken back */
        buf_addf(out, "into %.*s", STR_FMT(table));
        return;
    }
    for (size_t i = 0; i < t->nrows; i++) {
        bool candidate = t->rows[i].extract != UINT32_MAX;
        n += candidate == candidates && str_eq(schema->tables[t->rows[i].table].name, table);
    }
    buf_addf(out, "%" PRIu64 " %s%s %s %.*s", n, candidates ? "candidate" : "row",
             n == 1 ? "" : "s", candidates ? "for" : "of", STR_FMT(table));
}

static void say_explode(struct buf *out, const struct stage_spec *spec,
                        const struct schema *schema, const struct pass_trace *t)
{
    add_paths(out, &spec->u.explode->from, 1);
    buf_puts(out, ", ");
    add_rows(out, schema, t, spec->u.explode->into, false);
}

static void say_extract(struct buf *out, const struct stage_spec *spec,
                        const struct schema *schema, const struct pass_trace *t)
{
    buf_puts(out, ": ");
    add_rows(out, schema, t, spec->u.extract->into, true);
}

static void say_link(struct buf *out, const struct stage_spec *spec,
                     const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    (void)t;
    for (uint32_t i = 0; i < spec->u.link.n; i++) {
        const struct reference_spec *r = &spec->u.link.v[i];
        for (uint32_t k = 0; k < r->columns.n; k++)
            buf_addf(out, "%s%.*s", i || k ? ", " : ": ", STR_FMT(r->columns.v[k]));
        buf_addf(out, " to %.*s", STR_FMT(r->to));
    }
}

static void say_filter(struct buf *out, const struct stage_spec *spec,
                       const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    (void)t;
    buf_puts(out, spec->u.filter.drop ? ": drops if " : ": keeps if ");
    cond_print(spec->u.filter.keep, out);
}

static void say_mask(struct buf *out, const struct stage_spec *spec,
                     const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    (void)t;
    add_paths(out, spec->u.mask.v, spec->u.mask.n);
    buf_puts(out, spec->u.mask.method == MASK_BLANK ? " blanked" : " hashed");
}

static void say_document(struct buf *out, const struct stage_spec *spec,
                         const struct schema *schema, const struct pass_trace *t)
{
    (void)schema;
    (void)t;
    if (spec->u.document.from.n) {
        add_paths(out, &spec->u.document.from, 1);
    } else {
        buf_puts(out, ": all that is left");
    }
    buf_addf(out, " as %.*s", STR_FMT(spec->u.document.into));
}

void explain_stage(struct buf *out, const struct stage_spec *spec, const struct schema *schema,
                   const struct pass_trace *t)
{
    static say *const SAY[STAGE_KINDS] = {
        [STAGE_KEYS] = say_keys,       [STAGE_STRIP] = say_strip,
        [STAGE_PICK] = say_paths,      [STAGE_DROP] = say_paths,
        [STAGE_RENAME] = say_pairs,    [STAGE_DEFAULT] = say_pairs,
        [STAGE_FLATTEN] = say_flatten, [STAGE_EXPLODE] = say_explode,
        [STAGE_EXTRACT] = say_extract, [STAGE_LINK] = say_link,
        [STAGE_DERIVE] = say_pairs,    [STAGE_FILTER] = say_filter,
        [STAGE_MASK] = say_mask,       [STAGE_DOCUMENT] = say_document,
    };
    if (SAY[spec->kind])
        SAY[spec->kind](out, spec, schema, t);
}
