/* SPDX-License-Identifier: MIT */
/*
 * Intents and outcomes are most of a journal, and the key must come back byte for byte: they
 * are cut out of the text by a cursor. Marks are few and have more to say: a JSON reader does
 * them, elsewhere.
 */
#include "sinks/dynamodb/journal/entry.h"

#include "pipeline/base/json.h"
#include "pipeline/item/canon.h"
#include "pipeline/source/files/format/skip.h"

static const char *const OUTCOMES[] = {
    [OUTCOME_CHANGED] = "changed",
    [OUTCOME_VOID] = "void",
};

/* JSON may hold line ends between its parts; a record is one line. */
static void add_one_line(struct buf *b, struct str json)
{
    size_t from = b->len;
    buf_add_str(b, json);
    for (size_t i = from; i < b->len; i++) {
        if (b->p[i] == '\n' || b->p[i] == '\r')
            b->p[i] = ' ';
    }
}

static bool differs(const struct setting *t)
{
    return t->old && t->new_ ? !value_eq(t->old, t->new_) : t->old != t->new_;
}

/* Targets that were right already are not written, so there is nothing to put back. */
static void add_targets(struct buf *b, const struct change *c, bool old)
{
    bool first = true;
    buf_putc(b, '{');
    for (uint32_t i = 0; i < c->ntargets; i++) {
        const struct setting *t = &c->targets[i];
        const struct val *v = old ? t->old : t->new_;
        if (!v || !differs(t))
            continue;
        if (!first)
            buf_putc(b, ',');
        first = false;
        json_add_string(b, t->path.members[0]);
        buf_putc(b, ':');
        canon_ddb(b, v);
    }
    buf_putc(b, '}');
}

void entry_intent(struct buf *b, uint64_t id, uint32_t segment, struct str key,
                  const struct change *c)
{
    uint64_t bytes = c->size_before > c->size_after ? c->size_before : c->size_after;
    buf_addf(b,
             "{\"intent\":%llu,\"segment\":%u,\"bytes\":%llu,\"key\":", (unsigned long long)id,
             segment, (unsigned long long)bytes);
    add_one_line(b, key);
    buf_puts(b, ",\"old\":");
    add_targets(b, c, true);
    buf_puts(b, ",\"new\":");
    add_targets(b, c, false);
    buf_putc(b, '}');
}

void entry_outcome(struct buf *b, uint64_t id, const uint32_t of[2], enum outcome what)
{
    buf_addf(b, "{\"outcome\":%llu", (unsigned long long)id);
    if (of)
        buf_addf(b, ",\"of\":[%u,%u]", of[0], of[1]);
    buf_addf(b, ",\"fate\":\"%s\"}", OUTCOMES[what]);
}

/* ---- reading --------------------------------------------------------------------------------- */

static enum rc bad(struct err *err)
{
    return err_set(err, RC_SINK, "the journal holds an entry that makes no sense");
}

static bool eat(struct str *s, struct str what)
{
    if (!str_starts(*s, what))
        return false;
    *s = str_from(*s, what.n);
    return true;
}

static bool eat_number(struct str *s, uint64_t max, uint64_t *out)
{
    size_t n = 0;
    while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
        n++;
    unsigned long long v = 0;
    if (!str_uint(str_make(s->p, n), &v) || v > max)
        return false;
    *out = v;
    *s = str_from(*s, n);
    return true;
}

static bool eat_u32(struct str *s, uint32_t *out)
{
    uint64_t v = 0;
    bool good = eat_number(s, UINT32_MAX, &v);
    *out = (uint32_t)v;
    return good;
}

static bool eat_object(struct str *s, struct str *out)
{
    struct skip skip = {0};
    bool done = false;
    if (!s->n || s->p[0] != '{')
        return false;
    size_t n = skip_run(&skip, s->p, s->n, &done);
    if (!done)
        return false;
    *out = str_make(s->p, n);
    *s = str_from(*s, n);
    return true;
}

static bool read_intent(struct str s, struct entry *e)
{
    e->kind = ENTRY_INTENT;
    return eat_number(&s, UINT64_MAX, &e->id) && eat(&s, STR(",\"segment\":")) &&
           eat_u32(&s, &e->segment) && eat(&s, STR(",\"bytes\":")) &&
           eat_number(&s, UINT64_MAX, &e->bytes) && eat(&s, STR(",\"key\":")) &&
           eat_object(&s, &e->key) && eat(&s, STR(",\"old\":")) && eat_object(&s, &e->old) &&
           eat(&s, STR(",\"new\":")) && eat_object(&s, &e->new_) && str_eq(s, STR("}"));
}

static bool read_outcome(struct str s, struct entry *e)
{
    e->kind = ENTRY_OUTCOME;
    if (!eat_number(&s, UINT64_MAX, &e->id))
        return false;
    if (eat(&s, STR(",\"of\":["))) {
        e->foreign = true;
        if (!eat_u32(&s, &e->generation) || !eat(&s, STR(",")) || !eat_u32(&s, &e->worker) ||
            !eat(&s, STR("]")))
            return false;
    }
    if (!eat(&s, STR(",\"fate\":\"")))
        return false;
    e->outcome = str_eq(s, STR("changed\"}")) ? OUTCOME_CHANGED : OUTCOME_VOID;
    return e->outcome == OUTCOME_CHANGED || str_eq(s, STR("void\"}"));
}

static bool read_mark(struct str s, struct entry *e)
{
    e->kind = ENTRY_MARK;
    return eat_u32(&s, &e->segment);
}

enum rc entry_next(struct str *rest, struct entry *out, struct err *err)
{
    struct str all;
    *out = (struct entry){0};
    if (str_eq(*rest, STR("]")) || str_eq(*rest, STR("[]"))) {
        *rest = (struct str){0};
        return RC_END;
    }
    if ((!eat(rest, STR("[")) && !eat(rest, STR(","))) || !eat_object(rest, &all))
        return bad(err);
    struct str s = all;
    bool good = false;
    if (eat(&s, STR("{\"intent\":"))) {
        good = read_intent(s, out);
    } else if (eat(&s, STR("{\"outcome\":"))) {
        good = read_outcome(s, out);
    } else if (eat(&s, STR("{\"mark\":"))) {
        out->mark = all;
        good = read_mark(s, out);
    }
    return good ? RC_OK : bad(err);
}

static enum rc decode(struct decoder *d, struct str json, struct arena *a, struct item *out,
                      struct err *err)
{
    struct fault why = {0};
    enum rc rc = item_decode(d, json, a, out, &why);
    if (rc == RC_DATA) {
        (void)bad(err);
        return err_context(err, "%s", why.detail);
    }
    return rc ? err_nomem(err) : RC_OK;
}

static enum rc add_target(struct change *c, struct arena *a, const struct member *m,
                          struct setting t, struct err *err)
{
    struct str *name = ARENA_NEW(a, struct str);
    if (!name)
        return err_nomem(err);
    *name = m->name;
    t.path = (struct path){name, 1};
    c->targets[c->ntargets++] = t;
    return RC_OK;
}

enum rc entry_change(const struct entry *e, struct decoder *d, struct arena *a,
                     struct change *out, struct err *err)
{
    struct item old = {0}, new_ = {0};
    *out = (struct change){.fate = FATE_CHANGED,
                           .entity = UINT32_MAX,
                           .size_before = e->bytes,
                           .size_after = e->bytes};
    enum rc rc = decode(d, e->old, a, &old, err);
    if (!rc)
        rc = decode(d, e->new_, a, &new_, err);
    if (rc)
        return rc;
    out->targets = arena_array(a, (size_t)old.n + new_.n + 1, sizeof *out->targets);
    if (!out->targets)
        return err_nomem(err);
    for (uint32_t i = 0; i < old.n && !rc; i++) {
        const struct member *m = &old.members[i];
        struct setting t = {.old = &m->val, .new_ = item_get(&new_, m->name)};
        rc = add_target(out, a, m, t, err);
    }
    for (uint32_t i = 0; i < new_.n && !rc; i++) {
        const struct member *m = &new_.members[i];
        if (!item_get(&old, m->name))
            rc = add_target(out, a, m, (struct setting){.new_ = &m->val}, err);
    }
    return rc;
}
