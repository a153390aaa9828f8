/* SPDX-License-Identifier: MIT */
/*
 * Casts of numbers: decimal text to integers and numeric. Whole numbers are cut out of
 * the canonical text; only double precision, by its named rule, goes through a float.
 */
#include <stdlib.h>

#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"

/* The canonical text of an N, or of an S that spells a number. */
static enum rc number_text(struct casting *c, struct str *out)
{
    *out = c->v->u.s;
    if (c->v->kind == VAL_N)
        return RC_OK;
    char canonical[DECIMAL_MAX];
    size_t n;
    bool same;
    if (c->v->kind != VAL_S)
        return cast_misfit(c, NULL);
    switch (decimal_canon(c->v->u.s, canonical, &n, &same)) {
    case DECIMAL_SYNTAX:
        return cast_misfit(c, NULL);
    case DECIMAL_DIGITS:
        return cast_misfit(c, "it has more than 38 significant digits");
    case DECIMAL_RANGE:
        return cast_misfit(c, "it is beyond the range of 1E-130 to 9.9E+125");
    case DECIMAL_OK:
        break;
    }
    if (!same)
        *out = arena_dup(c->arena, str_make(canonical, n));
    return out->p ? RC_OK : RC_NOMEM;
}

enum rc cast_numeric(struct casting *c)
{
    return number_text(c, &c->out->u.text);
}

/* The digits before the point; *cut if others were left out. Plain notation in `room`. */
static struct str whole_part(struct str canonical, char room[400], bool *cut)
{
    struct str plain = str_make(room, decimal_plain(canonical, room));
    const char *point = memchr(plain.p, '.', plain.n);
    *cut = point != NULL;
    return point ? str_make(plain.p, (size_t)(point - plain.p)) : plain;
}

enum rc cast_integer(struct casting *c)
{
    struct str text;
    enum rc rc = number_text(c, &text);
    if (rc)
        return rc;
    bool fits = decimal_int64(text, &c->out->u.i);
    if (!fits) {
        char room[400];
        bool cut;
        struct str whole = whole_part(text, room, &cut);
        if (cut) {
            rc = cast_lossy(c, LOSSY_ROUND,
                            "it has a fraction, which the lossy rule \"round\" cuts");
        }
        if (rc)
            return rc;
        /* "-0" comes of -0.5: decimal_int64 reads it as 0 */
        fits = decimal_int64(whole, &c->out->u.i);
    }
    const struct column_type *type = &column_types[c->cast->type];
    fits = fits && c->out->u.i >= type->least && c->out->u.i <= type->most;
    return fits ? RC_OK : cast_misfit(c, "it is out of range");
}

enum rc cast_double(struct casting *c)
{
    if (c->v->kind != VAL_N)
        return cast_misfit(c, "only N does");
    enum rc rc =
        cast_lossy(c, LOSSY_FLOAT, "digits may be lost, which needs the lossy rule \"float\"");
    if (rc)
        return rc;
    char text[DECIMAL_MAX + 1];
    if (c->v->u.s.n > DECIMAL_MAX)
        return cast_misfit(c, NULL);
    memcpy(text, c->v->u.s.p, c->v->u.s.n);
    text[c->v->u.s.n] = '\0';
    c->out->u.d = strtod(text, NULL);
    return RC_OK;
}
