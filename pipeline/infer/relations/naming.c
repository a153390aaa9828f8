/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/relations/naming.h"

#include <string.h>

#include "pipeline/infer/tables/structure.h"
#include "pipeline/infer/tables/templates.h"
#include "pipeline/infer/words.h"

enum { SHORT_WORD = 3, TABLE_NAME = 50 };

/* The words of an entity's first form that a name may come from. */
struct key_words {
    struct str hash;  /* the last of the partition key */
    struct str range; /* the last of the sort key that a part stands behind */
    struct str fixed; /* the last of a sort key without parts */
};

static struct str last_word(const struct infer_template *t, bool before_part)
{
    struct str word = {0};
    for (uint32_t i = 0; i < t->n; i++) {
        if (!t->v[i].literal.p || (before_part && i + 1 == t->n))
            continue;
        struct str w = templates_word(t->v[i].literal, t->separator);
        word = w.n ? w : word;
    }
    return word;
}

static bool has_parts(const struct infer_template *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (!t->v[i].literal.p)
            return true;
    }
    return t->n == 0;
}

/* Every part of the sort key is one of the partition key. */
static bool range_repeats(const struct infer_form *f)
{
    for (uint32_t i = 0; i < f->keys[1].n; i++) {
        bool found = f->keys[1].v[i].literal.p != NULL;
        for (uint32_t k = 0; k < f->keys[0].n && !found; k++) {
            found =
                !f->keys[0].v[k].literal.p && f->keys[0].v[k].column == f->keys[1].v[i].column;
        }
        if (!found)
            return false;
    }
    return true;
}

static struct key_words words_of(const struct infer_design *d, const struct infer_entity *e)
{
    struct key_words w = {0};
    if (!e->nforms)
        return w;
    const struct infer_form *f = &e->forms[0];
    w.hash = last_word(&f->keys[0], has_parts(&f->keys[0]));
    if (d->nkey < 2 || !f->keys[1].n)
        return w;
    if (range_repeats(f)) {
        w.fixed = last_word(&f->keys[1], false);
    } else {
        w.range = last_word(&f->keys[1], true);
    }
    return w;
}

static struct str no_stem(void)
{
    return (struct str){0};
}

/* What stands before "Id" in the attribute that repeats the entity's own part. */
static struct str own_stem(const struct infer_table *t)
{
    const struct infer_column *own = t->nparts ? t->columns[t->parts[t->nparts - 1]] : NULL;
    if (!own || !own->node)
        return no_stem();
    struct str stem = words_stem(own->node->name);
    return stem.n < own->node->name.n && stem.n > 1 ? stem : no_stem();
}

static struct str choose_word(struct infer_design *d, struct infer_entity *e)
{
    struct key_words w = words_of(d, e);
    struct str stem = own_stem(e->table);
    if (e->type.n)
        return e->type;
    if (w.fixed.n && !words_root_like(w.fixed) && !words_same(w.fixed, w.hash))
        e->table->minor = true;
    struct str word = w.range.n && !words_root_like(w.range) ? w.range : w.hash;
    if ((word.n <= SHORT_WORD || words_root_like(word)) && stem.n && !e->table->minor)
        word = stem;
    if (!word.n && w.fixed.n)
        word = w.fixed;
    return word.n ? word : STR("item");
}

static bool child_called(const struct infer_table *t, struct str name)
{
    for (size_t i = 0; i < t->nchildren; i++) {
        if ((t->children[i]->name.n && str_eq(t->children[i]->name, name)) ||
            child_called(t->children[i], name))
            return true;
    }
    for (size_t i = 0; i < t->nextracts; i++) {
        if (str_eq(t->extracts[i].into, name))
            return true;
    }
    return false;
}

static bool taken(const struct infer_design *d, const struct infer_entity *self,
                  struct str name)
{
    for (size_t i = 0; i < d->nentities; i++) {
        const struct infer_entity *e = d->entities[i];
        bool itself = self && e->table == self->table;
        if (!itself && e->table->name.n && str_eq(e->table->name, name) && !e->mirror)
            return true;
        if (child_called(e->table, name))
            return true;
    }
    return false;
}

struct str naming_free_table(struct infer_design *d, const struct infer_entity *e,
                             struct str name)
{
    struct str base = str_make(name.p, name.n > TABLE_NAME ? TABLE_NAME : name.n);
    while (base.n && base.n < name.n && ((unsigned char)base.p[base.n - 1] & 0x80))
        base.n--;
    name = base;
    for (unsigned i = 2; taken(d, e, name) && !d->failed; i++)
        name = infer_printf(d, "%.*s_%u", STR_FMT(base), i);
    return name;
}

/* The thing itself has the name; what hangs on it has the constant of its sort key, too. */
static void name_minor(struct infer_design *d, struct infer_entity *e)
{
    struct key_words w = words_of(d, e);
    bool elder = false;
    for (size_t i = 0; i < d->nentities; i++) {
        const struct infer_table *u = d->entities[i]->table;
        elder = elder || (u != e->table && !u->minor && u->nparts == 1 &&
                          str_eq(words_of(d, d->entities[i]).hash, w.hash));
    }
    e->table->minor = elder;
    if (elder)
        e->table->word = infer_printf(d, "%.*s_%.*s", STR_FMT(w.hash), STR_FMT(w.fixed));
}

static struct str snake_word(struct infer_design *d, struct str word)
{
    struct str s = infer_snake(d, word);
    while (s.n && s.p[0] == '_')
        s = str_from(s, 1);
    while (s.n && s.p[s.n - 1] == '_')
        s.n--;
    return s.n ? s : STR("item");
}

static void name_entity(struct infer_design *d, struct infer_entity *e)
{
    struct str name = e->type.n ? e->type : e->table->name;
    for (unsigned n = 2;; n++) {
        bool clash = false;
        for (size_t i = 0; i < d->nentities && !clash; i++) {
            const struct infer_entity *o = d->entities[i];
            clash =
                o != e &&
                ((o->name.n && str_eq(o->name, name)) ||
                 (o->type.n && !(e->type.n && str_eq(e->type, name)) && str_eq(o->type, name)));
        }
        if (!clash || d->failed)
            break;
        name = infer_printf(d, "%.*s_%u", STR_FMT(e->type.n ? e->type : e->table->name), n);
    }
    e->name = name;
}

/* Is there an entity that is the thing of this name: by its type, or alone in its collection? */
static bool is_thing(struct infer_design *d, const struct infer_entity *self, struct str name)
{
    for (size_t i = 0; i < d->nentities; i++) {
        const struct infer_entity *e = d->entities[i];
        if (e->table == self->table || e->mirror || (!e->type.n && words_of(d, e).range.n))
            continue;
        if (str_eq(snake_word(d, e->table->word), name))
            return true;
    }
    return false;
}

/* A pair of two things that would be called as one of them is has the names of both. */
static void name_pair(struct infer_design *d, struct infer_entity *e)
{
    struct key_words w = words_of(d, e);
    if (!e->type.n && w.range.n && w.hash.n && str_eq(w.range, e->table->word) &&
        !words_same(w.range, w.hash) && is_thing(d, e, snake_word(d, w.range)))
        e->table->word = infer_printf(d, "%.*s_%.*s", STR_FMT(w.hash), STR_FMT(w.range));
}

void naming_tables(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        d->entities[i]->table->word = choose_word(d, d->entities[i]);
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        name_pair(d, d->entities[i]);
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        if (d->entities[i]->table->minor)
            name_minor(d, d->entities[i]);
    }
    for (int minor = 0; minor < 2; minor++) {
        for (size_t i = 0; i < d->nentities && !d->failed; i++) {
            struct infer_entity *e = d->entities[i];
            if (e->mirror || e->table->minor != (minor > 0))
                continue;
            e->table->name = naming_free_table(d, e, snake_word(d, e->table->word));
        }
    }
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        struct infer_entity *e = d->entities[i];
        if (e->mirror)
            e->table->name = e->mirror->table->name;
        name_entity(d, e);
    }
}

/* Names of parts are made up: until then they hold a control character. */
static bool unnamed(const struct infer_column *c)
{
    for (size_t i = 0; i < c->name.n; i++) {
        if (c->name.p[i] > 0 && c->name.p[i] < 4)
            return true;
    }
    return false;
}

static void give(struct infer_design *d, struct infer_table *t, struct infer_column *c,
                 struct str name)
{
    c->name = structure_free_name(d, t, name, c->node);
}

static const char *what(const struct infer_column *c)
{
    const struct infer_facts *f = &c->facts;
    if (f->filled && f->dates == f->filled)
        return "date";
    if (f->filled && (f->stamps == f->filled || f->naive == f->filled))
        return "at";
    return f->filled && f->integers + f->padded == f->filled && f->longest <= 4 ? "no" : "id";
}

static void name_own(struct infer_design *d, struct infer_table *t)
{
    struct infer_column *c = t->nparts ? t->columns[t->parts[t->nparts - 1]] : NULL;
    if (!c || !unnamed(c) || c->gone)
        return;
    for (size_t r = 0; r < t->nreferences; r++) {
        if (t->references[r].n == 1 && t->columns[t->references[r].columns[0]] == c)
            return;
    }
    const char *kind = what(c);
    bool id = strcmp(kind, "id") == 0 || t->nparts == 1;
    give(d, t, c, id ? infer_printf(d, "%.*s_id", STR_FMT(t->name)) : str_of(kind));
}

static void name_references(struct infer_design *d, struct infer_table *t)
{
    for (size_t r = 0; r < t->nreferences && !d->failed; r++) {
        const struct infer_reference *ref = &t->references[r];
        for (uint32_t k = 0; k < ref->n; k++) {
            struct infer_column *c = t->columns[ref->columns[k]];
            const struct infer_column *to = ref->to->columns[ref->to->key[k]];
            if (c == to || !unnamed(c))
                continue;
            struct str stem = c->of ? words_stem(c->of->node->name) : (struct str){0};
            if (unnamed(to)) {
                give(d, t, c, infer_printf(d, "%.*s_id", STR_FMT(ref->to->name)));
            } else if (stem.n && stem.n < c->of->node->name.n &&
                       !words_index_like(c->of->node->name)) {
                give(d, t, c, infer_snake(d, c->of->node->name));
            } else {
                give(d, t, c, to->name);
            }
        }
    }
}

static void name_rest(struct infer_design *d, struct infer_table *t)
{
    for (size_t i = 0; i < t->ncolumns && !d->failed; i++) {
        struct infer_column *c = t->columns[i];
        if (c->gone || !unnamed(c))
            continue;
        if (c->of && !words_index_like(c->of->node->name)) {
            give(d, t, c, infer_snake(d, c->of->node->name));
        } else if (c->prefix.n && !words_root_like(c->prefix)) {
            const char *kind = what(c);
            struct str base = snake_word(d, c->prefix);
            bool ids = strcmp(kind, "id") != 0 ||
                       (c->facts.shortest > 0 &&
                        c->facts.integers + c->facts.uuids == c->facts.filled);
            give(d, t, c, ids ? infer_printf(d, "%.*s_%s", STR_FMT(base), kind) : base);
        } else {
            give(d, t, c, str_of(what(c)));
        }
    }
}

/* Is the name one of the keys of the tables above? */
static bool above(const struct infer_table *t, struct str name)
{
    for (const struct infer_table *up = t; up; up = up->parent) {
        if (up->parent && str_eq(up->columns[0]->name, name))
            return true;
        for (uint32_t k = 0; k < up->nkey && !up->parent; k++) {
            if (str_eq(up->columns[up->key[k]]->name, name))
                return true;
        }
    }
    return false;
}

/* A column of a child that is called like a key of the tables above gets another name. */
static void name_apart(struct infer_design *d, const struct infer_table *t,
                       struct infer_table *child, struct infer_column *c, struct str word)
{
    struct str own = c->name;
    for (unsigned k = 1; above(t, c->name) && !d->failed; k++) {
        struct str other = infer_printf(d, "%.*s_%.*s", STR_FMT(word), STR_FMT(own));
        if (k > 1)
            other = infer_printf(d, "%.*s_%u", STR_FMT(own), k);
        c->name = structure_free_name(d, child, other, NULL);
    }
}

void naming_children(struct infer_design *d, struct infer_table *t)
{
    for (size_t i = 0; i < t->nchildren && !d->failed; i++) {
        struct infer_table *child = t->children[i];
        struct str word = snake_word(d, child->node->name);
        struct str name = infer_printf(d, "%.*s_%.*s", STR_FMT(t->name), STR_FMT(word));
        child->name = naming_free_table(d, NULL, name);
        for (size_t c = 0; c < child->ncolumns; c++)
            name_apart(d, t, child, child->columns[c], word);
        naming_children(d, child);
    }
}

static void name_mirror(struct infer_design *d, struct infer_entity *e)
{
    struct infer_table *t = e->table;
    const struct infer_table *of = e->mirror->table;
    for (uint32_t i = 0; i < 2 && t->nkey == 2 && of->nkey == 2; i++)
        t->columns[t->key[i]]->name = of->columns[of->key[1 - i]]->name;
    if (t->nkey == 2 && of->nkey == 2) {
        uint32_t first = t->key[0];
        t->key[0] = t->key[1];
        t->key[1] = first;
    }
    for (uint32_t i = 0; i < t->ncolumns && t->nkey == 2; i++) {
        struct infer_column *c = t->columns[i];
        if (i == t->key[0] || i == t->key[1] || c->gone)
            continue;
        if (str_eq(c->name, t->columns[t->key[0]]->name) ||
            str_eq(c->name, t->columns[t->key[1]]->name))
            c->name = structure_free_name(d, t, c->name, c->node);
    }
}

void naming_parts(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        name_own(d, d->entities[i]->table);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < d->nentities && !d->failed; i++)
            name_references(d, d->entities[i]->table);
    }
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        name_rest(d, d->entities[i]->table);
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        if (d->entities[i]->mirror)
            name_mirror(d, d->entities[i]);
    }
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        naming_children(d, d->entities[i]->table);
}
