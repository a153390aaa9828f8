/* SPDX-License-Identifier: MIT */
/*
 * Days are counted with the calendar shifted to start in March, so that the leap day comes
 * last (the method of Howard Hinnant's days_from_civil). Zones are elsewhere, in time/. Second 60 is refused, as it has no number of its own.
 */
#include "pipeline/item/timestamp.h"

static const int64_t DAY_US = INT64_C(86400) * 1000000;
static const int64_t FIRST_DAY = -719162; /* 0001-01-01 */
static const int64_t LAST_DAY = 2932896;  /* 9999-12-31 */

int64_t timestamp_day(int64_t y, int64_t m, int64_t d)
{
    y -= m <= 2;
    int64_t era = y / 400; /* years are 0 or more here */
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct date {
    int64_t y, m, d;
};

static struct date date_from_days(int64_t days)
{
    int64_t z = days + 719468; /* positive from year 1 on */
    int64_t era = z / 146097;
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    int64_t m = mp < 10 ? mp + 3 : mp - 9;
    return (struct date){yoe + era * 400 + (m <= 2), m, doy - (153 * mp + 2) / 5 + 1};
}

int64_t timestamp_year(int64_t days)
{
    return date_from_days(days).y;
}

/* Takes exactly `count` digits. */
static bool take_digits(struct str *s, size_t count, int64_t *out)
{
    if (s->n < count)
        return false;
    int64_t v = 0;
    for (size_t i = 0; i < count; i++) {
        if (s->p[i] < '0' || s->p[i] > '9')
            return false;
        v = v * 10 + (s->p[i] - '0');
    }
    *s = str_from(*s, count);
    *out = v;
    return true;
}

static bool take_char(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_from(*s, 1);
    return true;
}

int64_t timestamp_month_days(int64_t y, int64_t m)
{
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    return m == 2 && leap ? 29 : DAYS[m - 1];
}

static bool take_date(struct str *s, int64_t *days)
{
    struct date t;
    if (!take_digits(s, 4, &t.y) || !take_char(s, '-') || !take_digits(s, 2, &t.m) ||
        !take_char(s, '-') || !take_digits(s, 2, &t.d))
        return false;
    if (t.y < 1 || t.m < 1 || t.m > 12 || t.d < 1 || t.d > timestamp_month_days(t.y, t.m))
        return false;
    *days = timestamp_day(t.y, t.m, t.d);
    return true;
}

bool timestamp_parse_date(struct str s, int64_t *days)
{
    return take_date(&s, days) && s.n == 0;
}

/* 1 to 9 digits after the point, as microseconds. */
bool timestamp_take_fraction(struct str *s, int64_t *us, bool *cut)
{
    size_t n = 0;
    *us = 0;
    for (; n < s->n && s->p[n] >= '0' && s->p[n] <= '9'; n++) {
        if (n < 6) {
            *us = *us * 10 + (s->p[n] - '0');
        } else if (s->p[n] != '0') {
            *cut = true;
        }
    }
    for (size_t i = n; i < 6; i++)
        *us *= 10;
    *s = str_from(*s, n);
    return n > 0 && n <= 9;
}

/* HH:MM[:SS[.fff]] as microseconds of the day. */
static bool take_clock(struct str *s, int64_t *us, bool *cut)
{
    int64_t h, m, sec = 0, fraction = 0;
    if (!take_digits(s, 2, &h) || !take_char(s, ':') || !take_digits(s, 2, &m))
        return false;
    if (take_char(s, ':')) {
        if (!take_digits(s, 2, &sec))
            return false;
        if (take_char(s, '.') && !timestamp_take_fraction(s, &fraction, cut))
            return false;
    }
    *us = ((h * 60 + m) * 60 + sec) * 1000000 + fraction;
    return h < 24 && m < 60 && sec < 60;
}

/* Z, +HH, +HHMM or +HH:MM as microseconds east of Greenwich. */
bool timestamp_take_offset(struct str *s, int64_t *us)
{
    *us = 0;
    if (take_char(s, 'Z') || take_char(s, 'z'))
        return true;
    bool west = s->n && s->p[0] == '-';
    int64_t h, m = 0;
    if ((!take_char(s, '-') && !take_char(s, '+')) || !take_digits(s, 2, &h))
        return false;
    if ((take_char(s, ':') || s->n) && !take_digits(s, 2, &m))
        return false;
    *us = (h * 60 + m) * 60000000 * (west ? -1 : 1);
    return h < 24 && m < 60;
}

bool timestamp_parse_text(struct str s, struct timestamp_text *out)
{
    *out = (struct timestamp_text){0};
    if (!take_date(&s, &out->days))
        return false;
    if (s.n == 0)
        return true;
    out->has_clock = take_char(&s, 'T') || take_char(&s, 't') || take_char(&s, ' ');
    if (!out->has_clock || !take_clock(&s, &out->clock, &out->cut))
        return false;
    out->has_offset = s.n > 0;
    return !out->has_offset || (timestamp_take_offset(&s, &out->east) && s.n == 0);
}

int64_t timestamp_text_us(const struct timestamp_text *t)
{
    return t->days * DAY_US + t->clock;
}

bool timestamp_parse_stamp(struct str s, int64_t *us, bool *cut)
{
    struct timestamp_text t;
    bool whole = timestamp_parse_text(s, &t) && t.has_offset;
    *cut = t.cut;
    *us = timestamp_text_us(&t) - t.east;
    return whole && timestamp_in_range(*us);
}

bool timestamp_in_range(int64_t us)
{
    return us >= FIRST_DAY * DAY_US && us < (LAST_DAY + 1) * DAY_US;
}

static char *put2(char *to, int64_t v)
{
    to[0] = (char)('0' + v / 10);
    to[1] = (char)('0' + v % 10);
    return to + 2;
}

static char *put_date(char *to, int64_t days)
{
    struct date t = date_from_days(days);
    to = put2(to, t.y / 100);
    to = put2(to, t.y % 100);
    *to++ = '-';
    to = put2(to, t.m);
    *to++ = '-';
    return put2(to, t.d);
}

void timestamp_add_date(struct buf *b, int64_t days)
{
    char text[16];
    if (days < FIRST_DAY || days > LAST_DAY) {
        buf_addf(b, "day %lld", (long long)days);
        return;
    }
    buf_add(b, text, (size_t)(put_date(text, days) - text));
}

void timestamp_add_stamp(struct buf *b, int64_t us)
{
    timestamp_add_local(b, us);
    if (timestamp_in_range(us))
        buf_putc(b, 'Z');
}

void timestamp_add_local(struct buf *b, int64_t us)
{
    if (!timestamp_in_range(us)) {
        buf_addf(b, "us %lld", (long long)us);
        return;
    }
    int64_t days = us / DAY_US - (us % DAY_US < 0);
    int64_t rest = us - days * DAY_US;
    char text[40];
    char *to = put_date(text, days);
    int64_t sec = rest / 1000000, fraction = rest % 1000000;
    *to++ = 'T';
    to = put2(to, sec / 3600);
    *to++ = ':';
    to = put2(to, sec / 60 % 60);
    *to++ = ':';
    to = put2(to, sec % 60);
    if (fraction) {
        *to++ = '.';
        to = put2(to, fraction / 10000);
        to = put2(to, fraction / 100 % 100);
        to = put2(to, fraction % 100);
        while (to[-1] == '0')
            to--;
    }
    buf_add(b, text, (size_t)(to - text));
}
