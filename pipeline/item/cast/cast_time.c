/* SPDX-License-Identifier: MIT */
/*
 * Casts to days, instants and local times. A text says a day and a time; whether that is an instant
 * depends on its offset, or on the zone of the column. A number with a unit is an instant.
 */
#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/decimal.h"
#include "pipeline/item/time/time_format.h"
#include "pipeline/item/timestamp.h"

static const int64_t SECOND = 1000000;

static enum rc out_of_range(struct casting *c)
{
    return cast_misfit(c, "it is outside the years 1 to 9999");
}

static enum rc cut(struct casting *c)
{
    return cast_lossy(c, LOSSY_ROUND,
                      "it is finer than a microsecond, which the lossy rule \"round\" cuts");
}

/* ---- numbers ---- */
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
static enum rc epoch(struct casting *c, struct str number, int64_t *us)
{
    static const unsigned PLACES[] = {[UNIT_S] = 6, [UNIT_MS] = 3, [UNIT_US] = 0};
    if (c->cast->unit == UNIT_NONE)
        return cast_misfit(c, "a number needs a \"unit\": s, ms or us");
    char room[400];
    struct str text = shift_point(number, PLACES[c->cast->unit], room);
    const char *point = memchr(text.p, '.', text.n);
    struct str whole = point ? str_make(text.p, (size_t)(point - text.p)) : text;
    if (!decimal_int64(whole, us) || !timestamp_in_range(*us))
        return out_of_range(c);
    if (point) {
        enum rc rc = cut(c);
        if (rc)
            return rc;
        *us -= text.p[0] == '-'; /* towards the past, as digits of a clock are cut */
    }
    return timestamp_in_range(*us) ? RC_OK : out_of_range(c);
}

/* A number, or a string that spells one where the column has a unit to count by. */
static bool is_epoch(const struct casting *c, char room[DECIMAL_MAX], struct str *number)
{
    size_t n = 0;
    bool same = false;
    *number = c->v->u.s;
    if (c->v->kind == VAL_N)
        return true;
    if (c->v->kind != VAL_S || c->cast->unit == UNIT_NONE ||
        decimal_canon(c->v->u.s, room, &n, &same) != DECIMAL_OK)
        return false;
    *number = same ? c->v->u.s : str_make(room, n);
    return true;
}

/* ---- texts ---- */
static bool read_text(const struct casting *c, struct timestamp_text *out)
{
    const struct cast_time *t = c->cast->time;
    if (c->v->kind != VAL_S)
        return false;
    if (!t || t->nformats == 0 || t->iso) {
        if (timestamp_parse_text(c->v->u.s, out))
            return true;
    }
    for (uint32_t i = 0; t && i < t->nformats; i++) {
        if (time_format_read(t->formats[i], c->v->u.s, out))
            return true;
    }
    return false;
}

/* What would be right where no text was understood. */
static const char *wanted(const struct casting *c, const char *iso)
{
    if (c->cast->time && c->cast->time->nformats)
        return "it is not spelt as its \"format\" says";
    return iso;
}

static int64_t floor_second(int64_t us)
{
    return us / SECOND - (us % SECOND < 0);
}

/* The instant at which clocks of the column's zone show it. */
static enum rc in_zone(struct casting *c, int64_t local, int64_t *us)
{
    const struct cast_time *t = c->cast->time;
    int64_t second = floor_second(local), earlier, later;
    enum time_zone_fit fit = time_zone_instants(t->zone, second, &earlier, &later);
    if (fit != TIME_ZONE_ONCE) {
        const char *why = fit == TIME_ZONE_TWICE
                              ? "clocks of its zone show it twice; \"ambiguous\" says which"
                              : "clocks of its zone skip it; \"ambiguous\" says what it is";
        enum rc rc = cast_lossy(c, LOSSY_AMBIGUOUS, why);
        if (rc)
            return rc;
    }
    *us = (t->later ? later : earlier) * SECOND + (local - second * SECOND);
    return RC_OK;
}

static enum rc to_instant(struct casting *c, const struct timestamp_text *text, int64_t *us)
{
    *us = timestamp_text_us(text) - text->east;
    if (!text->has_offset && (!c->cast->time || !c->cast->time->zone))
        return cast_misfit(c, "it has no offset; a \"zone\" would say what time it is");
    return text->has_offset ? RC_OK : in_zone(c, *us, us);
}

enum rc cast_date(struct casting *c)
{
    struct timestamp_text text;
    if (!read_text(c, &text) || text.has_clock)
        return cast_misfit(c, wanted(c, "only a string YYYY-MM-DD does"));
    c->out->u.i = text.days;
    return RC_OK;
}

enum rc cast_timestamptz(struct casting *c)
{
    char room[DECIMAL_MAX];
    struct str number;
    struct timestamp_text text;
    if (is_epoch(c, room, &number))
        return epoch(c, number, &c->out->u.i);
    if (!read_text(c, &text)) {
        return cast_misfit(
            c, wanted(c, c->cast->unit ? "it takes a number, or ISO 8601 with Z or an offset"
                                       : "it takes ISO 8601 with Z or an offset"));
    }
    enum rc rc = to_instant(c, &text, &c->out->u.i);
    if (!rc && text.cut)
        rc = cut(c);
    return rc || timestamp_in_range(c->out->u.i) ? rc : out_of_range(c);
}

/* What clocks of the column's zone show at an instant. */
static enum rc to_local(struct casting *c, int64_t us)
{
    if (!c->cast->time || !c->cast->time->zone) {
        return cast_misfit(c, "it is an instant; a \"zone\" would say what clocks show then");
    }
    int64_t second = floor_second(us);
    c->out->u.i =
        time_zone_local(c->cast->time->zone, second) * SECOND + (us - second * SECOND);
    return RC_OK;
}

enum rc cast_timestamp(struct casting *c)
{
    char room[DECIMAL_MAX];
    struct str number;
    struct timestamp_text text = {0};
    enum rc rc = RC_OK;
    if (is_epoch(c, room, &number)) {
        int64_t us = 0;
        rc = epoch(c, number, &us);
        rc = rc ? rc : to_local(c, us);
    } else if (!read_text(c, &text)) {
        rc = cast_misfit(c, wanted(c, "it takes ISO 8601"));
    } else if (text.has_offset) {
        rc = to_local(c, timestamp_text_us(&text) - text.east);
    } else {
        c->out->u.i = timestamp_text_us(&text);
    }
    if (!rc && text.cut)
        rc = cut(c);
    return rc || timestamp_in_range(c->out->u.i) ? rc : out_of_range(c);
}
