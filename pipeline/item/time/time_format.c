/* SPDX-License-Identifier: MIT */
/* A pattern is walked anew for each text: patterns are short, and need no other form. */
#include "pipeline/item/time/time_format.h"

#include <string.h>

/* One step of a pattern: a character that stands for itself, or a directive. */
struct step {
    char directive; /* '\0': the character */
    char literal;
    bool brief; /* %-d: a digit or two */
};

struct fields {
    int64_t year, month, day, hour, minute, second, fraction, east;
    int64_t weekday; /* from Sunday; below 0: not said */
    int half;        /* 0: not said, else 1 or 2 */
    bool cut;
};

static const char DIRECTIVES[] = "YymdHIMSfbBaApz";

/* Takes a step off the pattern; false at its end, and at what is no step. */
static bool next_step(struct str *pattern, struct step *out)
{
    if (pattern->n == 0)
        return false;
    *out = (struct step){.literal = pattern->p[0]};
    size_t n = 1;
    if (out->literal == '%') {
        out->brief = pattern->n > 1 && pattern->p[1] == '-';
        n = out->brief ? 2 : 1;
        char c = n < pattern->n ? pattern->p[n] : '\0';
        const char *known = out->brief ? "mdHIMS" : DIRECTIVES;
        if (c == '\0' || (!strchr(known, c) && (c != '%' || out->brief)))
            return false;
        out->directive = c == '%' ? '\0' : c;
        n++;
    }
    *pattern = str_from(*pattern, n);
    return true;
}

/* ---- checking ---- */
/* Directives that say the same thing are one. */
static char kind_of(char directive)
{
    static const char SAME[][2] = {{'y', 'Y'}, {'b', 'm'}, {'B', 'm'}, {'I', 'H'}, {'A', 'a'}};
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        if (SAME[i][0] == directive)
            return SAME[i][1];
    }
    return directive;
}

static bool has(const char *kinds, char kind)
{
    return strchr(kinds, kind) != NULL;
}

static const char *check_kinds(const char *kinds, bool twelve)
{
    if (!has(kinds, 'Y') || !has(kinds, 'm') || !has(kinds, 'd'))
        return "it must name a day: %Y (or %y), %m (or %b) and %d";
    if ((has(kinds, 'M') && !has(kinds, 'H')) || (has(kinds, 'S') && !has(kinds, 'M')) ||
        (has(kinds, 'f') && !has(kinds, 'S')))
        return "a time begins with its hour: %H, then %M, %S and %f";
    if (twelve != has(kinds, 'p'))
        return "%I, an hour of twelve, goes with %p";
    if (has(kinds, 'z') && !has(kinds, 'H'))
        return "an offset, %z, goes with a time";
    return NULL;
}

const char *time_format_check(struct str pattern, unsigned *what)
{
    char kinds[sizeof DIRECTIVES] = "";
    size_t n = 0;
    bool twelve = false;
    struct step step;
    while (next_step(&pattern, &step)) {
        char kind = kind_of(step.directive);
        if (!step.directive)
            continue;
        if (has(kinds, kind))
            return "it says something twice";
        kinds[n++] = kind;
        kinds[n] = '\0';
        twelve = twelve || step.directive == 'I';
    }
    static const char unknown[] = "it has a % that means nothing: %Y %y %m %d %H %I %M %S %f "
                                  "%b %B %a %A %p %z and %% do, "
                                  "%-m %-d %-H %-I %-M %-S for one digit or two";
    if (pattern.n)
        return unknown;
    *what =
        (has(kinds, 'H') ? TIME_FORMAT_CLOCK : 0) | (has(kinds, 'z') ? TIME_FORMAT_OFFSET : 0);
    return check_kinds(kinds, twelve);
}

/* ---- reading ---- */
static bool take_digits(struct str *s, size_t least, size_t most, int64_t *out)
{
    size_t n = 0;
    *out = 0;
    for (; n < most && n < s->n && s->p[n] >= '0' && s->p[n] <= '9'; n++)
        *out = *out * 10 + (s->p[n] - '0');
    *s = str_from(*s, n);
    return n >= least;
}

static bool starts_like(struct str s, const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i >= s.n || (s.p[i] | 0x20) != (word[i] | 0x20))
            return false;
    }
    return true;
}

/* One of some words, in letters of any case; whole, or its first three. Counts from 0. */
static bool take_word(struct str *s, const char *const *words, bool whole, int64_t *out)
{
    for (int64_t i = 0; words[i]; i++) {
        size_t n = whole ? strlen(words[i]) : 3;
        if (starts_like(*s, words[i], n)) {
            *s = str_from(*s, n);
            *out = i;
            return true;
        }
    }
    return false;
}

static bool take_month(struct str *s, bool whole, int64_t *out)
{
    static const char *const MONTHS[] = {
        "January", "February",  "March",   "April",    "May",      "June", "July",
        "August",  "September", "October", "November", "December", NULL};
    bool found = take_word(s, MONTHS, whole, out);
    *out += found;
    return found;
}

static bool take_weekday(struct str *s, bool whole, int64_t *out)
{
    static const char *const DAYS[] = {"Sunday",   "Monday", "Tuesday",  "Wednesday",
                                       "Thursday", "Friday", "Saturday", NULL};
    return take_word(s, DAYS, whole, out);
}

static bool take_half(struct str *s, int *out)
{
    *out = starts_like(*s, "AM", 2) ? 1 : starts_like(*s, "PM", 2) ? 2 : 0;
    *s = str_from(*s, *out ? 2 : 0);
    return *out;
}

static bool take_year_of_two(struct str *s, int64_t *out)
{
    bool ok = take_digits(s, 2, 2, out);
    *out += *out < 69 ? 2000 : 1900;
    return ok;
}

static bool take_step(const struct step *step, struct str *s, struct fields *f)
{
    size_t least = step->brief ? 1 : 2;
    switch (step->directive) {
    case 'Y':
        return take_digits(s, 4, 4, &f->year);
    case 'y':
        return take_year_of_two(s, &f->year);
    case 'm':
        return take_digits(s, least, 2, &f->month);
    case 'd':
        return take_digits(s, least, 2, &f->day);
    case 'H':
    case 'I':
        return take_digits(s, least, 2, &f->hour);
    case 'M':
        return take_digits(s, least, 2, &f->minute);
    case 'S':
        return take_digits(s, least, 2, &f->second);
    case 'f':
        return timestamp_take_fraction(s, &f->fraction, &f->cut);
    case 'b':
    case 'B':
        return take_month(s, step->directive == 'B', &f->month);
    case 'a':
    case 'A':
        return take_weekday(s, step->directive == 'A', &f->weekday);
    case 'p':
        return take_half(s, &f->half);
    case 'z':
        return timestamp_take_offset(s, &f->east);
    default:
        break;
    }
    bool same = s->n > 0 && s->p[0] == step->literal;
    *s = str_from(*s, same);
    return same;
}

static bool good_day(const struct fields *f)
{
    if (f->year < 1 || f->month < 1 || f->month > 12 || f->day < 1 ||
        f->day > timestamp_month_days(f->year, f->month))
        return false;
    int64_t days = timestamp_day(f->year, f->month, f->day);
    return f->weekday < 0 || ((days + 4) % 7 + 7) % 7 == f->weekday;
}

/* 12 AM is midnight, 12 PM noon. */
static bool good_clock(struct fields *f)
{
    if (f->half) {
        if (f->hour < 1 || f->hour > 12)
            return false;
        f->hour = f->hour % 12 + (f->half == 2 ? 12 : 0);
    }
    return f->hour < 24 && f->minute < 60 && f->second < 60;
}

bool time_format_read(struct str pattern, struct str text, struct timestamp_text *out)
{
    struct fields f = {.weekday = -1};
    struct step step;
    *out = (struct timestamp_text){0};
    while (next_step(&pattern, &step)) {
        if (!take_step(&step, &text, &f))
            return false;
        out->has_clock |= step.directive == 'H' || step.directive == 'I';
        out->has_offset |= step.directive == 'z';
    }
    if (text.n || pattern.n || !good_day(&f) || !good_clock(&f))
        return false;
    out->days = timestamp_day(f.year, f.month, f.day);
    out->clock = ((f.hour * 60 + f.minute) * 60 + f.second) * 1000000 + f.fraction;
    out->east = f.east;
    out->cut = f.cut;
    return true;
}
