/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/entities/type_attribute.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/entities/likeness.h"
#include "pipeline/infer/words.h"

enum { TYPES_MAX = 10000, COMPARED = 12 };

/* What speaks for one attribute. */
struct witness {
    struct str name;
    uint32_t *v;       /* by item: the number of its value, 0: none */
    uint32_t present;  /* items that have it */
    uint32_t odd;      /* items whose value is not that of most of their shape */
    uint32_t shapes;   /* that have it, in more than one item or all by name */
    uint32_t repeated; /* items in shapes with several of them */
    uint32_t values;
    bool other;     /* a value that no type has */
    uint32_t agree; /* shapes that the value is a word of */
};

static int compare_counts(const void *a, const void *b)
{
    return infer_compare_numbers(a, b);
}

static uint32_t distinct(uint32_t *v, uint32_t n)
{
    uint32_t count = 0;
    qsort(v, n, sizeof *v, compare_counts);
    for (uint32_t i = 0; i < n; i++)
        count += v[i] && (i == 0 || v[i] != v[i - 1]);
    return count;
}

/* The commonest of n numbers, sorted here; *times how often it is there. */
static uint32_t commonest(uint32_t *v, uint32_t n, uint32_t *times)
{
    uint32_t best = 0;
    qsort(v, n, sizeof *v, infer_compare_numbers);
    *times = 0;
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i;
        while (end < n && v[end] == v[i])
            end++;
        if (end - i > *times) {
            *times = end - i;
            best = v[i];
        }
        i = end;
    }
    return best;
}

static bool word_of_shape(const struct infer_design *d, uint32_t value,
                          const struct infer_shape *s)
{
    struct str text = d->texts.v[value - 1];
    for (uint32_t k = 0; k < d->nkey; k++) {
        for (uint32_t i = 0; i < s->n[k]; i++) {
            struct str literal = s->v[k][i].literal;
            if (literal.n > 1 && (words_same(literal, text) || words_ends(text, literal)))
                return true;
        }
    }
    return false;
}

/* Looks at one shape: is the attribute constant in it? Returns the value that most have. */
static uint32_t look_at(const struct infer_design *d, struct witness *w,
                        const struct infer_shape *s, uint32_t *room)
{
    uint32_t n = 0;
    uint32_t times = 0;
    for (uint32_t i = 0; i < s->nitems; i++) {
        if (w->v[s->items[i]])
            room[n++] = w->v[s->items[i]];
    }
    if (n == 0)
        return 0;
    uint32_t value = commonest(room, n, &times);
    w->present += n;
    w->shapes++;
    w->agree += word_of_shape(d, value, s);
    if (n > 1) {
        w->repeated += n;
        w->odd += n - times;
    }
    return value;
}

static bool word_value(struct str s)
{
    size_t letters = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
    }
    return letters > 0 && s.n <= 64;
}

/* Order and order are one value here: what shape has which must not depend on spelling. */
static uint32_t lower_text(struct infer_design *d, struct str s)
{
    char room[64];
    for (size_t i = 0; i < s.n; i++)
        room[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] - 'A' + 'a') : s.p[i];
    uint32_t known = infer_text_known(d, str_make(room, s.n));
    if (known)
        return known;
    struct str kept = arena_dup(&d->arena, str_make(room, s.n));
    d->failed = d->failed || !kept.p;
    return kept.p ? infer_text(d, kept) : 0;
}

static bool gather(struct infer_design *d, struct witness *w)
{
    for (uint32_t i = 0; i < d->nitems; i++) {
        const struct val *v = item_get(&d->items[i], w->name);
        w->v[i] = 0;
        if (!v || v->kind == VAL_NULL)
            continue;
        if (v->kind != VAL_S || !word_value(v->u.s)) {
            w->other = true;
            return false;
        }
        w->v[i] = lower_text(d, v->u.s);
    }
    return true;
}

/* An attribute that all items of a group have, and none of the others. */
static bool has_own(const struct infer_likeness *p, const struct infer_likeness *all,
                    uint32_t n, uint32_t self)
{
    for (uint32_t i = 0; i < p->n; i++) {
        bool own = p->counts[i] == p->items;
        for (uint32_t k = 0; k < n && own; k++) {
            for (uint32_t j = 0; k != self && j < all[k].n && own; j++)
                own = all[k].names[j] != p->names[i] || all[k].counts[j] == 0;
        }
        if (own)
            return true;
    }
    return false;
}

/* The items with one value, but for the attribute itself. */
static struct infer_likeness group(struct infer_design *d, const struct witness *w,
                                   uint32_t value, uint32_t name, uint32_t *room)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->nitems; i++) {
        if (w->v[i] == value)
            room[count++] = i;
    }
    struct infer_likeness p = likeness_of(d, room, count);
    for (uint32_t i = 0; i < p.n; i++)
        p.counts[i] = p.names[i] == name ? 0 : p.counts[i];
    return p;
}

/* The likeness of the most alike of n groups; 1 if one of them has nothing of its own. */
static double most_alike(const struct infer_likeness *p, uint32_t n)
{
    double most = 0;
    bool apart = n > 1;
    for (uint32_t i = 0; i < n; i++) {
        apart = apart && (i + 1 == n || has_own(&p[i], p, n, i));
        for (uint32_t k = i + 1; k < n; k++) {
            double alike = likeness_alike(&p[i], &p[k]);
            most = alike > most ? alike : most;
        }
    }
    return apart ? most : 1;
}

/* Do the values part the other attributes? 0: nothing in common; 1: they say nothing. */
static double closest(struct infer_design *d, const struct witness *w, uint32_t name)
{
    struct infer_likeness p[COMPARED];
    uint32_t n = 0;
    uint32_t nseen = 0;
    uint32_t *room = malloc(d->nitems * sizeof *room);
    uint32_t *seen = malloc(d->nitems * sizeof *seen);
    d->failed = d->failed || !room || !seen;
    for (uint32_t i = 0; !d->failed && i < d->nitems; i++) {
        if (w->v[i])
            seen[nseen++] = w->v[i];
    }
    if (nseen)
        qsort(seen, nseen, sizeof *seen, infer_compare_numbers);
    for (uint32_t i = 0; i < nseen && n < COMPARED; i++) {
        if (i == 0 || seen[i] != seen[i - 1])
            p[n++] = group(d, w, seen[i], name, room);
    }
    free(room);
    free(seen);
    return d->failed ? 1 : most_alike(p, n);
}

/* What speaks for it by the shapes of keys: 0 is nothing. */
static double judge_by_shapes(const struct witness *w, double coverage, bool several_shapes)
{
    bool named = words_type_like(w->name);
    bool pure = w->odd * 50 <= w->repeated;
    bool several = w->values > 1 && w->repeated * 2 > w->present;
    double agree = w->shapes ? (double)w->agree / w->shapes : 0;
    if (pure && (w->values * 2 > w->shapes || agree > 0.5)) {
        bool only = coverage > 0.9 && w->values == 1 && w->odd == 0;
        bool many =
            several && w->values > 2 && coverage > 0.5 && w->values * 10 > w->shapes * 8;
        if ((named && (only || several || agree > 0)) || agree > 0.3 || many)
            return coverage + agree + (named ? 0.3 : 0) + (several ? 0.2 : 0);
    }
    return named && coverage > 0.95 && w->values > 1 && several_shapes ? 0.5 : 0;
}

/* 0: it is no type attribute. */
static double judge(struct infer_design *d, struct witness *w,
                    const struct infer_shapes *shapes, uint32_t *room)
{
    uint32_t *most = infer_new(d, shapes->n + 1, sizeof *most);
    uint32_t n = 0;
    if (!most)
        return 0;
    for (size_t i = 0; i < shapes->n; i++) {
        uint32_t value = look_at(d, w, &shapes->v[i], room);
        if (value)
            most[n++] = value;
    }
    if (w->present == 0)
        return 0;
    w->values = distinct(most, n);
    double coverage = (double)w->present / d->nitems;
    double score = judge_by_shapes(w, coverage, shapes->n > 1);
    if (score > 0 || coverage <= 0.9)
        return score;
    memcpy(room, w->v, d->nitems * sizeof *room);
    w->values = distinct(room, d->nitems);
    if (w->values > 1 && w->values <= 64 && w->values * 4 <= d->nitems &&
        closest(d, w, infer_text_known(d, w->name)) < 0.5)
        score = coverage * 0.8 + (words_type_like(w->name) ? 0.3 : 0);
    return score;
}

/* The names of all attributes that are a string in some item, each once. */
static uint32_t *string_names(struct infer_design *d, size_t *n)
{
    size_t cap = 0;
    uint32_t *names = NULL;
    uint8_t *seen = infer_new(d, d->texts.n + 1, 1);
    *n = 0;
    for (uint32_t i = 0; seen && i < d->nitems; i++) {
        for (uint32_t m = 0; m < d->items[i].n; m++) {
            const struct member *member = &d->items[i].members[m];
            uint32_t id = infer_text_known(d, member->name);
            if (member->val.kind != VAL_S || !id || seen[id])
                continue;
            seen[id] = 1;
            names = infer_push(d, names, *n, &cap, sizeof *names);
            if (!names)
                return NULL;
            names[(*n)++] = id;
        }
    }
    return names;
}

static bool is_key(const struct infer_design *d, struct str name)
{
    for (uint32_t k = 0; k < d->nkey; k++) {
        if (str_eq(d->key[k], name))
            return true;
    }
    return false;
}

void type_attribute_find(struct infer_design *d, const struct infer_shapes *shapes)
{
    size_t n = 0;
    uint32_t *names = string_names(d, &n);
    uint32_t *room = infer_new(d, (size_t)d->nitems + 1, sizeof *room);
    uint32_t *values = infer_new(d, (size_t)d->nitems + 1, sizeof *values);
    double best = 0;
    for (size_t i = 0; names && room && values && i < n && i < 4096; i++) {
        struct witness w = {.name = d->texts.v[names[i] - 1], .v = values};
        if (is_key(d, w.name) || words_index_like(w.name) || !gather(d, &w))
            continue;
        double score = judge(d, &w, shapes, room);
        if (score > best && w.values <= TYPES_MAX) {
            best = score;
            d->type = w.name;
        }
    }
}
