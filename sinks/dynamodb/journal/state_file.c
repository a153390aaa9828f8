/* SPDX-License-Identifier: MIT */
/* One line a pass: people look at it too. Members that are not known are left alone. */
#include "sinks/dynamodb/journal/state_file.h"

#include <inttypes.h>

#include <yyjson.h>

#include "pipeline/base/json.h"
#include "sinks/store/upgrade.h"

/* The second version says which renorm wrote it. */
static const struct upgrade_step STEPS[] = {{1, 2, NULL}};

static const struct upgrade_kind KIND = {.member = "renorm_backfill",
                                         .by = "renorm",
                                         .newest = STATE_VERSION,
                                         .steps = STEPS,
                                         .nsteps = sizeof STEPS / sizeof *STEPS};

static const char *const KINDS[] = {[PASS_FILL] = "fill", [PASS_UNDO] = "undo"};

static const char *word(bool b)
{
    return b ? "true" : "false";
}

void state_file_write(const struct state *s, struct buf *out)
{
    buf_addf(out, "{\n  \"renorm_backfill\": %d,\n  \"renorm\": ", STATE_VERSION);
    json_add_string(out, str_of(s->renorm ? s->renorm : ""));
    buf_puts(out, ",\n  \"table\": ");
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

enum rc state_file_read(struct state *s, struct buf *text, const char *path, struct err *err)
{
    uint32_t was = 0;
    enum rc rc = upgrade_text(&KIND, text, path, s->renorm ? s->renorm : "", &was, err);
    if (rc == RC_NONE)
        return err_set(err, RC_USAGE, "'%s' was not written by renorm", path);
    if (rc)
        return rc;
    yyjson_doc *doc = yyjson_read(text->p, text->len, 0);
    if (!take_all(s, yyjson_doc_get_root(doc)))
        rc = err_set(err, RC_USAGE, "'%s' is damaged", path);
    s->was = was;
    yyjson_doc_free(doc);
    return rc;
}
