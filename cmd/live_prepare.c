/* SPDX-License-Identifier: MIT */
/*
 * What is decided between a live table and a model before the run: the attributes an index
 * lacks are told, those that nobody reads are not fetched, and so with items that no entity
 * takes, if the operator asked for it.
 */
#include <stdio.h>

#include "cmd/live.h"
#include "pipeline/plan/push.h"
#include "pipeline/source/scan.h"

static bool in_schema(const struct ddb_schema *schema, struct str name)
{
    for (size_t i = 0; i < schema->n; i++) {
        if (str_eq(schema->keys[i].name, name))
            return true;
    }
    return false;
}

static bool projected(const void *facts, struct str name)
{
    const struct scan_facts *f = facts;
    const struct ddb_index *x = f->index;
    if (!x || x->projection == DDB_PROJECT_ALL || in_schema(&x->schema, name) ||
        in_schema(&f->table->schema, name))
        return true;
    for (size_t i = 0; i < x->n_attributes; i++) {
        if (str_eq(x->attributes[i], name))
            return true;
    }
    return false;
}

void live_missing(const struct job *job, const struct needs *needs, struct buf *out)
{
    struct scan_facts f = scan_facts(job->source);
    for (uint32_t i = 0; i < needs->names.n; i++) {
        if (!projected(&f, needs->names.v[i]))
            buf_addf(out, "%s\"%.*s\"", out->len ? ", " : "", STR_FMT(needs->names.v[i]));
    }
}

/* These are losses: they are told even to those who want to hear nothing. */
static enum rc tell_losses(const struct job *job, const struct needs *needs, struct err *err)
{
    struct scan_facts f = scan_facts(job->source);
    struct buf list;
    if (!f.index || f.index->projection == DDB_PROJECT_ALL)
        return RC_OK;
    buf_init(&list, (size_t)1 << 20);
    live_missing(job, needs, &list);
    enum rc rc = buf_check(&list, err);
    if (!rc && list.len) {
        (void)fprintf(stderr, "renorm: index \"%.*s\" does not hold what the model names: %s\n",
                      STR_FMT(f.index->name), buf_cstr(&list));
    }
    if (!rc && (needs->rest || needs->maybe.n)) {
        (void)fprintf(stderr,
                      "renorm: index \"%.*s\" holds some attributes only; others will not be "
                      "in the rows\n",
                      STR_FMT(f.index->name));
    }
    buf_release(&list);
    return rc;
}

void live_tell_ttl(const struct job *job, const struct options *o)
{
    struct scan_facts f = scan_facts(job->source);
    if (job->model->ttl.n || o->ttl)
        return;
    if (f.ttl_trouble[0]) {
        (void)fprintf(stderr,
                      "renorm: the table's TTL attribute is not known, expired items count as "
                      "any: %s\n",
                      f.ttl_trouble);
    } else if (job->plan->ttl.n && !o->quiet) {
        (void)fprintf(stderr,
                      "renorm: items past \"%.*s\", the table's TTL attribute, are filtered\n",
                      STR_FMT(job->plan->ttl));
    }
}

static void object(struct buf *out, const struct buf *members)
{
    if (!members->len)
        return;
    buf_putc(out, '{');
    buf_add_str(out, buf_view(members));
    buf_putc(out, '}');
}

static enum rc hand_over(struct job *job, const struct push *push, struct err *err)
{
    struct buf names, values;
    buf_init(&names, (size_t)2 << 20);
    buf_init(&values, (size_t)2 << 20);
    object(&names, &push->names);
    object(&values, &push->values);
    enum rc rc = buf_check(&names, err);
    if (!rc)
        rc = buf_check(&values, err);
    struct scan_push out = {.projection = buf_view(&push->projection),
                            .filter = buf_view(&push->filter),
                            .names = buf_view(&names),
                            .values = buf_view(&values)};
    if (!rc)
        rc = scan_push(job->source, &out, err);
    buf_release(&names);
    buf_release(&values);
    return rc;
}

static enum rc push_down(struct job *job, const struct options *o, const struct needs *needs,
                         struct err *err)
{
    struct scan_facts facts = scan_facts(job->source);
    struct push push;
    push_init(&push);
    push.holds = projected;
    push.ctx = &facts;
    enum rc rc = push_projection(&push, needs, err);
    if (!rc && o->push_filter)
        rc = push_filter(&push, job->plan, err);
    if (!rc && o->push_filter && !push.filter.len) {
        (void)fprintf(stderr,
                      "renorm: this model's conditions cannot be pushed to the server\n");
    }
    if (!rc && push.filter.len && !o->quiet) {
        (void)fprintf(stderr,
                      "renorm: the server filters: it sends less and reads as many units; what "
                      "it leaves out counts as filtered%s\n",
                      push.staged ? ", also what would have been rejected before a filter stage"
                                  : "");
    }
    if (!rc)
        rc = hand_over(job, &push, err);
    push_release(&push);
    return rc;
}

enum rc live_prepare(struct job *job, const struct options *o, struct err *err)
{
    struct needs needs;
    if (!scan_is(job->source))
        return RC_OK;
    enum rc rc = plan_needs(job->plan, &job->texts, &needs);
    if (rc)
        return err_nomem(err);
    live_tell_ttl(job, o);
    rc = tell_losses(job, &needs, err);
    return rc ? rc : push_down(job, o, &needs, err);
}
