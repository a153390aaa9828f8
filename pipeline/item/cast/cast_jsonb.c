/* SPDX-License-Identifier: MIT */
/*
 * Anything to plain JSON. PostgreSQL's jsonb cannot hold NUL: where a column lets them go,
 * the value is copied without them first, which may make two names of a map equal; that is
 * refused, as one of the two would vanish.
 */
#include "pipeline/item/canon.h"
#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/decode_check.h"

static enum rc drop_nul(struct casting *c, const struct val *v, struct val *out);

static enum rc drop_in_members(struct casting *c, const struct val *v, struct val *out)
{
    struct member *to = arena_alloc(c->arena, v->n * sizeof *to);
    if (!to)
        return RC_NOMEM;
    out->u.members = to;
    for (uint32_t i = 0; i < v->n; i++) {
        enum rc rc = cast_no_nul(c, v->u.members[i].name, &to[i].name);
        if (!rc)
            rc = drop_nul(c, &v->u.members[i].val, &to[i].val);
        if (rc)
            return rc;
    }
    uint32_t which;
    enum rc rc;
    if (decode_check_unique(to, v->n, c->arena, &which, &rc))
        return rc;
    return cast_misfit(c, "two names are equal once NUL bytes are dropped");
}

static enum rc drop_nul(struct casting *c, const struct val *v, struct val *out)
{
    *out = *v;
    if (v->kind == VAL_S)
        return cast_no_nul(c, v->u.s, &out->u.s);
    if (v->kind == VAL_M)
        return drop_in_members(c, v, out);
    if (v->kind != VAL_L && v->kind != VAL_SS)
        return RC_OK;
    out->u.list = arena_alloc(c->arena, v->n * sizeof *out->u.list);
    if (!out->u.list)
        return RC_NOMEM;
    for (uint32_t i = 0; i < v->n; i++) {
        enum rc rc = drop_nul(c, &v->u.list[i], &out->u.list[i]);
        if (rc)
            return rc;
    }
    return RC_OK;
}

/* The text, and whether a NUL is in it: only a text with escapes can have one. */
static enum rc to_text(struct casting *c, const struct val *v, struct buf *b, bool *nul)
{
    uint64_t lossy = 0;
    buf_clear(b);
    canon_plain(b, v, &lossy);
    *nul = b->len && memchr(b->p, '\\', b->len) && value_has_nul(v);
    if (b->rc)
        return b->rc;
    if (lossy)
        return cast_lossy(c, LOSSY_JSON, "binary and sets in it need the lossy rule \"json\"");
    return RC_OK;
}

enum rc cast_jsonb(struct casting *c)
{
    struct buf b;
    struct val clean;
    bool nul = false;
    buf_init(&b, BUF_NO_LIMIT);
    (void)buf_room(&b, 512); /* enough for most, so that it grows once */
    enum rc rc = to_text(c, c->v, &b, &nul);
    if (!rc && nul)
        rc = drop_nul(c, c->v, &clean);
    if (!rc && nul)
        rc = to_text(c, &clean, &b, &nul);
    if (!rc) {
        c->out->u.text = arena_dup(c->arena, buf_view(&b));
        rc = c->out->u.text.p ? RC_OK : RC_NOMEM;
    }
    buf_release(&b);
    return rc;
}
