/* SPDX-License-Identifier: MIT */
/* A flag for each note is asked first, so that the lock is taken once for each example. */
#include "pipeline/row/note_examples.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>

struct one {
    atomic_bool there;
    char *text;
    size_t n;
};

struct note_examples {
    pthread_mutex_t mu; /* guards the texts while workers run */
    uint32_t n;
    struct one v[];
};

struct note_examples *note_examples_new(uint32_t notes)
{
    struct note_examples *x = calloc(1, sizeof *x + notes * sizeof x->v[0]);
    if (!x)
        return NULL;
    x->n = notes;
    (void)pthread_mutex_init(&x->mu, NULL);
    return x;
}

void note_examples_free(struct note_examples *x)
{
    if (!x)
        return;
    for (uint32_t i = 0; i < x->n; i++)
        free(x->v[i].text);
    (void)pthread_mutex_destroy(&x->mu);
    free(x);
}

bool note_examples_wanted(struct note_examples *x, uint32_t note)
{
    return note < x->n && !atomic_load(&x->v[note].there);
}

void note_examples_add(struct note_examples *x, uint32_t note, struct str text)
{
    (void)pthread_mutex_lock(&x->mu);
    if (note_examples_wanted(x, note)) {
        struct one *one = &x->v[note];
        one->text = malloc(text.n + 1);
        if (one->text) {
            memcpy(one->text, text.p, text.n);
            one->n = text.n;
            atomic_store(&one->there, true);
        }
    }
    (void)pthread_mutex_unlock(&x->mu);
}

struct str note_examples_get(const struct note_examples *x, uint32_t note)
{
    if (!x || note >= x->n || !x->v[note].text)
        return (struct str){0};
    return str_make(x->v[note].text, x->v[note].n);
}
