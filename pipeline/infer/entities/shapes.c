/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/entities/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/entities/likeness.h"

enum { CLUSTERS_MAX = 48, SHAPES_MAX = 20000, SUMS_MAX = 64 };

static const double ALIKE = 0.6;

/* Below this number a signature is a class; from it on the text of a word. */
enum { SIGNATURE_WORDS = 16, SIGNATURE_END = 15 };

struct signed_item {
    uint32_t signature;
    uint32_t item;
};

struct walk {
    struct infer_design *d;
    struct infer_shapes *out;
    struct infer_shape path;
    bool typed;
    uint32_t nothing; /* the signature of an empty token: no part can be empty */
};

/* Items of one signature, or of several that are one. */
struct cluster {
    struct infer_likeness profile;
    struct str text; /* of the first token */
    uint32_t first;  /* signature */
    uint32_t nsignatures, nwords;
    uint32_t nitems, nmore; /* nmore: of the items, those with a token behind this one */
    enum infer_token_class class;
    bool mixed; /* another token has another text */
    bool data;
    bool names; /* words of one item each, see has_names */
};

static void split(struct walk *w, uint32_t *items, uint32_t n, uint32_t key, uint32_t at);

static void end_shape(struct walk *w, uint32_t *items, uint32_t n)
{
    struct infer_shapes *s = w->out;
    s->v = infer_push(w->d, s->v, s->n, &s->cap, sizeof *s->v);
    if (!s->v)
        return;
    struct infer_shape *shape = &s->v[s->n++];
    *shape = w->path;
    shape->items = infer_new(w->d, n, sizeof *items);
    shape->nitems = shape->items ? n : 0;
    if (shape->items)
        memcpy(shape->items, items, n * sizeof *items);
}

/* The token says what one of the partition key does. */
static bool repeats(const struct walk *w, uint32_t item, const struct infer_token *t)
{
    const struct infer_tokens *before = &w->d->tokens[0][item];
    for (uint32_t i = 0; i < before->n; i++) {
        if (w->path.n[0] > i && !w->path.v[0][i].literal.p &&
            str_eq(before->v[i].text, t->text))
            return true;
    }
    return false;
}

static uint32_t signature_of(struct walk *w, uint32_t item, uint32_t key, uint32_t at)
{
    const struct infer_tokens *tokens = &w->d->tokens[key][item];
    if (at >= tokens->n)
        return SIGNATURE_END;
    const struct infer_token *t = &tokens->v[at];
    if (key > 0 && t->class != TOKEN_OTHER && repeats(w, item, t))
        return TOKEN_REPEAT;
    if (t->class == TOKEN_WORD)
        return SIGNATURE_WORDS + infer_text(w->d, t->text) * 2;
    if (t->class == TOKEN_GLUED) {
        size_t letters = 0;
        while (letters < t->text.n && (t->text.p[letters] < '0' || t->text.p[letters] > '9'))
            letters++;
        return SIGNATURE_WORDS + infer_text(w->d, str_make(t->text.p, letters)) * 2 + 1;
    }
    return t->class == TOKEN_NUMBER ? TOKEN_ID : t->class;
}

static int compare_signed(const void *a, const void *b)
{
    const struct signed_item *x = a;
    const struct signed_item *y = b;
    if (x->signature != y->signature)
        return x->signature < y->signature ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* A run of items with one signature. */
struct run {
    uint32_t from, n;
    uint32_t cluster;
};

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a;
    const struct run *y = b;
    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    return (x->from > y->from) - (x->from < y->from);
}

static bool is_word(uint32_t signature)
{
    return signature >= SIGNATURE_WORDS && signature % 2 == SIGNATURE_WORDS % 2;
}

static bool joins(const struct walk *w, const struct cluster *c, const struct infer_likeness *p,
                  uint32_t signature)
{
    if (signature == w->nothing || c->first == w->nothing || signature == SIGNATURE_END ||
        c->first == SIGNATURE_END)
        return false;
    if ((signature == TOKEN_REPEAT) != (c->first == TOKEN_REPEAT) &&
        (p->n == 0 || c->profile.n == 0))
        return false;
    return likeness_alike(&c->profile, p) >= ALIKE || likeness_fits(&c->profile, p);
}

static void join(struct walk *w, struct cluster *c, const struct infer_likeness *p,
                 const struct signed_item *v, const struct run *r, uint32_t position)
{
    uint32_t s = v[r->from].signature;
    enum infer_token_class class = s < SIGNATURE_END ? (enum infer_token_class)s : TOKEN_ID;
    if (c->nsignatures < SUMS_MAX)
        c->profile = c->nsignatures ? likeness_sum(w->d, &c->profile, p) : *p;
    c->class = c->nsignatures == 0 || c->class == class ? class : TOKEN_ID;
    c->first = c->nsignatures ? c->first : s;
    c->nsignatures++;
    c->nwords += is_word(s);
    c->nitems += r->n;
    for (uint32_t i = r->from; i < r->from + r->n; i++) {
        const struct infer_tokens *t = &w->d->tokens[position / 256][v[i].item];
        struct str text = position % 256 < t->n ? t->v[position % 256].text : STR("");
        c->nmore += t->n > position % 256 + 1;
        c->text = c->text.p ? c->text : text;
        c->mixed = c->mixed || !str_eq(c->text, text);
    }
}

static bool is_name(const struct walk *w, const struct signed_item *v, const struct run *r,
                    uint32_t position)
{
    return r->n == 1 && is_word(v[r->from].signature) && v[r->from].signature != w->nothing &&
           w->d->tokens[0][v[r->from].item].n == position + 1;
}

/* Words that end a partition key once each, four of them or more: names of things, whatever these
   have. */
static bool has_names(const struct walk *w, const struct signed_item *v, const struct run *runs,
                      uint32_t nruns, uint32_t position)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < nruns && position < 256 && position > 0; r++)
        n += is_name(w, v, &runs[r], position);
    return n >= 4;
}

/* The runs, the longest first, each to the first cluster that is like it. */
static uint32_t make_clusters(struct walk *w, const struct signed_item *v, struct run *runs,
                              uint32_t nruns, struct cluster *clusters, uint32_t position)
{
    uint32_t n = 0;
    bool names = has_names(w, v, runs, nruns, position);
    for (uint32_t r = 0; r < nruns && !w->d->failed; r++) {
        uint32_t *own = malloc(runs[r].n * sizeof *own);
        if (!own) {
            w->d->failed = true;
            return n;
        }
        for (uint32_t i = 0; i < runs[r].n; i++)
            own[i] = v[runs[r].from + i].item;
        struct infer_likeness p = likeness_of(w->d, own, runs[r].n);
        free(own);
        uint32_t c = 0;
        bool name = names && is_name(w, v, &runs[r], position);
        while (c < n && !(name && clusters[c].names) &&
               !joins(w, &clusters[c], &p, v[runs[r].from].signature))
            c++;
        if (c == n && n == CLUSTERS_MAX)
            c = n - 1;
        if (c == n) {
            clusters[n++] = (struct cluster){.names = name};
        }
        join(w, &clusters[c], &p, v, &runs[r], position);
        runs[r].cluster = c;
    }
    return n;
}

/* Are the words of a cluster data? */
static bool words_are_data(const struct walk *w, const struct cluster *c, uint32_t key,
                           uint32_t at)
{
    uint32_t usual = likeness_usual(&c->profile);
    bool prefix = c->nmore * 2 > c->nitems; /* something stands behind it */
    if (c->nsignatures == 1)
        return false;
    if (c->names)
        return true;
    if (prefix)
        return c->nsignatures >= (w->typed && at > 0 && key > 0 ? 2 : 4) && usual >= 1;
    if (at == 0)
        return c->nsignatures >= (w->typed && key > 0 ? 2 : 3) && usual >= 1;
    return usual >= 1 || c->nsignatures >= 3;
}

static void judge_cluster(const struct walk *w, struct cluster *c, uint32_t key, uint32_t at)
{
    if (c->first == SIGNATURE_END)
        return;
    /* a version or a tenant that is the same everywhere */
    bool behind = at > 0 && !w->path.v[key][at - 1].literal.p;
    if (!c->mixed && c->nwords < c->nsignatures && c->nitems > 2 && c->first != TOKEN_REPEAT &&
        c->first != TOKEN_OTHER && (c->nmore == c->nitems || behind))
        return;
    c->data = c->nwords < c->nsignatures || words_are_data(w, c, key, at);
}

static void next_key(struct walk *w, uint32_t *items, uint32_t n, uint32_t key)
{
    if (key + 1 < w->d->nkey) {
        split(w, items, n, key + 1, 0);
    } else {
        end_shape(w, items, n);
    }
}

/* One branch of the fork: data, the end, or one word. */
static void follow(struct walk *w, uint32_t *items, uint32_t n, uint32_t position,
                   struct infer_position what)
{
    uint32_t key = position / 256;
    uint32_t at = position % 256;
    w->path.n[key] = at + 1;
    w->path.v[key][at] = what;
    split(w, items, n, key, at + 1);
    w->path.n[key] = at;
}

/* The runs that one branch takes: all of a cluster, or one of it. */
struct choice {
    const struct signed_item *v;
    const struct run *runs;
    uint32_t nruns;
    uint32_t cluster, only; /* only: UINT32_MAX for all */
};

static bool chosen(const struct choice *c, uint32_t run)
{
    return c->only == UINT32_MAX ? c->runs[run].cluster == c->cluster : run == c->only;
}

/* Goes on with the items of the runs. */
static void branch(struct walk *w, const struct choice *c, struct infer_position what,
                   uint32_t position)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < c->nruns; r++)
        n += chosen(c, r) ? c->runs[r].n : 0;
    uint32_t *items = malloc(((size_t)n + 1) * sizeof *items);
    if (!items) {
        w->d->failed = true;
        return;
    }
    n = 0;
    for (uint32_t r = 0; r < c->nruns; r++) {
        for (uint32_t i = 0; chosen(c, r) && i < c->runs[r].n; i++)
            items[n++] = c->v[c->runs[r].from + i].item;
    }
    bool end = c->only != UINT32_MAX && c->v[c->runs[c->only].from].signature == SIGNATURE_END;
    if (end) {
        next_key(w, items, n, position / 256);
    } else {
        follow(w, items, n, position, what);
    }
    free(items);
}

static uint32_t find_runs(const struct signed_item *v, uint32_t n, struct run *runs)
{
    uint32_t nruns = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || v[i].signature != v[i - 1].signature)
            runs[nruns++] = (struct run){.from = i};
        runs[nruns - 1].n++;
    }
    qsort(runs, nruns, sizeof *runs, compare_runs);
    return nruns;
}

static void fork_at(struct walk *w, const struct signed_item *v, struct run *runs,
                    uint32_t nruns, uint32_t position)
{
    struct cluster clusters[CLUSTERS_MAX];
    uint32_t n = make_clusters(w, v, runs, nruns, clusters, position);
    struct choice choice = {.v = v, .runs = runs, .nruns = nruns};
    for (uint32_t c = 0; c < n && !w->d->failed; c++) {
        judge_cluster(w, &clusters[c], position / 256, position % 256);
        choice.cluster = c;
        choice.only = UINT32_MAX;
        if (clusters[c].data) {
            branch(w, &choice, (struct infer_position){.class = clusters[c].class}, position);
            continue;
        }
        for (uint32_t r = 0; r < nruns; r++) {
            if (runs[r].cluster != c)
                continue;
            const struct infer_tokens *t = &w->d->tokens[position / 256][v[runs[r].from].item];
            struct infer_position what = {.class = TOKEN_WORD};
            if (position % 256 < t->n)
                what.literal = t->v[position % 256].text;
            choice.only = r;
            branch(w, &choice, what, position);
        }
    }
}

static void split(struct walk *w, uint32_t *items, uint32_t n, uint32_t key, uint32_t at)
{
    if (w->d->failed || w->out->n >= SHAPES_MAX)
        return;
    struct signed_item *v = malloc(((size_t)n + 1) * sizeof *v);
    struct run *runs = malloc(((size_t)n + 1) * sizeof *runs);
    if (!v || !runs) {
        w->d->failed = true;
    } else {
        for (uint32_t i = 0; i < n; i++)
            v[i] = (struct signed_item){signature_of(w, items[i], key, at), items[i]};
        qsort(v, n, sizeof *v, compare_signed);
        uint32_t nruns = find_runs(v, n, runs);
        fork_at(w, v, runs, nruns, key * 256 + at);
    }
    free(v);
    free(runs);
}

void shapes_find(struct infer_design *d, uint32_t *items, uint32_t n, bool typed,
                 struct infer_shapes *out)
{
    struct walk w = {.d = d, .out = out, .typed = typed};
    *out = (struct infer_shapes){0};
    w.nothing = SIGNATURE_WORDS + infer_text(d, STR("")) * 2;
    if (n == 0)
        return;
    if (d->nkey == 0) {
        end_shape(&w, items, n);
    } else {
        split(&w, items, n, 0, 0);
    }
}
