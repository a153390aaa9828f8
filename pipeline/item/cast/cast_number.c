/* SPDX-License-Identifier: MIT */
/*
 * Casts of numbers: decimal text to integers, numeric, epochs. Whole numbers are cut out of
 * the canonical text; only double precision, by its named rule, goes through a float.
 */
#include <stdlib.h>

#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"
#include "pipeline/item/timestamp.h"

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

/* Moves the point `places` to the right, in plain notation; room for both texts. */
static struct str shift_point(struct str canonical, unsigned places, char room[400])
{
    char plain[400];
    size_t n = decimal_plain(canonical, plain), at = 0, i = 0;
    while (i < n && plain[i] != '.')
        room[at++] = plain[i++];
    i++;
    for (; places > 0; places--)
        room[at++] = i < n ? plain[i++] : '0';
    if (i < n) {
        room[at++] = '.';
        while (i < n)
            room[at++] = plain[i++];
    }
    return str_make(room, at);
}

/* `number` is canonical. */
static enum rc epoch(struct casting *c, struct str number)
{
    static const unsigned PLACES[] = {[UNIT_S] = 6, [UNIT_MS] = 3, [UNIT_US] = 0};
    if (c->cast->unit == UNIT_NONE)
        return cast_misfit(c, "a number needs a \"unit\": s, ms or us");
    char room[400];
    struct str text = shift_point(number, PLACES[c->cast->unit], room);
    const char *point = memchr(text.p, '.', text.n);
    struct str whole = point ? str_make(text.p, (size_t)(point - text.p)) : text;
    int64_t us = 0;
    if (!decimal_int64(whole, &us) || !timestamp_in_range(us))
        return cast_misfit(c, "it is outside the years 1 to 9999");
    if (point) {
        enum rc rc =
            cast_lossy(c, LOSSY_ROUND,
                       "it is finer than a microsecond, which the lossy rule \"round\" cuts");
        if (rc)
            return rc;
        us -= text.p[0] == '-'; /* towards the past, as digits of a clock are cut */
    }
    c->out->u.i = us;
    return timestamp_in_range(us) ? RC_OK : cast_misfit(c, "it is outside the years 1 to 9999");
}

/* A string that spells a number, where the column has a unit to count by. */
static bool spells_epoch(const struct casting *c, char room[DECIMAL_MAX], struct str *number)
{
    size_t n = 0;
    bool same = false;
    if (c->v->kind != VAL_S || c->cast->unit == UNIT_NONE ||
        decimal_canon(c->v->u.s, room, &n, &same) != DECIMAL_OK)
        return false;
    *number = same ? c->v->u.s : str_make(room, n);
    return true;
}

enum rc cast_timestamptz(struct casting *c)
{
    bool cut = false;
    char room[DECIMAL_MAX];
    struct str number = c->v->u.s;
    if (c->v->kind == VAL_N || spells_epoch(c, room, &number))
        return epoch(c, number);
    if (c->v->kind != VAL_S || !timestamp_parse_stamp(c->v->u.s, &c->out->u.i, &cut)) {
        return cast_misfit(c, c->cast->unit
                                  ? "it takes a number, or ISO 8601 with Z or an offset"
                                  : "it takes ISO 8601 with Z or an offset");
    }
    if (!cut)
        return RC_OK;
    return cast_lossy(c, LOSSY_ROUND,
                      "it is finer than a microsecond, which the lossy rule \"round\" cuts");
}
