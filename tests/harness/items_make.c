/* SPDX-License-Identifier: MIT */
/* Random items from a fixed seed: all types, odd spellings, and now and then a fault. */
#include <stdint.h>
#include <string.h>

#include "tests/harness/items.h"

uint32_t items_roll(struct items *t, uint32_t below)
{
    /* xorshift64*: the same items on every machine */
    t->random ^= t->random >> 12;
    t->random ^= t->random << 25;
    t->random ^= t->random >> 27;
    return (uint32_t)((t->random * UINT64_C(2685821657736338717)) >> 33) % below;
}

static void add_text(struct items *t)
{
    static const char *const bits[] = {"a",
                                       "PK",
                                       "CUSTOMER#",
                                       "0123456789abcdef",
                                       "\xC3\xA9",
                                       "\xE2\x82\xAC",
                                       "\xF0\x9F\x8C\x8D",
                                       "\\n",
                                       "\\u00e9",
                                       " ",
                                       "",
                                       "Item"};
    buf_putc(&t->text, '"');
    for (uint32_t i = items_roll(t, 4); i > 0; i--) {
        /* escapes seldom, as they end the quick way */
        uint32_t k = items_roll(t, 12);
        if ((k == 7 || k == 8) && items_roll(t, 8))
            k = 0;
        buf_puts(&t->text, bits[k]);
    }
    buf_putc(&t->text, '"');
}

static void add_number(struct items *t)
{
    static const char *const odd[] = {"0", "-0", "1E5", "45.10", "1e-50", "007", ".5", "5."};
    if (items_roll(t, 4) == 0) {
        buf_addf(&t->text, "\"%s\"", odd[items_roll(t, 8)]);
    } else if (items_roll(t, 2)) {
        buf_addf(&t->text, "\"%d\"", (int)items_roll(t, 100000) - 50000);
    } else {
        buf_addf(&t->text, "\"%u.%u\"", items_roll(t, 1000), items_roll(t, 1000));
    }
}

static void add_value(struct items *t, int depth);

static void add_blank(struct items *t)
{
    static const char *const blanks[] = {" ", "\n", "\t", "\r\n  "};
    if (items_roll(t, 20) == 0)
        buf_puts(&t->text, blanks[items_roll(t, 4)]);
}

static void add_map(struct items *t, int depth)
{
    uint32_t n = items_roll(t, depth ? 4 : 20);
    buf_putc(&t->text, '{');
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            buf_putc(&t->text, ',');
        add_blank(t);
        if (items_roll(t, 30) == 0) {
            add_text(t);
        } else {
            buf_addf(&t->text, "\"name%u\"", i * 7919);
        }
        add_blank(t);
        buf_putc(&t->text, ':');
        add_blank(t);
        add_value(t, depth + 1);
        add_blank(t);
    }
    buf_putc(&t->text, '}');
}

static void add_list(struct items *t, int depth, uint32_t kind)
{
    static const char *const bytes[] = {"\"\"", "\"AA==\"", "\"AAE=\"", "\"/+8A\""};
    uint32_t n = items_roll(t, 3);
    if (kind >= 7 && n == 0 && items_roll(t, 20)) /* an empty set is a fault: seldom */
        n = 1;
    buf_putc(&t->text, '[');
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            buf_putc(&t->text, ',');
        add_blank(t);
        if (kind == 7) {
            add_text(t);
        } else if (kind == 8) {
            add_number(t);
        } else if (kind == 9) {
            buf_puts(&t->text, bytes[items_roll(t, 4)]);
        } else {
            add_value(t, depth + 1);
        }
        add_blank(t);
    }
    buf_putc(&t->text, ']');
}

static void add_value(struct items *t, int depth)
{
    static const char *const tags[] = {"S", "N", "B",  "BOOL", "NULL",
                                       "M", "L", "SS", "NS",   "BS"};
    uint32_t kind = items_roll(t, depth > 4 ? 5 : 10);
    if (items_roll(t, 3) == 0)
        kind = items_roll(t, 2);
    buf_addf(&t->text, "{\"%s\":", tags[kind]);
    add_blank(t);
    if (kind == 0) {
        add_text(t);
    } else if (kind == 1) {
        add_number(t);
    } else if (kind == 2) {
        buf_puts(&t->text, items_roll(t, 2) ? "\"AAECAw==\"" : "\"\"");
    } else if (kind == 3) {
        buf_puts(&t->text, items_roll(t, 2) ? "true" : "false");
    } else if (kind == 4) {
        buf_puts(&t->text, "true");
    } else if (kind == 5) {
        add_map(t, depth);
    } else {
        add_list(t, depth, kind);
    }
    buf_putc(&t->text, '}');
}

void items_make(struct items *t)
{
    bool wrapped = items_roll(t, 3) == 0;
    buf_clear(&t->text);
    buf_puts(&t->text, wrapped ? "{\"Item\":" : "");
    add_map(t, 0);
    buf_puts(&t->text, wrapped ? "}" : "");
}

void items_damage(struct items *t)
{
    static const char bytes[] = "{}[],:\"\\ \n0-.eSNBML\x01\x80\xC3\xFF";
    for (uint32_t i = items_roll(t, 3) + 1; i > 0 && t->text.len > 1; i--) {
        size_t at = items_roll(t, (uint32_t)t->text.len);
        switch (items_roll(t, 4)) {
        case 0:
            t->text.p[at] = bytes[items_roll(t, sizeof bytes)];
            break;
        case 1:
            t->text.p[at] ^= (char)(1 << items_roll(t, 8));
            break;
        case 2:
            memmove(t->text.p + at, t->text.p + at + 1, t->text.len - at - 1);
            t->text.len--;
            break;
        default:
            buf_putc(&t->text, 0);
            memmove(t->text.p + at + 1, t->text.p + at, t->text.len - 1 - at);
            t->text.p[at] = bytes[items_roll(t, sizeof bytes)];
            break;
        }
    }
}
