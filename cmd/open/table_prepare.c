/* SPDX-License-Identifier: MIT */
/*
 * This happens before the run, with the table and the model at hand: attributes that an index lacks
 * are told, and attributes that nobody reads are not fetched. Items that no entity takes are not
 * fetched either, if the operator asked for it.
 */

#include "cmd/open/table_address.h"
#include "cmd/print/tell.h"
#include "pipeline/plan/pushdown.h"
#include "pipeline/source/several/several.h"
#include "pipeline/source/table/scan.h"

static bool in_schema(const struct dynamodb_schema *schema, struct str name)
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
    const struct dynamodb_index *x = f->index;
    if (!x || x->projection == DDB_PROJECT_ALL || in_schema(&x->schema, name) ||
        in_schema(&f->table->schema, name))
        return true;
    for (size_t i = 0; i < x->n_attributes; i++) {
        if (str_eq(x->attributes[i], name))
            return true;
    }
    return false;
}

void table_prepare_missing(const struct job *job, const struct attributes_read *needs,
                           struct buf *out)
{
    struct scan_facts f = scan_facts(job->source);
    for (uint32_t i = 0; i < needs->names.n; i++) {
        if (!projected(&f, needs->names.v[i]))
            buf_addf(out, "%s\"%.*s\"", out->len ? ", " : "", STR_FMT(needs->names.v[i]));
    }
}

/* Prints with --quiet, too, for what an index lacks is lost. */
static enum rc tell_losses(const struct job *job, const struct attributes_read *needs,
                           struct err *err)
{
    struct scan_facts f = scan_facts(job->source);
    struct buf list;
    if (!f.index || f.index->projection == DDB_PROJECT_ALL)
        return RC_OK;
    buf_init(&list, (size_t)1 << 20);
    table_prepare_missing(job, needs, &list);
    enum rc rc = buf_check(&list, err);
    if (!rc && list.len) {
        tell_warning("index \"%.*s\" does not hold what the model names: %s",
                     STR_FMT(f.index->name), buf_cstr(&list));
    }
    if (!rc && (needs->rest || needs->maybe.n)) {
        tell_warning("index \"%.*s\" holds some attributes only; others will not be "
                     "in the rows",
                     STR_FMT(f.index->name));
    }
    buf_release(&list);
    return rc;
}

void table_prepare_tell_ttl(const struct job *job, const struct options *o)
{
    struct scan_facts f = scan_facts(job->source);
    if (job->model->ttl.n || o->ttl)
        return;
    if (f.ttl_trouble[0]) {
        tell_warning("the table's TTL attribute is not known, expired items count as "
                     "any: %s",
                     f.ttl_trouble);
    } else if (job->plan->ttl.n && !o->quiet) {
        tell_warning("items past \"%.*s\", the table's TTL attribute, are filtered",
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

static enum rc hand_over(struct job *job, const struct pushdown *push, struct err *err)
{
    struct buf names, values;
    buf_init(&names, (size_t)2 << 20);
    buf_init(&values, (size_t)2 << 20);
    object(&names, &push->names);
    object(&values, &push->values);
    enum rc rc = buf_check(&names, err);
    if (!rc)
        rc = buf_check(&values, err);
    struct scan_pushdown out = {.projection = buf_view(&push->projection),
                                .filter = buf_view(&push->filter),
                                .names = buf_view(&names),
                                .values = buf_view(&values)};
    if (!rc)
        rc = scan_pushdown(job->source, &out, err);
    buf_release(&names);
    buf_release(&values);
    return rc;
}

static enum rc pushdown(struct job *job, const struct options *o,
                        const struct attributes_read *needs, struct err *err)
{
    struct scan_facts facts = scan_facts(job->source);
    struct pushdown push;
    pushdown_init(&push);
    push.holds = projected;
    push.ctx = &facts;
    enum rc rc = pushdown_projection(&push, needs, err);
    if (!rc && o->pushdown_filter)
        rc = pushdown_filter(&push, job->plan, err);
    if (!rc && o->pushdown_filter && !push.filter.len) {
        tell_warning("this model's conditions cannot be pushed to the server");
    }
    if (!rc && push.filter.len && !o->quiet) {
        tell_warning("the server filters: it sends less and reads as many units; what "
                     "it leaves out counts as filtered%s",
                     push.staged ? ", also what would have been rejected before a filter stage"
                                 : "");
    }
    if (!rc)
        rc = hand_over(job, &push, err);
    pushdown_release(&push);
    return rc;
}

static enum rc prepare_one(struct job *job, const struct options *o, struct err *err)
{
    struct attributes_read needs;
    if (!scan_is(job->source))
        return RC_OK;
    enum rc rc = plan_attributes_read(job->plan, &job->texts, &needs);
    if (rc)
        return err_nomem(err);
    table_prepare_tell_ttl(job, o);
    rc = tell_losses(job, &needs, err);
    return rc ? rc : pushdown(job, o, &needs, err);
}

enum rc table_prepare(struct job *job, const struct options *o, struct err *err)
{
    struct source *whole = job->source;
    size_t n = several_count(whole);
    enum rc rc = n ? RC_OK : prepare_one(job, o, err);
    for (size_t i = 0; !rc && i < n; i++) {
        job->source = several_get(whole, i);
        rc = prepare_one(job, o, err);
    }
    job->source = whole;
    return !rc && n ? several_identify(whole, err) : rc;
}
