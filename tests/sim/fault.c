/* SPDX-License-Identifier: MIT */
/*
 * The members of a rule are a table of name, kind and place. Unknown members are errors: a test
 * with a misspelt rule would otherwise pass by testing nothing.
 */
#include "tests/sim/fault.h"

#include <stdlib.h>
#include <yyjson.h>

#include "tests/sim/act.h"
#include "tests/sim/av.h"
#include "tests/sim/mem.h"

enum kind { TEXT, WHOLE, REAL, FLAG, ACTION, CRC, SEED };

static const struct member {
    const char *name;
    enum kind kind;
    size_t offset;
} members[] = {
    {"operation", TEXT, offsetof(struct fault_rule, operation)},
    {"token", TEXT, offsetof(struct fault_rule, token)},
    {"key_id", TEXT, offsetof(struct fault_rule, key_id)},
    {"pk", TEXT, offsetof(struct fault_rule, pk)},
    {"segment", WHOLE, offsetof(struct fault_rule, segment)},
    {"nth", WHOLE, offsetof(struct fault_rule, nth)},
    {"every", WHOLE, offsetof(struct fault_rule, every)},
    {"after", WHOLE, offsetof(struct fault_rule, after)},
    {"times", WHOLE, offsetof(struct fault_rule, times)},
    {"probability", REAL, offsetof(struct fault_rule, probability)},
    {"seed", SEED, offsetof(struct fault_rule, random)},
    {"action", ACTION, offsetof(struct fault_rule, action)},
    {"apply", FLAG, offsetof(struct fault_rule, apply)},
    {"crc", CRC, offsetof(struct fault_rule, right_crc)},
    {"status", WHOLE, offsetof(struct fault_rule, status)},
    {"ms", WHOLE, offsetof(struct fault_rule, ms)},
    {"bytes", WHOLE, offsetof(struct fault_rule, bytes)},
    {"seconds", WHOLE, offsetof(struct fault_rule, seconds)},
    {"retry_after_ms", WHOLE, offsetof(struct fault_rule, retry_after_ms)},
    {"rcu", REAL, offsetof(struct fault_rule, rcu)},
    {"wcu", REAL, offsetof(struct fault_rule, wcu)},
    {"partition_rcu", REAL, offsetof(struct fault_rule, partition_rcu)},
    {"partition_wcu", REAL, offsetof(struct fault_rule, partition_wcu)},
    {"error", TEXT, offsetof(struct fault_rule, error)},
    {"message", TEXT, offsetof(struct fault_rule, message)},
    {"reason", TEXT, offsetof(struct fault_rule, reason)},
    {"value", TEXT, offsetof(struct fault_rule, value)},
};

static void rule_release(struct fault_rule *r)
{
    free(r->operation);
    free(r->token);
    free(r->key_id);
    free(r->pk);
    free(r->error);
    free(r->message);
    free(r->reason);
    free(r->value);
}

void fault_release(struct fault_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        rule_release(&set->rules[i]);
    free(set->rules);
    *set = (struct fault_set){0};
}

static bool set_text(char **at, yyjson_val *v)
{
    if (!yyjson_is_str(v) || *at)
        return false;
    *at = mem_dup(av_text(v));
    return true;
}

static bool set_crc(bool *at, yyjson_val *v)
{
    *at = str_is(av_text(v), "right");
    return *at || str_is(av_text(v), "wrong");
}

static bool set_member(struct fault_rule *r, const struct member *m, yyjson_val *v)
{
    void *at = (char *)r + m->offset;
    switch (m->kind) {
    case TEXT:
        return set_text(at, v);
    case WHOLE:
        *(int64_t *)at = yyjson_get_sint(v);
        return yyjson_is_int(v);
    case SEED:
        *(uint64_t *)at = (uint64_t)yyjson_get_sint(v) * 0x9e3779b97f4a7c15u + 1;
        return yyjson_is_int(v);
    case REAL:
        *(double *)at = yyjson_get_num(v);
        return yyjson_is_num(v);
    case FLAG:
        *(bool *)at = yyjson_get_bool(v);
        return yyjson_is_bool(v);
    case CRC:
        return set_crc(at, v);
    case ACTION:
        r->action = act_find(av_text(v));
        return r->action != NULL;
    }
    return false;
}

static const struct member *find_member(struct str name)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (str_is(name, members[i].name))
            return &members[i];
    }
    return NULL;
}

static enum rc read_rule(struct fault_rule *r, yyjson_val *obj, struct err *err)
{
    *r = (struct fault_rule){.segment = -1,
                             .times = -1,
                             .probability = 1,
                             .random = 0x9e3779b97f4a7c15u,
                             .rcu = -1,
                             .wcu = -1,
                             .partition_rcu = -1,
                             .partition_wcu = -1};
    if (!yyjson_is_obj(obj))
        return err_set(err, RC_USAGE, "a fault rule must be a JSON object");
    yyjson_obj_iter it = yyjson_obj_iter_with(obj);
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it)) {
        const struct member *m = find_member(av_text(k));
        if (!m) {
            return err_set(err, RC_USAGE, "unknown member \"%s\" in a fault rule",
                           yyjson_get_str(k));
        }
        if (!set_member(r, m, yyjson_obj_iter_get_val(k))) {
            return err_set(err, RC_USAGE, "bad value of \"%s\" in a fault rule",
                           yyjson_get_str(k));
        }
    }
    if (!r->action)
        return err_set(err, RC_USAGE, "a fault rule without \"action\"");
    return RC_OK;
}

static enum rc add_rule(struct fault_set *set, yyjson_val *obj, struct err *err)
{
    struct fault_rule rule;
    enum rc rc = read_rule(&rule, obj, err);
    if (rc) {
        rule_release(&rule);
        return rc;
    }
    set->rules = mem_resize(set->rules, (set->n + 1) * sizeof *set->rules);
    set->rules[set->n++] = rule;
    return RC_OK;
}

enum rc fault_add(struct fault_set *set, struct str json, struct err *err)
{
    char *copy = mem_dup(json);
    yyjson_read_flag flags = YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS;
    yyjson_doc *doc = yyjson_read_opts(copy, json.n, flags, NULL, NULL);
    yyjson_val *root = yyjson_doc_get_root(doc);
    size_t before = set->n;
    enum rc rc = RC_OK;
    if (yyjson_is_arr(root)) {
        yyjson_arr_iter it = yyjson_arr_iter_with(root);
        for (yyjson_val *v = yyjson_arr_iter_next(&it); v && !rc; v = yyjson_arr_iter_next(&it))
            rc = add_rule(set, v, err);
    } else if (yyjson_is_obj(root)) {
        rc = add_rule(set, root, err);
    } else {
        rc = err_set(err, RC_USAGE, "fault rules must be a JSON array or object");
    }
    while (rc && set->n > before)
        rule_release(&set->rules[--set->n]);
    yyjson_doc_free(doc);
    free(copy);
    return rc;
}

static bool matches(const struct fault_rule *r, const struct fault_request *req)
{
    return (!r->operation || str_is(req->operation, r->operation)) &&
           (!r->token || str_is(req->token, r->token)) &&
           (!r->key_id || str_is(req->key_id, r->key_id)) &&
           (!r->pk || str_is(req->pk, r->pk)) && (r->segment < 0 || r->segment == req->segment);
}

static double draw(struct fault_rule *r)
{
    r->random ^= r->random << 13;
    r->random ^= r->random >> 7;
    r->random ^= r->random << 17;
    return (double)(r->random >> 11) / 9007199254740992.0;
}

static bool fires(struct fault_rule *r)
{
    r->seen++;
    if ((r->nth > 0 && r->seen != r->nth) || (r->every > 0 && r->seen % r->every != 0) ||
        r->seen <= r->after || (r->times >= 0 && r->fired >= r->times))
        return false;
    return draw(r) < r->probability;
}

struct fault_rule *fault_pick(struct fault_set *set, const struct fault_request *req)
{
    struct fault_rule *chosen = NULL;
    for (size_t i = 0; i < set->n; i++) {
        struct fault_rule *r = &set->rules[i];
        if (matches(r, req) && fires(r) && !chosen) {
            r->fired++;
            chosen = r;
        }
    }
    return chosen;
}
