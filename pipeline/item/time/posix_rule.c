/* SPDX-License-Identifier: MIT */
/*
 * Instants are sought among the changes of three years: a zone's offset moves those of one year
 * into its neighbours at most.
 */
#include "pipeline/item/time/posix_rule.h"

#include "pipeline/item/timestamp.h"

static const int64_t DAY = 86400;

struct change {
    int64_t at;
    bool summer; /* begins there */
};

/* ---- reading ---- */
static bool take(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_from(*s, 1);
    return true;
}

static bool take_number(struct str *s, int max, int *out)
{
    size_t n = 0;
    int v = 0;
    for (; n < s->n && n < 4 && s->p[n] >= '0' && s->p[n] <= '9'; n++)
        v = v * 10 + (s->p[n] - '0');
    *s = str_from(*s, n);
    *out = v;
    return n > 0 && v <= max;
}

/* CET or <+03>: three letters at least, or anything quoted. */
static bool take_name(struct str *s)
{
    bool quoted = take(s, '<');
    size_t n = 0;
    for (; n < s->n; n++) {
        char c = s->p[n], low = (char)(c | 0x20);
        bool letter = low >= 'a' && low <= 'z';
        bool more = quoted && ((c >= '0' && c <= '9') || c == '+' || c == '-');
        if (!letter && !more)
            break;
    }
    *s = str_from(*s, n);
    return n >= 3 && (!quoted || take(s, '>'));
}

/* [+-]hh[:mm[:ss]] as seconds. */
static bool take_time(struct str *s, int32_t *out)
{
    enum { HOURS = 167 };
    int h = 0, m = 0, sec = 0;
    bool minus = take(s, '-');
    if (!minus)
        (void)take(s, '+');
    if (!take_number(s, HOURS, &h) || (take(s, ':') && !take_number(s, 59, &m)) ||
        (take(s, ':') && !take_number(s, 59, &sec)))
        return false;
    *out = ((h * 60 + m) * 60 + sec) * (minus ? -1 : 1);
    return true;
}

static bool take_day(struct str *s, struct posix_day *out)
{
    bool ok = take(s, ',');
    *out = (struct posix_day){.form = 'N', .seconds = 2 * 3600};
    if (take(s, 'M')) {
        out->form = 'M';
        ok = ok && take_number(s, 12, &out->month) && take(s, '.') &&
             take_number(s, 5, &out->week) && take(s, '.') && take_number(s, 6, &out->day) &&
             out->month >= 1 && out->week >= 1;
    } else if (take(s, 'J')) {
        out->form = 'J';
        ok = ok && take_number(s, 365, &out->day) && out->day >= 1;
    } else {
        ok = ok && take_number(s, 365, &out->day);
    }
    return ok && (!take(s, '/') || take_time(s, &out->seconds));
}

bool posix_rule_parse(struct str s, struct posix_rule *out)
{
    enum { OFFSET = 25 * 3600 };
    *out = (struct posix_rule){0};
    if (!take_name(&s) || !take_time(&s, &out->standard))
        return false;
    out->standard = -out->standard; /* POSIX counts westwards */
    out->summer = out->standard + 3600;
    out->two = s.n > 0;
    if (out->two && !take_name(&s))
        return false;
    if (out->two && s.n && s.p[0] != ',') {
        if (!take_time(&s, &out->summer))
            return false;
        out->summer = -out->summer;
    }
    if (out->two && (!take_day(&s, &out->begins) || !take_day(&s, &out->ends)))
        return false;
    return s.n == 0 && out->standard >= -OFFSET && out->standard <= OFFSET &&
           out->summer >= -OFFSET && out->summer <= OFFSET;
}

/* ---- asking ---- */
static int64_t day_of(const struct posix_day *d, int64_t year)
{
    int64_t first = timestamp_day(year, 1, 1);
    if (d->form == 'N')
        return first + d->day;
    if (d->form == 'J') {
        bool leap = timestamp_month_days(year, 2) == 29;
        return first + d->day - 1 + (leap && d->day > 59);
    }
    first = timestamp_day(year, d->month, 1);
    int64_t weekday = ((first + 4) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    int64_t at = (d->day - weekday + 7) % 7 + 7 * ((int64_t)d->week - 1);
    while (at >= timestamp_month_days(year, d->month)) /* week 5 is the last there is */
        at -= 7;
    return first + at;
}

/* The six changes of the years around an instant, in order. Where summer time lasts all the year
   it ends as it begins, and goes on. */
static void changes_around(const struct posix_rule *r, int64_t utc, struct change out[6])
{
    int64_t year = timestamp_year(utc / DAY - (utc % DAY < 0)) - 1;
    for (size_t i = 0; i < 6; i += 2) {
        int64_t y = year + (int64_t)i / 2;
        out[i] = (struct change){day_of(&r->begins, y) * DAY + r->begins.seconds - r->standard,
                                 true};
        out[i + 1] =
            (struct change){day_of(&r->ends, y) * DAY + r->ends.seconds - r->summer, false};
    }
    for (size_t i = 1; i < 6; i++) {
        for (size_t k = i; k > 0 && (out[k].at < out[k - 1].at ||
                                     (out[k].at == out[k - 1].at && !out[k].summer));
             k--) {
            struct change c = out[k];
            out[k] = out[k - 1];
            out[k - 1] = c;
        }
    }
}

int32_t posix_rule_offset(const struct posix_rule *r, int64_t utc)
{
    struct change c[6];
    if (!r->two)
        return r->standard;
    changes_around(r, utc, c);
    bool summer = !c[0].summer;
    for (size_t i = 0; i < 6 && c[i].at <= utc; i++)
        summer = c[i].summer;
    return summer ? r->summer : r->standard;
}

bool posix_rule_next(const struct posix_rule *r, int64_t after, int64_t *out)
{
    struct change c[6];
    if (!r->two)
        return false;
    changes_around(r, after, c);
    for (size_t i = 0; i < 6; i++) {
        if (c[i].at > after) {
            *out = c[i].at;
            return true;
        }
    }
    return false;
}
