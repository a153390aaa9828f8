/* SPDX-License-Identifier: MIT */
/* Steps are looked for by the version that they begin with. */
#include "sinks/store/upgrade.h"

#include <stdlib.h>
#include <string.h>

static uint32_t version_of(const struct upgrade_kind *kind, yyjson_val *root)
{
    yyjson_val *v = yyjson_obj_get(root, kind->member);
    if (!yyjson_is_obj(root))
        return 0;
    if (!v)
        return kind->unsaid;
    return yyjson_get_uint(v) > UINT32_MAX ? UINT32_MAX : (uint32_t)yyjson_get_uint(v);
}

static enum rc refuse(const struct upgrade_kind *kind, yyjson_val *root, const char *place,
                      struct err *err)
{
    const char *by = yyjson_get_str(yyjson_obj_get(root, kind->by));
    if (!by || !*by)
        return err_set(err, RC_USAGE, "'%s' was written by another version of renorm", place);
    (void)err_set(err, RC_USAGE, "'%s' was written by another version of renorm: %.40s", place,
                  by);
    return err_hint(err, "use renorm %.40s or a later one", by);
}

static const struct upgrade_step *step_from(const struct upgrade_kind *kind, uint32_t version)
{
    for (size_t i = 0; i < kind->nsteps; i++) {
        if (kind->steps[i].from == version)
            return &kind->steps[i];
    }
    return NULL;
}

/* Replaces the member's value, or adds it. */
static bool set(yyjson_mut_doc *doc, const char *name, yyjson_mut_val *value)
{
    yyjson_mut_val *key = yyjson_mut_strcpy(doc, name);
    return key && value && yyjson_mut_obj_put(yyjson_mut_doc_get_root(doc), key, value);
}

static bool sign(yyjson_mut_doc *doc, const struct upgrade_kind *kind, const char *renorm)
{
    return set(doc, kind->member, yyjson_mut_uint(doc, kind->newest)) &&
           set(doc, kind->by, yyjson_mut_strcpy(doc, renorm));
}

static enum rc print(yyjson_mut_doc *doc, struct buf *text, struct err *err)
{
    size_t n = 0;
    char *made = yyjson_mut_write(doc, 0, &n);
    if (!made)
        return err_nomem(err);
    buf_clear(text);
    buf_add(text, made, n);
    buf_putc(text, '\n');
    free(made);
    return buf_check(text, err);
}

/* All the steps, then the signature. */
static enum rc climb(const struct upgrade_kind *kind, yyjson_doc *old, uint32_t version,
                     const char *renorm, struct buf *text, struct err *err)
{
    yyjson_mut_doc *doc = yyjson_doc_mut_copy(old, NULL);
    bool good = doc;
    const struct upgrade_step *step = step_from(kind, version);
    for (; good && step; step = step_from(kind, step->to))
        good = !step->take || step->take(doc);
    enum rc rc = good && sign(doc, kind, renorm) ? print(doc, text, err) : err_nomem(err);
    yyjson_mut_doc_free(doc);
    return rc;
}

/* Do steps lead from there to the newest version? */
static bool reachable(const struct upgrade_kind *kind, uint32_t version)
{
    while (version < kind->newest) {
        const struct upgrade_step *step = step_from(kind, version);
        if (!step)
            return false;
        version = step->to;
    }
    return version == kind->newest;
}

enum rc upgrade_text(const struct upgrade_kind *kind, struct buf *text, const char *place,
                     const char *renorm, uint32_t *was, struct err *err)
{
    yyjson_read_err why = {0};
    yyjson_doc *doc = yyjson_read_opts(text->p, text->len, 0, NULL, &why);
    yyjson_val *root = yyjson_doc_get_root(doc);
    enum rc rc = RC_OK;
    *was = version_of(kind, root);
    if (why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
        rc = err_nomem(err);
    } else if (*was == 0) {
        rc = RC_NONE;
    } else if (!reachable(kind, *was)) {
        rc = refuse(kind, root, place, err);
    } else if (*was != kind->newest) {
        rc = climb(kind, doc, *was, renorm, text, err);
    }
    yyjson_doc_free(doc);
    return rc;
}
