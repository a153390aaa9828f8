/* SPDX-License-Identifier: MIT */
/*
 * Beside the last run: its records are found by what they are about, where, and their name. What
 * the last run did not have at all, such as a column or table new in the model, is not compared.
 */
#include <stdio.h>

#include <yyjson.h>

#include "pipeline/base/map.h"
#include "pipeline/profile/shape_report_private.h"

/* Fewer rows than these say nothing of shares, nor does a smaller jump. */
enum { FEW_ROWS = 20, JUMP_PERCENT = 10 };

struct past {
    uint64_t rows, filled;
    unsigned kinds;
};

struct past_run {
    struct arena arena;
    struct map index; /* "column\0table\0name" to where it stands in v */
    struct past *v;
    uint32_t n;
    size_t cap;
};

static struct str key_of(struct arena *a, const char *about, struct str place, struct str name)
{
    size_t head = strlen(about) + 1;
    char *p = arena_alloc(a, head + place.n + 1 + name.n);
    if (!p)
        return (struct str){0};
    memcpy(p, about, head);
    if (place.n)
        memcpy(p + head, place.p, place.n);
    p[head + place.n] = '\0';
    if (name.n)
        memcpy(p + head + place.n + 1, name.p, name.n);
    return str_make(p, head + place.n + 1 + name.n);
}

static struct str text(yyjson_val *v, const char *name)
{
    yyjson_val *s = yyjson_obj_get(v, name);
    return str_make(yyjson_is_str(s) ? yyjson_get_str(s) : "", yyjson_get_len(s));
}

static unsigned kinds_of(yyjson_val *types)
{
    unsigned kinds = 0;
    for (unsigned k = VAL_S; k < PROFILE_KINDS; k++) {
        if (yyjson_get_uint(yyjson_obj_get(types, value_kind_name((enum val_kind)k))) > 0)
            kinds |= 1u << k;
    }
    return kinds;
}

static enum rc remember(struct past_run *run, yyjson_val *v)
{
    const char *about = yyjson_get_str(yyjson_obj_get(v, "about"));
    if (!about || strcmp(about, "finding") == 0)
        return RC_OK;
    struct past *room = arena_push(&run->arena, run->v, run->n, &run->cap, 64, sizeof *room);
    struct str key = key_of(&run->arena, about, text(v, "place"), text(v, "name"));
    if (!room || !key.p)
        return RC_NOMEM;
    run->v = room;
    room[run->n] = (struct past){.rows = yyjson_get_uint(yyjson_obj_get(v, "rows")),
                                 .filled = yyjson_get_uint(yyjson_obj_get(v, "filled")),
                                 .kinds = kinds_of(yyjson_obj_get(v, "types"))};
    return map_put(&run->index, key, run->n++);
}

static enum rc past_read(struct past_run *run, struct str json, bool *any)
{
    yyjson_doc *doc = yyjson_read(json.p, json.n, 0);
    yyjson_val *v;
    size_t i, n;
    enum rc rc = RC_OK;
    *any = yyjson_arr_size(yyjson_doc_get_root(doc)) > 0;
    yyjson_arr_foreach(yyjson_doc_get_root(doc), i, n, v)
    {
        if (!rc)
            rc = remember(run, v);
    }
    yyjson_doc_free(doc);
    return rc;
}

static const struct past *find(struct past_run *run, const char *about, struct str place,
                               struct str name)
{
    struct str key = key_of(&run->arena, about, place, name);
    uint32_t at = key.p ? map_get(&run->index, key) : MAP_NONE;
    return at == MAP_NONE ? NULL : &run->v[at];
}

static void add_kinds(struct buf *b, unsigned kinds)
{
    bool first = true;
    for (unsigned k = VAL_S; k < PROFILE_KINDS; k++) {
        if (!(kinds & 1u << k))
            continue;
        buf_addf(b, "%s%s", first ? "" : ", ", value_kind_name((enum val_kind)k));
        first = false;
    }
}

/* A type that was not there before; NULL is a lack of a value, and not a type of it. */
static enum rc compare_kinds(struct profile *p, struct str place, struct str name, unsigned was,
                             unsigned is)
{
    struct buf said;
    was &= ~(1u << VAL_NULL);
    is &= ~(1u << VAL_NULL);
    if (!was || !(is & ~was))
        return RC_OK;
    buf_init(&said, 256);
    add_kinds(&said, was);
    buf_puts(&said, " became ");
    add_kinds(&said, is);
    enum rc rc = profile_find(p, FINDING_TYPE_CHANGE, place, name, buf_cstr(&said));
    buf_release(&said);
    return rc;
}

/* Shares of rows without a value, in percent. */
static enum rc compare_shares(struct profile *p, struct str place, struct str name,
                              const struct past *was, const struct past *is)
{
    char said[96];
    if (was->rows < FEW_ROWS || is->rows < FEW_ROWS)
        return RC_OK;
    double before = 100.0 - 100.0 * (double)was->filled / (double)was->rows;
    double now = 100.0 - 100.0 * (double)is->filled / (double)is->rows;
    if (now - before < JUMP_PERCENT)
        return RC_OK;
    (void)snprintf(said, sizeof said, "%.1f%% of rows had no value, now %.1f%%", before, now);
    return profile_find(p, FINDING_NULL_JUMP, place, name, said);
}

static enum rc compare_column(struct profile *p, struct past_run *run, uint32_t t, uint32_t c)
{
    const struct table *table = &p->layout.schema->tables[t];
    struct past is = {profile_rows(p, t), profile_filled(p, t, c), 0};
    const struct past *was = find(run, "column", table->name, table->columns[c].name);
    if (!was || table->columns[c].extra)
        return RC_OK;
    for (unsigned k = VAL_S; k < PROFILE_KINDS; k++)
        is.kinds |= profile_kind(p, t, c, (enum val_kind)k) ? 1u << k : 0;
    enum rc rc = compare_kinds(p, table->name, table->columns[c].name, was->kinds, is.kinds);
    return rc ? rc : compare_shares(p, table->name, table->columns[c].name, was, &is);
}

/* An attribute is new where the last run knew its entity, and had room for all names of it: else
   this one may have been among those that found no place. */
static enum rc compare_extras(struct profile *p, struct past_run *run, uint32_t place)
{
    const struct extras_of *of = &p->extras.places[place];
    struct str name = extras_place_name(p->layout.schema, place);
    bool crowded = find(run, "attribute", name, STR("")) != NULL;
    bool known = place >= p->layout.schema->nentities || find(run, "entity", name, STR(""));
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && known && i < of->n; i++) {
        const struct extra *x = of->v[i];
        const struct past *was = find(run, "attribute", name, x->name);
        unsigned kinds = 0;
        for (unsigned k = VAL_S; k < PROFILE_KINDS; k++)
            kinds |= x->counts[k] ? 1u << k : 0;
        if (was) {
            rc = compare_kinds(p, name, x->name, was->kinds, kinds);
        } else if (!crowded) {
            rc = profile_find(p, FINDING_NEW_ATTRIBUTE, name, x->name, "");
        }
    }
    return rc;
}

enum rc profile_compare(struct profile *p, struct str last)
{
    const struct schema *s = p->layout.schema;
    struct past_run run = {0};
    arena_init(&run.arena, 65536);
    map_init(&run.index);
    enum rc rc = past_read(&run, last, &p->compared);
    for (uint32_t t = 0; p->compared && t < s->ntables; t++) {
        for (uint32_t c = 0; !rc && profile_rows(p, t) && c < s->tables[t].ncolumns; c++)
            rc = compare_column(p, &run, t, c);
    }
    for (uint32_t i = 0; p->compared && !rc && i < p->extras.n; i++) {
        if (p->extras.places[i].n)
            rc = compare_extras(p, &run, i);
    }
    map_release(&run.index);
    arena_release(&run.arena);
    return rc;
}
