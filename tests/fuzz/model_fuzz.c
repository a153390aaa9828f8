/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are read as a model and compiled. Each problem of the reader must have a place inside
 * the text, and a model without problems must read again to the same hash.
 */
#include <stdlib.h>

#include "pipeline/plan/plan.h"

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
    if (model_read(text, &again, &problems, &err) || !str_eq(m->hash, again->hash))
        abort();
    model_free(again);
    problems_release(&problems);
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
    enum rc rc = model_read(text, &m, &problems, &err);
    if ((rc == RC_OK) != (problems.count == 0))
        abort();
    check_places(&problems, text);
    problems_print(&problems, "model", &out);
    if (rc == RC_OK)
        check_again(m, text);
    for (uint32_t i = 0; m && i < m->nentities; i++) {
        if (m->entities[i].when)
            cond_print(m->entities[i].when, &out);
    }
    struct plan *plan = NULL;
    if (m && plan_new(m, &(struct plan_options){0}, &plan, &problems, &err) == RC_NOMEM)
        abort();
    plan_free(plan);
    buf_release(&out);
    model_free(m);
    problems_release(&problems);
    return 0;
}
