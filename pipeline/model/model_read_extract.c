/* SPDX-License-Identifier: MIT */
/* The extract stage: a table, its key, its columns, and the rule that picks the winner. */
#include "pipeline/model/model_reader.h"

static void read_rule(struct reader *r, struct node n, void *target)
{
    static const struct choice WINNERS[] = {{"owner", EXTRACT_OWNER},
                                            {"first", EXTRACT_FIRST},
                                            {"last", EXTRACT_LAST},
                                            {"latest", EXTRACT_LATEST},
                                            {"majority", EXTRACT_MAJORITY}};
    struct extract_spec *e = target;
    int v = 0;
    if (reader_choice(r, n, WINNERS, NRULES(WINNERS), &v)) {
        e->rule = (enum extract_rule)v;
        e->rule_given = true;
    }
}

static void check_key(struct reader *r, struct node n, const struct extract_spec *e)
{
    for (uint32_t i = 0; i < e->key.n; i++) {
        uint32_t k = 0;
        while (k < e->columns.n && !str_eq(e->columns.v[k].name, e->key.v[i]))
            k++;
        if (k == e->columns.n) {
            problems_add(r->problems, reader_place(r, n.at),
                         "key column %s is not among the columns of the extract\nhint: add it "
                         "to \"columns\"",
                         reader_show(r, e->key.v[i]));
        }
    }
}

void read_extract(struct reader *r, struct node n, void *target)
{
    static const struct rule RULES[] = {
        {"into", read_name, offsetof(struct extract_spec, into), true},
        {"key", read_names, offsetof(struct extract_spec, key), true},
        {"columns", read_columns, offsetof(struct extract_spec, columns), true},
        {"rule", read_rule, 0, false},
        {"by", read_path, offsetof(struct extract_spec, by), false}};
    struct extract_spec *e = target;
    reader_object(r, n, RULES, NRULES(RULES), e);
    if (!yyjson_is_obj(n.v))
        return;
    if (e->columns.n)
        check_key(r, n, e);
    bool latest = e->rule_given && e->rule == EXTRACT_LATEST;
    if (latest && e->by.n == 0) {
        problems_add(r->problems, reader_place(r, n.at),
                     "rule \"latest\" needs \"by\", the attribute that says how late");
    } else if (!latest && e->by.n) {
        problems_add(r->problems, reader_place(r, n.at),
                     "\"by\" is for the rule \"latest\" only");
    }
}
