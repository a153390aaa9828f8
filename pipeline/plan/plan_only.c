/* SPDX-License-Identifier: MIT */
/*
 * A part of a model is compiled as if the other entities made nothing, and so are the others: a table
 * that both plans have would be filled by both kinds, and no run of one kind could make it whole.
 */
#include <stdlib.h>
#include <string.h>

#include "pipeline/model/read/reader.h"
#include "pipeline/plan/plan.h"

static enum rc unknown(const struct model *m, struct str name, struct err *err)
{
    const char **names = calloc(m->nentities + 1, sizeof *names);
    if (!names)
        return err_nomem(err);
    for (uint32_t i = 0; i < m->nentities; i++)
        names[i] = m->entities[i].name.p;
    const char *near = name_nearest(name, names, m->nentities);
    (void)err_set(err, RC_USAGE, "--only: the model has no entity \"%.*s\"", STR_FMT(name));
    if (near)
        (void)err_hint(err, "did you mean \"%s\"?", near);
    free(names);
    return RC_USAGE;
}

static enum rc mark(const struct model *m, const struct names *only, bool *take,
                    struct err *err)
{
    for (uint32_t k = 0; k < only->n; k++) {
        uint32_t i = 0;
        while (i < m->nentities && !str_eq(m->entities[i].name, only->v[k]))
            i++;
        if (i == m->nentities)
            return unknown(m, only->v[k], err);
        take[i] = true;
    }
    return RC_OK;
}

static enum rc compile(const struct model *m, const struct plan_options *opts, const bool *take,
                       struct plan **out, struct err *err)
{
    struct problems problems;
    struct plan_options part = *opts;
    part.take = take;
    problems_init(&problems);
    enum rc rc = plan_new(m, &part, out, &problems, err);
    if (rc == RC_USAGE && problems.first) {
        const char *text = problems.first->text;
        (void)err_set(err, RC_USAGE,
                      "--only: a part of the entities is no model by itself: %.*s",
                      (int)strcspn(text, "\n"), text);
    }
    problems_release(&problems);
    return rc;
}

static enum rc find_shared(const struct plan *mine, const struct plan *others, struct err *err)
{
    for (uint32_t i = 0; i < mine->schema.ntables; i++) {
        for (uint32_t k = 0; k < others->schema.ntables; k++) {
            if (!str_eq(mine->schema.tables[i].name, others->schema.tables[k].name))
                continue;
            (void)err_set(err, RC_USAGE,
                          "--only: table \"%.*s\" is filled by entities that are named and by "
                          "others",
                          STR_FMT(mine->schema.tables[i].name));
            return err_hint(err, "name all entities that fill it, or none of them");
        }
    }
    return RC_OK;
}

enum rc plan_only(const struct model *m, const struct plan_options *opts,
                  const struct names *only, struct plan **out, struct problems *problems,
                  struct err *err)
{
    struct plan *whole = NULL, *mine = NULL, *others = NULL;
    bool *take = calloc(m->nentities + 1, sizeof *take);
    bool *rest = calloc(m->nentities + 1, sizeof *rest);
    *out = NULL;
    if (!take || !rest) {
        free(take);
        free(rest);
        return err_nomem(err);
    }
    enum rc rc = plan_new(m, opts, &whole, problems, err);
    if (!rc)
        rc = mark(m, only, take, err);
    for (uint32_t i = 0; !rc && i < m->nentities; i++)
        rest[i] = !take[i];
    if (!rc)
        rc = compile(m, opts, take, &mine, err);
    if (!rc)
        rc = compile(m, opts, rest, &others, err);
    if (!rc)
        rc = find_shared(mine, others, err);
    if (!rc) {
        *out = mine;
        mine = NULL;
    }
    plan_free(whole);
    plan_free(mine);
    plan_free(others);
    free(take);
    free(rest);
    return rc;
}
