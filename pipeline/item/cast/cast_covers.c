/* SPDX-License-Identifier: MIT */
#include "pipeline/item/cast/cast_covers.h"

#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/timestamp.h"

/* Returns the text up to what is neither letter nor digit. */
static struct str first_word(struct str text)
{
    size_t n = 0;
    while (n < text.n && cast_covers_in_word(text.p[n]))
        n++;
    return str_make(text.p, n);
}

size_t cast_covers_integer(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    int64_t cell = d->u.i;
    struct str word = first_word(text);
    int64_t n = 0;
    if (word.n > 18)
        return 0;
    for (size_t i = 0; i < word.n; i++) {
        if (!cast_covers_is_digit(word.p[i]))
            return 0;
        n = n * 10 + (word.p[i] - '0');
    }
    return n == cell || -n == cell ? word.n : 0;
}

/* Numbers in keys may be padded with zeros; a minus before them is no part of the piece. */
size_t cast_covers_numeric(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    struct str cell = d->u.text;
    size_t zeros = 0;
    if (cell.n && cell.p[0] == '-')
        cell = str_from(cell, 1);
    while (zeros + 1 < text.n && text.p[zeros] == '0' &&
           cast_covers_is_digit(text.p[zeros + 1]))
        zeros++;
    size_t n = cast_covers_text(cell, str_from(text, zeros));
    return n ? n + zeros : 0;
}

enum { DATE = 10 };

static bool begins_date(struct str text)
{
    return text.n >= DATE && text.p[4] == '-';
}

size_t cast_covers_date(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    int64_t at = 0;
    if (!begins_date(text) || !timestamp_parse_date(str_make(text.p, DATE), &at))
        return 0;
    return at == d->u.i && cast_covers_ends_word(text, DATE) ? DATE : 0;
}

/* Up to what no time is made of. */
static struct str first_time(struct str text)
{
    size_t n = 0;
    while (n < text.n && (cast_covers_in_word(text.p[n]) || strchr("-:.+", text.p[n])))
        n++;
    return str_make(text.p, n);
}

size_t cast_covers_timestamp(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    struct timestamp_text t;
    struct str time = first_time(text);
    bool local = timestamp_parse_text(time, &t) && !t.has_offset;
    return local && timestamp_text_us(&t) == d->u.i ? time.n : 0;
}

size_t cast_covers_timestamptz(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    int64_t at = 0;
    bool cut = false;
    struct str time = first_time(text);
    if (!begins_date(text))
        return 0;
    return timestamp_parse_stamp(time, &at, &cut) && at == d->u.i ? time.n : 0;
}

size_t cast_covers_uuid(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    const unsigned char *uuid = d->u.uuid;
    enum { LENGTH = 36 };
    static const char HEX[] = "0123456789abcdef";
    if (text.n < LENGTH)
        return 0;
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            at += text.p[at] == '-';
        char low = text.p[at + 1], high = text.p[at];
        if ((high | 0x20) != (HEX[uuid[i] >> 4] | 0x20) ||
            (low | 0x20) != (HEX[uuid[i] & 15] | 0x20))
            return 0;
        at += 2;
    }
    return at == LENGTH && cast_covers_ends_word(text, LENGTH) ? LENGTH : 0;
}

size_t cast_covers_array(enum col_type type, const struct datum *d, struct str text)
{
    enum col_type element = column_types[type].array.element;
    size_t n = 0;
    for (uint32_t i = 0; !n && i < d->n; i++) {
        const struct datum *e = &d->u.array[i];
        n = e->state == DATUM_VALUE ? cast_covers(element, e, text) : 0;
    }
    return n;
}

/* What is kept as JSON is searched for the word alone. */
size_t cast_covers_json(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    struct str json = d->u.text;
    struct str word = first_word(text);
    for (size_t at = 0; (at = str_find(json, word, at)) < json.n; at++) {
        bool begins = at == 0 || !cast_covers_in_word(json.p[at - 1]);
        if (begins && cast_covers_ends_word(json, at + word.n))
            return word.n;
    }
    return 0;
}
