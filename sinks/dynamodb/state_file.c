/* SPDX-License-Identifier: MIT */
/* One line a pass: people look at it too. Members that are not known are left alone. */
#include "sinks/dynamodb/state_file.h"

#include <inttypes.h>

#include <yyjson.h>

#include "pipeline/base/json.h"

enum { VERSION = 1 };

static const char *const KINDS[] = {[PASS_FILL] = "fill", [PASS_UNDO] = "undo"};

static const char *word(bool b)
{
    return b ? "true" : "false";
}

void state_file_write(const struct state *s, struct buf *out)
{
    buf_addf(out, "{\n  \"renorm_backfill\": %d,\n  \"table\": ", VERSION);
    json_add_string(out, s->table);
    buf_puts(out, ",\n  \"passes\": [");
    for (uint32_t i = 0; i < s->n; i++) {
        const struct pass_info *p = &s->passes[i];
        buf_addf(out,
                 "%s\n    {\"pass\": %u, \"kind\": \"%s\", \"generations\": %u, "
                 "\"segments\": %u, \"now_us\": %" PRId64 ", \"model\": ",
                 i ? "," : "", p->number, KINDS[p->kind], p->generations, p->segments,
                 p->now_us);
        json_add_string(out, p->model);
        buf_addf(out, ", \"finished\": %s, \"abandoned\": %s, \"undone\": %s}",
                 word(p->finished), word(p->abandoned), word(p->undone));
    }
    buf_puts(out, "\n  ]\n}\n");
}

struct pass_info *state_file_push(struct state *s)
{
    if (s->n == s->cap) {
        uint32_t cap = s->cap ? 2 * s->cap : 8;
        struct pass_info *more = arena_array(&s->arena, cap, sizeof *more);
        if (!more)
            return NULL;
        if (s->n)
            memcpy(more, s->passes, s->n * sizeof *more);
        s->passes = more;
        s->cap = cap;
    }
    struct pass_info *p = &s->passes[s->n++];
    *p = (struct pass_info){.number = s->n};
    return p;
}

static bool is_true(yyjson_val *obj, const char *name)
{
    return yyjson_get_bool(yyjson_obj_get(obj, name));
}

static bool take_u32(yyjson_val *obj, const char *name, uint32_t *out)
{
    yyjson_val *v = yyjson_obj_get(obj, name);
    *out = (uint32_t)yyjson_get_uint(v);
    return yyjson_is_uint(v) && yyjson_get_uint(v) <= UINT32_MAX;
}

static bool take_text(struct state *s, yyjson_val *obj, const char *name, struct str *out)
{
    yyjson_val *v = yyjson_obj_get(obj, name);
    if (!yyjson_is_str(v))
        return false;
    *out = arena_dup(&s->arena, str_make(yyjson_get_str(v), yyjson_get_len(v)));
    return out->p;
}

static bool take_pass(struct state *s, yyjson_val *v)
{
    struct pass_info *p = state_file_push(s);
    uint32_t number = 0;
    yyjson_val *now = yyjson_obj_get(v, "now_us");
    yyjson_val *kind = yyjson_obj_get(v, "kind");
    if (!p || !take_u32(v, "pass", &number) || number != p->number || !yyjson_is_int(now) ||
        !take_u32(v, "generations", &p->generations) || !take_u32(v, "segments", &p->segments))
        return false;
    p->kind = yyjson_equals_str(kind, KINDS[PASS_UNDO]) ? PASS_UNDO : PASS_FILL;
    p->now_us = yyjson_get_sint(now);
    p->finished = is_true(v, "finished");
    p->abandoned = is_true(v, "abandoned");
    p->undone = is_true(v, "undone");
    return take_text(s, v, "model", &p->model) && yyjson_equals_str(kind, KINDS[p->kind]);
}

static bool take_all(struct state *s, yyjson_val *root)
{
    size_t i, n;
    yyjson_val *v, *passes = yyjson_obj_get(root, "passes");
    if (!take_text(s, root, "table", &s->table) || !yyjson_is_arr(passes))
        return false;
    yyjson_arr_foreach(passes, i, n, v)
    {
        if (!take_pass(s, v))
            return false;
    }
    return true;
}

enum rc state_file_read(struct state *s, struct str text, const char *path, struct err *err)
{
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *version = yyjson_obj_get(root, "renorm_backfill");
    enum rc rc = RC_OK;
    if (!yyjson_is_uint(version)) {
        rc = err_set(err, RC_USAGE, "'%s' was not written by renorm", path);
    } else if (yyjson_get_uint(version) != VERSION) {
        rc = err_set(err, RC_USAGE, "'%s' was written by another version of renorm", path);
    } else if (!take_all(s, root)) {
        rc = err_set(err, RC_USAGE, "'%s' is damaged", path);
    }
    yyjson_doc_free(doc);
    return rc;
}
