/* SPDX-License-Identifier: MIT */
/*
 * An index entry appears (one write), changes its key (two) or its projected attributes (one),
 * or disappears (one); each by the entry's size in KB.
 */
#include "tests/sim/gsi.h"

#include <stdlib.h>
#include <xxhash.h>

#include "tests/sim/av.h"

static yyjson_val *indexes(yyjson_doc *describe)
{
    return yyjson_obj_get(yyjson_doc_get_root(describe), "GlobalSecondaryIndexes");
}

static yyjson_val *find_in(yyjson_val *list, struct str name)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(list);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        if (str_eq(av_text(yyjson_obj_get(v, "IndexName")), name))
            return v;
    }
    return NULL;
}

yyjson_val *gsi_find(yyjson_doc *describe, struct str name)
{
    yyjson_val *found = find_in(indexes(describe), name);
    yyjson_val *root = yyjson_doc_get_root(describe);
    return found ? found : find_in(yyjson_obj_get(root, "LocalSecondaryIndexes"), name);
}

static yyjson_val *attribute(yyjson_val *item, yyjson_val *name)
{
    return yyjson_obj_getn(item, yyjson_get_str(name), yyjson_get_len(name));
}

bool gsi_has_keys(yyjson_val *index, yyjson_val *item)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(yyjson_obj_get(index, "KeySchema"));
    for (yyjson_val *k = yyjson_arr_iter_next(&it); k; k = yyjson_arr_iter_next(&it)) {
        if (!attribute(item, yyjson_obj_get(k, "AttributeName")))
            return false;
    }
    return item != NULL;
}

static bool same_keys(yyjson_val *index, yyjson_val *a, yyjson_val *b)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(yyjson_obj_get(index, "KeySchema"));
    for (yyjson_val *k = yyjson_arr_iter_next(&it); k; k = yyjson_arr_iter_next(&it)) {
        yyjson_val *name = yyjson_obj_get(k, "AttributeName");
        if (!av_equal(attribute(a, name), attribute(b, name)))
            return false;
    }
    return true;
}

static bool has_name(yyjson_val *list, struct str name, const char *member)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(list);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        if (str_eq(av_text(member ? yyjson_obj_get(v, member) : v), name))
            return true;
    }
    return false;
}

bool gsi_holds(yyjson_val *index, const struct table *t, struct str name)
{
    yyjson_val *projection = yyjson_obj_get(index, "Projection");
    struct str type = av_text(yyjson_obj_get(projection, "ProjectionType"));
    if (!str_is(type, "KEYS_ONLY") && !str_is(type, "INCLUDE"))
        return true;
    return str_is(name, t->pk) || (t->sk && str_is(name, t->sk)) ||
           has_name(yyjson_obj_get(index, "KeySchema"), name, "AttributeName") ||
           has_name(yyjson_obj_get(projection, "NonKeyAttributes"), name, NULL);
}

/* Does `b` have all that the entry of `a` has? */
static bool entry_within(yyjson_val *index, const struct table *t, yyjson_val *a, yyjson_val *b)
{
    yyjson_obj_iter it = yyjson_obj_iter_with(a);
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it)) {
        if (gsi_holds(index, t, av_text(k)) &&
            !av_equal(yyjson_obj_iter_get_val(k), attribute(b, k)))
            return false;
    }
    return true;
}

static double entry_units(yyjson_val *index, const struct table *t, yyjson_val *item)
{
    size_t size = 0;
    yyjson_obj_iter it = yyjson_obj_iter_with(item);
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it)) {
        if (gsi_holds(index, t, av_text(k)))
            size += yyjson_get_len(k) + av_size(yyjson_obj_iter_get_val(k));
    }
    size_t kb = (size + 1023) / 1024;
    return (double)kb;
}

static double one_index(yyjson_val *index, const struct table *t, yyjson_val *before,
                        yyjson_val *after)
{
    bool was = gsi_has_keys(index, before);
    bool is = gsi_has_keys(index, after);
    if (!was && !is)
        return 0;
    if (!was || !is)
        return entry_units(index, t, is ? after : before);
    double a = entry_units(index, t, before);
    double b = entry_units(index, t, after);
    if (!same_keys(index, before, after))
        return a + b;
    if (entry_within(index, t, before, after) && entry_within(index, t, after, before))
        return 0;
    return a > b ? a : b;
}

double gsi_units(yyjson_doc *describe, const struct table *t, yyjson_val *before,
                 yyjson_val *after, struct buf *out)
{
    double total = 0;
    yyjson_arr_iter it = yyjson_arr_iter_with(indexes(describe));
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        double units = one_index(v, t, before, after);
        if (units > 0) {
            buf_addf(out, "%s\"%s\":{\"CapacityUnits\":%.1f}", out->len ? "," : "",
                     yyjson_get_str(yyjson_obj_get(v, "IndexName")), units);
        }
        total += units;
    }
    return total;
}

size_t gsi_touched(yyjson_doc *describe, const struct table *t, yyjson_val *before,
                   yyjson_val *after, struct gsi_touch *out, size_t cap)
{
    size_t n = 0;
    yyjson_arr_iter it = yyjson_arr_iter_with(indexes(describe));
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v && n < cap;
         v = yyjson_arr_iter_next(&it)) {
        yyjson_val *key = yyjson_arr_get_first(yyjson_obj_get(v, "KeySchema")), *in = NULL;
        yyjson_val *item = gsi_has_keys(v, after) ? after : before;
        double units = one_index(v, t, before, after);
        if (units <= 0)
            continue;
        (void)av_type(attribute(item, yyjson_obj_get(key, "AttributeName")), &in);
        out[n++] =
            (struct gsi_touch){av_text(yyjson_obj_get(v, "IndexName")),
                               XXH3_64bits(yyjson_get_str(in), yyjson_get_len(in)), units};
    }
    return n;
}

static struct str defined_type(yyjson_doc *describe, yyjson_val *name)
{
    yyjson_val *list = yyjson_obj_get(yyjson_doc_get_root(describe), "AttributeDefinitions");
    yyjson_arr_iter it = yyjson_arr_iter_with(list);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        if (yyjson_equals(yyjson_obj_get(v, "AttributeName"), name))
            return av_text(yyjson_obj_get(v, "AttributeType"));
    }
    return STR("S");
}

static bool right_type(yyjson_doc *describe, yyjson_val *index, yyjson_val *name,
                       yyjson_val *av, struct reply *r)
{
    yyjson_val *in;
    struct str type = av_type(av, &in);
    struct str want = defined_type(describe, name);
    if (!str_eq(type, want)) {
        reply_invalid(r,
                      "One or more parameter values were invalid: Type mismatch for Index Key "
                      "%s Expected: %.*s Actual: %.*s IndexName: %s",
                      yyjson_get_str(name), STR_FMT(want), STR_FMT(type),
                      yyjson_get_str(yyjson_obj_get(index, "IndexName")));
        return false;
    }
    if (yyjson_get_len(in) == 0) {
        reply_invalid(r,
                      "One or more parameter values are not valid. A value specified for a "
                      "secondary index key is not supported. The AttributeValue for a key "
                      "attribute cannot contain an empty string value. IndexName: %s, "
                      "IndexKey: %s",
                      yyjson_get_str(yyjson_obj_get(index, "IndexName")), yyjson_get_str(name));
        return false;
    }
    return true;
}

static bool right_length(bool hash, yyjson_val *av, struct reply *r)
{
    size_t size = av_size(av);
    if (hash && size > 2048) {
        reply_invalid(r, "One or more parameter values were invalid: Size of hashkey has "
                         "exceeded the maximum size limit of 2048 bytes");
        return false;
    }
    if (!hash && size > 1024) {
        reply_invalid(r, "One or more parameter values were invalid: Aggregated size of all "
                         "range keys has exceeded the size limit of 1024 bytes");
        return false;
    }
    return true;
}

static bool check_index(yyjson_doc *describe, yyjson_val *index, yyjson_val *item,
                        struct reply *r)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(yyjson_obj_get(index, "KeySchema"));
    for (yyjson_val *k = yyjson_arr_iter_next(&it); k; k = yyjson_arr_iter_next(&it)) {
        yyjson_val *name = yyjson_obj_get(k, "AttributeName");
        yyjson_val *av = attribute(item, name);
        bool hash = str_is(av_text(yyjson_obj_get(k, "KeyType")), "HASH");
        if (av && (!right_type(describe, index, name, av, r) || !right_length(hash, av, r)))
            return false;
    }
    return true;
}

bool gsi_check(yyjson_doc *describe, yyjson_val *item, struct reply *r)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(indexes(describe));
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        if (!check_index(describe, v, item, r))
            return false;
    }
    return true;
}

bool gsi_is_global(yyjson_doc *describe, yyjson_val *index)
{
    return find_in(indexes(describe), av_text(yyjson_obj_get(index, "IndexName"))) == index;
}

static void copy(yyjson_val *name, yyjson_val *item, yyjson_mut_doc *doc,
                 yyjson_mut_val *target)
{
    yyjson_val *av = attribute(item, name);
    if (av) {
        (void)yyjson_mut_obj_put(target, yyjson_val_mut_copy(doc, name),
                                 yyjson_val_mut_copy(doc, av));
    }
}

bool gsi_project(yyjson_val *index, const struct table *t, yyjson_val *item,
                 yyjson_mut_doc *doc, yyjson_mut_val *target)
{
    yyjson_val *projection = yyjson_obj_get(index, "Projection");
    struct str type = av_text(yyjson_obj_get(projection, "ProjectionType"));
    if (!str_is(type, "KEYS_ONLY") && !str_is(type, "INCLUDE"))
        return false;
    yyjson_obj_iter all = yyjson_obj_iter_with(item);
    for (yyjson_val *k = yyjson_obj_iter_next(&all); k; k = yyjson_obj_iter_next(&all)) {
        if (yyjson_equals_str(k, t->pk) || (t->sk && yyjson_equals_str(k, t->sk)))
            copy(k, item, doc, target);
    }
    yyjson_arr_iter keys = yyjson_arr_iter_with(yyjson_obj_get(index, "KeySchema"));
    for (yyjson_val *k = yyjson_arr_iter_next(&keys); k; k = yyjson_arr_iter_next(&keys))
        copy(yyjson_obj_get(k, "AttributeName"), item, doc, target);
    yyjson_arr_iter more = yyjson_arr_iter_with(yyjson_obj_get(projection, "NonKeyAttributes"));
    for (yyjson_val *k = yyjson_arr_iter_next(&more); k; k = yyjson_arr_iter_next(&more))
        copy(k, item, doc, target);
    return true;
}

void gsi_add_keys(yyjson_val *index, const struct table *t, yyjson_val *item, struct buf *out)
{
    yyjson_arr_iter keys = yyjson_arr_iter_with(yyjson_obj_get(index, "KeySchema"));
    for (yyjson_val *k = yyjson_arr_iter_next(&keys); k; k = yyjson_arr_iter_next(&keys)) {
        yyjson_val *name = yyjson_obj_get(k, "AttributeName");
        if (yyjson_equals_str(name, t->pk) || (t->sk && yyjson_equals_str(name, t->sk)))
            continue;
        char *text = yyjson_val_write(attribute(item, name), 0, NULL);
        buf_addf(out, ",\"%s\":%s", yyjson_get_str(name), text ? text : "null");
        free(text);
    }
}
