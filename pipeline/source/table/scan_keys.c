/* SPDX-License-Identifier: MIT */
/*
 * A circle is found as Brent does it, in the memory of one key: the mark stays while twice as
 * many steps are taken as the time before, and every key is compared with it. Once the mark
 * stands inside the circle and the steps suffice for a round, the mark is met again.
 * https://maths-people.anu.edu.au/~brent/pd/rpb051i.pdf
 */
#include "pipeline/source/table/scan_keys.h"

#include <yyjson.h>

static void add_keys(struct scan_keys *k, const struct dynamodb_schema *schema)
{
    for (size_t i = 0; i < schema->n; i++) {
        bool known = false;
        for (size_t j = 0; j < k->n && !known; j++)
            known = str_eq(k->keys[j].name, schema->keys[i].name);
        if (!known)
            k->keys[k->n++] = schema->keys[i];
    }
}

void scan_keys_init(struct scan_keys *k, const struct dynamodb_schema *table,
                    const struct dynamodb_schema *index)
{
    k->n = 0;
    add_keys(k, table);
    if (index)
        add_keys(k, index);
}

/* {"S":"text"}; where DescribeTable did not define the type, any type that a key may have. */
static bool of_type(yyjson_val *v, char type)
{
    static const char *const TYPES[] = {"S", "N", "B"};
    bool fits = false;
    for (size_t i = 0; i < 3 && yyjson_obj_size(v) == 1 && !fits; i++) {
        fits =
            (type == '?' || type == TYPES[i][0]) && yyjson_is_str(yyjson_obj_get(v, TYPES[i]));
    }
    return fits;
}

static enum rc check_members(const struct scan_keys *k, yyjson_val *root, struct err *err)
{
    if (!yyjson_is_obj(root))
        return err_set(err, RC_SOURCE, "LastEvaluatedKey is no object");
    for (size_t i = 0; i < k->n; i++) {
        const struct dynamodb_key *key = &k->keys[i];
        yyjson_val *v = yyjson_obj_getn(root, key->name.p, key->name.n);
        if (!v) {
            return err_set(err, RC_SOURCE, "LastEvaluatedKey lacks the key attribute \"%.*s\"",
                           STR_FMT(key->name));
        }
        if (!of_type(v, key->type)) {
            return err_set(err, RC_SOURCE,
                           "LastEvaluatedKey has the key attribute \"%.*s\" as another type",
                           STR_FMT(key->name));
        }
    }
    if (yyjson_obj_size(root) != k->n)
        return err_set(err, RC_SOURCE, "LastEvaluatedKey has attributes that are no keys");
    return RC_OK;
}

enum rc scan_keys_check(const struct scan_keys *k, struct str key, struct err *err)
{
    yyjson_doc *doc = yyjson_read(key.p, key.n, 0);
    enum rc rc = check_members(k, yyjson_doc_get_root(doc), err);
    yyjson_doc_free(doc);
    return rc;
}

/* ---- going in a circle ----------------------------------------------------------------------- */

void scan_circle_init(struct scan_circle *t, size_t max)
{
    *t = (struct scan_circle){.until = 1};
    buf_init(&t->mark, max);
}

void scan_circle_release(struct scan_circle *t)
{
    buf_release(&t->mark);
}

static enum rc set_mark(struct scan_circle *t, struct str key, struct err *err)
{
    t->steps = 0;
    buf_clear(&t->mark);
    buf_add_str(&t->mark, key);
    return buf_check(&t->mark, err);
}

enum rc scan_circle_start(struct scan_circle *t, struct str resume, struct err *err)
{
    t->until = 1;
    return set_mark(t, resume, err);
}

enum rc scan_circle_step(struct scan_circle *t, struct str key, struct err *err)
{
    if (t->mark.len && str_eq(buf_view(&t->mark), key))
        return err_set(err, RC_SOURCE, "LastEvaluatedKey is one that was there before");
    if (++t->steps < t->until)
        return RC_OK;
    t->until *= 2;
    return set_mark(t, key, err);
}
