/* SPDX-License-Identifier: MIT */
/*
 * Civil dates by plain arithmetic (the proleptic Gregorian calendar counted from 1 March, so
 * that the leap day comes last): no locale, no time zone, no shared state of the C library.
 */
#include "pipeline/base/timefmt.h"

#include <stdio.h>

enum { SECONDS_A_DAY = 86400 };
static const int64_t SECOND_US = 1000000;

static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
    y -= m <= 2;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    int64_t day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return era * 146097 + day - 719468;
}

static void civil_from_days(int64_t z, int *y, int *m, int *d)
{
    z += 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t of_era = z - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    *d = (int)(of_year - (153 * month + 2) / 5 + 1);
    *m = (int)(month < 10 ? month + 3 : month - 9);
    *y = (int)(year + era * 400 + (*m <= 2));
}

void timefmt_amz(int64_t us, char out[TIMEFMT_AMZ_SIZE])
{
    int64_t seconds = us / SECOND_US - (us % SECOND_US < 0);
    int64_t days = seconds / SECONDS_A_DAY - (seconds % SECONDS_A_DAY < 0);
    int rest = (int)(seconds - days * SECONDS_A_DAY);
    int y, m, d;
    civil_from_days(days, &y, &m, &d);
    char text[64];
    (void)snprintf(text, sizeof text, "%04d%02d%02dT%02d%02d%02dZ", y, m, d, rest / 3600,
                   rest / 60 % 60, rest % 60);
    memcpy(out, text, TIMEFMT_AMZ_SIZE - 1);
    out[TIMEFMT_AMZ_SIZE - 1] = '\0';
}

/* A cursor that fails once and for all. */
struct scan {
    struct str s;
    size_t at;
    bool bad;
};

static int64_t digits(struct scan *c, size_t n)
{
    int64_t v = 0;
    for (size_t i = 0; i < n && !c->bad; i++) {
        char ch = c->at < c->s.n ? c->s.p[c->at] : '\0';
        c->bad = ch < '0' || ch > '9';
        v = v * 10 + (ch - '0');
        c->at++;
    }
    return c->bad ? 0 : v;
}

static void expect(struct scan *c, const char *any)
{
    if (c->bad || c->at >= c->s.n || !strchr(any, c->s.p[c->at])) {
        c->bad = true;
    } else {
        c->at++;
    }
}

static int64_t fraction(struct scan *c)
{
    if (c->bad || c->at >= c->s.n || c->s.p[c->at] != '.')
        return 0;
    int64_t us = 0, unit = SECOND_US / 10;
    for (c->at++; c->at < c->s.n && c->s.p[c->at] >= '0' && c->s.p[c->at] <= '9'; c->at++) {
        us += (c->s.p[c->at] - '0') * unit;
        unit /= 10;
    }
    return us;
}

/* Seconds east of UTC. */
static int64_t offset(struct scan *c)
{
    struct str rest = str_from(c->s, c->at < c->s.n ? c->at : c->s.n);
    if (rest.n == 0 || str_is(rest, "Z") || str_is(rest, "z") || str_is(rest, "UTC"))
        return 0;
    int64_t sign = rest.p[0] == '-' ? -1 : 1;
    expect(c, "+-");
    int64_t h = digits(c, 2);
    if (c->at < c->s.n && c->s.p[c->at] == ':')
        c->at++;
    int64_t m = digits(c, 2);
    c->bad = c->bad || c->at != c->s.n || h > 23 || m > 59;
    return sign * (h * 3600 + m * 60);
}

/* hh:mm:ss, as seconds of the day. */
static int64_t time_of_day(struct scan *c)
{
    int64_t h = digits(c, 2);
    expect(c, ":");
    int64_t m = digits(c, 2);
    expect(c, ":");
    int64_t s = digits(c, 2);
    c->bad = c->bad || h > 23 || m > 59 || s > 60;
    return h * 3600 + m * 60 + s;
}

static bool in_range(int64_t month, int64_t day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

bool timefmt_read_iso(struct str s, int64_t *us)
{
    struct scan c = {.s = s};
    int64_t year = digits(&c, 4);
    expect(&c, "-");
    int64_t month = digits(&c, 2);
    expect(&c, "-");
    int64_t day = digits(&c, 2);
    expect(&c, "Tt ");
    int64_t second = time_of_day(&c);
    int64_t part = fraction(&c);
    int64_t east = offset(&c);
    if (c.bad || !in_range(month, day))
        return false;
    *us =
        (days_from_civil(year, month, day) * SECONDS_A_DAY + second - east) * SECOND_US + part;
    return true;
}

static int64_t month_of(struct scan *c)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (size_t m = 0; m < 12 && !c->bad && c->at + 3 <= c->s.n; m++) {
        if (memcmp(names + m * 3, c->s.p + c->at, 3) == 0) {
            c->at += 3;
            return (int64_t)m + 1;
        }
    }
    c->bad = true;
    return 0;
}

bool timefmt_read_http(struct str s, int64_t *us)
{
    size_t comma = str_find(s, STR(", "), 0);
    if (comma == s.n)
        return false;
    struct scan c = {.s = s, .at = comma + 2};
    int64_t day = digits(&c, 2);
    expect(&c, " -");
    int64_t month = month_of(&c);
    expect(&c, " -");
    int64_t year = digits(&c, 4);
    expect(&c, " ");
    int64_t second = time_of_day(&c);
    if (c.bad || !in_range(month, day))
        return false;
    *us = (days_from_civil(year, month, day) * SECONDS_A_DAY + second) * SECOND_US;
    return true;
}
