/* SPDX-License-Identifier: MIT */
/*
 * A backfill often comes before its index, so names must do: endings that people give to
 * partition and sort keys, and what the model lists as indexing attributes.
 */
#include "sinks/dynamodb/recipe/key_role.h"

#include <strings.h>

static bool ends_like(struct str name, const char *ending)
{
    size_t n = strlen(ending);
    return name.n >= n && strncasecmp(name.p + name.n - n, ending, n) == 0;
}

static bool any_ending(struct str name, const char *const *endings, size_t n)
{
    bool found = false;
    for (size_t i = 0; !found && i < n; i++)
        found = ends_like(name, endings[i]);
    return found;
}

static bool is_hash_name(struct str name)
{
    static const char *const ENDINGS[] = {"pk", "hashkey", "hash_key", "partitionkey",
                                          "partition_key"};
    return any_ending(name, ENDINGS, sizeof ENDINGS / sizeof ENDINGS[0]);
}

/* Words end in "sk" too: only SK, or sk behind a digit or a separator. */
static bool is_short_range_name(struct str name)
{
    if (!ends_like(name, "sk"))
        return false;
    char last = name.p[name.n - 1], before = name.n > 2 ? name.p[name.n - 3] : '_';
    return last == 'K' ||
           !((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z'));
}

static bool is_range_name(struct str name)
{
    static const char *const ENDINGS[] = {"rangekey", "range_key", "sortkey", "sort_key"};
    return is_short_range_name(name) ||
           any_ending(name, ENDINGS, sizeof ENDINGS / sizeof ENDINGS[0]);
}

static bool is_indexing(const struct plan *plan, struct str name)
{
    bool found = false;
    for (uint32_t i = 0; !found && i < plan->indexing.n; i++)
        found = str_glob(name, plan->indexing.v[i]);
    return found && !str_eq(name, plan->type);
}

static const struct dynamodb_index *find_index(const struct dynamodb_table *t, struct str name,
                                               bool range)
{
    for (size_t i = 0; t && i < t->n_indexes; i++) {
        const struct dynamodb_schema *s = &t->indexes[i].schema;
        for (size_t k = 0; k < s->n; k++) {
            if (s->keys[k].range == range && str_eq(s->keys[k].name, name))
                return &t->indexes[i];
        }
    }
    return NULL;
}

enum key_role key_role(const struct plan *plan, const struct dynamodb_table *table,
                       struct str attribute, const struct dynamodb_index **index)
{
    *index = find_index(table, attribute, false);
    if (*index)
        return KEY_HASH;
    *index = find_index(table, attribute, true);
    if (*index)
        return KEY_RANGE;
    if (is_range_name(attribute))
        return KEY_RANGE_NAMED;
    return is_hash_name(attribute) || is_indexing(plan, attribute) ? KEY_HASH_NAMED : KEY_NONE;
}
