/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/entities/tokens.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/item/timestamp.h"

enum { DATE = 10, UUID = 36, LOOK_AT = 20000 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool uuid_at(struct str s)
{
    if (s.n < UUID)
        return false;
    for (size_t i = 0; i < UUID; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s.p[i] != '-' : !is_hex(s.p[i]))
            return false;
    }
    return s.n == UUID || !is_hex(s.p[UUID]);
}

static bool date_at(struct str s)
{
    int64_t days = 0;
    return s.n >= DATE && timestamp_parse_date(str_make(s.p, DATE), &days);
}

static bool clock_at(struct str s)
{
    return s.n >= 6 && (s.p[0] == 'T' || s.p[0] == ' ') && is_digit(s.p[1]) &&
           is_digit(s.p[2]) && s.p[3] == ':' && is_digit(s.p[4]) && is_digit(s.p[5]);
}

/* How long the date or time at the start is, without what follows; 0: there is none. */
static size_t time_length(struct str s)
{
    if (!date_at(s))
        return 0;
    size_t n = DATE;
    if (!clock_at(str_from(s, n)))
        return n == s.n || !is_digit(s.p[n]) ? n : 0;
    n += 6;
    while (n < s.n && (is_digit(s.p[n]) || s.p[n] == ':' || s.p[n] == '.'))
        n++;
    while (n > DATE && (s.p[n - 1] == ':' || s.p[n - 1] == '.'))
        n--;
    if (n < s.n && s.p[n] == 'Z')
        return n + 1;
    if (n + 5 < s.n && (s.p[n] == '+' || s.p[n] == '-') && is_digit(s.p[n + 1]) &&
        is_digit(s.p[n + 2]) && s.p[n + 3] == ':' && is_digit(s.p[n + 4]))
        n += 6;
    return n;
}

/* The length of what must not be cut at the start of s, 0 if it may. */
static size_t whole_at(struct str s)
{
    if (s.n && is_hex(s.p[0]) && uuid_at(s))
        return UUID;
    return s.n && is_digit(s.p[0]) ? time_length(s) : 0;
}

size_t tokens_glued(struct str s)
{
    size_t i = 0;
    size_t letters = 0;
    while (i < s.n && is_letter(s.p[i]))
        i++;
    letters = i;
    while (i < s.n && is_digit(s.p[i]))
        i++;
    return i == s.n && letters && letters <= 8 && letters < s.n ? letters : 0;
}

enum infer_token_class tokens_class(struct str s)
{
    size_t digits = 0;
    for (size_t i = 0; i < s.n; i++)
        digits += is_digit(s.p[i]);
    if (digits == 0)
        return TOKEN_WORD;
    if (digits == s.n)
        return TOKEN_NUMBER;
    if (s.n == UUID && uuid_at(s))
        return TOKEN_UUID;
    size_t n = time_length(s);
    if (n && n == s.n)
        return n == DATE ? TOKEN_DATE : TOKEN_TIME;
    return TOKEN_ID;
}

/* Where the separator stands at or after `from`, uuids and times passed over; s.n: nowhere. */
static size_t find_separator(struct str s, struct str separator, size_t from)
{
    size_t at = from;
    bool fresh = true; /* a new run begins here */
    while (at < s.n) {
        size_t whole = fresh ? whole_at(str_from(s, at)) : 0;
        if (whole) {
            at += whole;
            fresh = false;
            continue;
        }
        if (str_starts(str_from(s, at), separator))
            return at;
        fresh = !is_digit(s.p[at]) && !is_letter(s.p[at]);
        at++;
    }
    return s.n;
}

static void add_token(struct infer_tokens *t, struct str s)
{
    t->v[t->n++] = (struct infer_token){s, tokens_class(s)};
}

void tokens_cut(struct infer_design *d, struct str s, struct infer_tokens *out)
{
    struct infer_token v[INFER_TOKENS_MAX];
    *out = (struct infer_tokens){.v = v};
    struct str separator = {0};
    for (uint32_t i = 0; i < d->nseparators && !separator.n; i++) {
        if (find_separator(s, d->separators[i], 0) < s.n)
            separator = d->separators[i];
    }
    size_t at = 0;
    while (separator.n && out->n + 1 < INFER_TOKENS_MAX) {
        size_t end = find_separator(s, separator, at);
        if (end == s.n)
            break;
        add_token(out, str_make(s.p + at, end - at));
        at = end + separator.n;
    }
    add_token(out, str_from(s, at));
    out->separator = separator;
    if (out->n == 1 && tokens_glued(s))
        out->v[0].class = TOKEN_GLUED;
    struct infer_token *kept = infer_new(d, out->n, sizeof *kept);
    if (kept)
        memcpy(kept, v, out->n * sizeof *kept);
    out->v = kept;
    out->n = kept ? out->n : 0;
}

static const char *const SEPARATORS[] = {"::", "//", "#", "|", ":", "/", "~", "$", "=",
                                         "_",  "!",  ";", "@", ",", "+", "^", "-", "."};
enum { NSEPARATORS = sizeof SEPARATORS / sizeof *SEPARATORS };

static bool is_word(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!is_letter(s.p[i]) && s.p[i] != '_' && s.p[i] != '-')
            return false;
    }
    return s.n > 0;
}

/* The word that stands before the separator, at the start or behind another separator. */
static struct str lead_word(struct str s, struct str separator)
{
    size_t at = find_separator(s, separator, 0);
    if (at == 0) {
        s = str_from(s, separator.n);
        at = find_separator(s, separator, 0);
        return is_word(str_make(s.p, at)) ? str_make(s.p, at) : (struct str){0};
    }
    if (at == s.n)
        return (struct str){0};
    return is_word(str_make(s.p, at)) ? str_make(s.p, at) : (struct str){0};
}

/* How many of the texts begin with one of few words and then the separator. */
static uint32_t count_leads(struct infer_design *d, const struct str *v, uint32_t n,
                            struct str separator)
{
    uint32_t found = 0;
    uint32_t *words = infer_new(d, n, sizeof *words);
    if (!words)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        struct str word = v[i].n ? lead_word(v[i], separator) : (struct str){0};
        if (word.n)
            words[found++] = infer_text(d, word);
    }
    qsort(words, found, sizeof *words, infer_compare_numbers);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < found; i++)
        distinct += i == 0 || words[i] != words[i - 1];
    if (distinct < 2 && strchr("-._ ", separator.p[0]))
        return 0; /* a part of every id, it seems */
    return distinct * 4 <= found + 8 || distinct <= 3 ? found : 0;
}

/* Takes the best separator and empties the texts that it stands in. False: there is none. */
static bool take_separator(struct infer_design *d, struct str *v, uint32_t n, uint32_t least)
{
    uint32_t best = 0;
    struct str chosen = {0};
    for (int i = 0; i < NSEPARATORS; i++) {
        uint32_t count = count_leads(d, v, n, str_of(SEPARATORS[i]));
        if (count > best) {
            best = count;
            chosen = str_of(SEPARATORS[i]);
        }
    }
    if (!best || best < least)
        return false;
    d->separators[d->nseparators++] = chosen;
    for (uint32_t i = 0; i < n; i++) {
        if (find_separator(v[i], chosen, 0) < v[i].n)
            v[i] = (struct str){0};
    }
    return true;
}

void tokens_find_separators(struct infer_design *d)
{
    uint32_t step = d->nitems / LOOK_AT + 1;
    struct str *v = infer_new(d, (size_t)d->nitems * d->nkey + 1, sizeof *v);
    uint32_t n = 0;
    for (uint32_t i = 0; v && i < d->nitems; i += step) {
        for (uint32_t k = 0; k < d->nkey; k++) {
            const struct val *key = item_get(&d->items[i], d->key[k]);
            if (key && key->kind == VAL_S)
                v[n++] = key->u.s;
        }
    }
    uint32_t least = n / 50 + 1;
    while (v && d->nseparators < INFER_SEPARATORS_MAX && take_separator(d, v, n, least))
        least = n / 50 + 3;
}

void tokens_cut_keys(struct infer_design *d)
{
    for (uint32_t k = 0; k < d->nkey; k++) {
        d->tokens[k] = infer_new(d, d->nitems ? d->nitems : 1, sizeof *d->tokens[k]);
        for (uint32_t i = 0; d->tokens[k] && i < d->nitems && !d->failed; i++) {
            const struct val *key = item_get(&d->items[i], d->key[k]);
            if (key && key->kind == VAL_S) {
                tokens_cut(d, key->u.s, &d->tokens[k][i]);
                continue;
            }
            struct infer_token *t = infer_new(d, 1, sizeof *t);
            if (!t)
                return;
            *t = (struct infer_token){key && key->kind != VAL_MISSING ? key->u.s : STR(""),
                                      TOKEN_OTHER};
            d->tokens[k][i] = (struct infer_tokens){.v = t, .n = 1};
        }
    }
}
