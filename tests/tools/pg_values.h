/* SPDX-License-Identifier: MIT */
/*
 * Values of every column type with the text a PostgreSQL server must print for them: every edge,
 * then generated ones, the same in each run.
 */
#ifndef TOOLS_PG_VALUES_H
#define TOOLS_PG_VALUES_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/base/json.h"
#include "pipeline/item/cast/cast.h"
#include "pipeline/item/decimal.h"
#include "pipeline/item/timestamp.h"

enum { VALUES = 3000, MAX_VALUES = 4000 };

struct sample {
    struct datum d;
    struct str text; /* as the server must print it */
};

struct probe {
    struct arena a;
    struct sample *v;
    size_t n;
    uint64_t seed;
};

static uint64_t next(struct probe *p)
{
    p->seed ^= p->seed << 13;
    p->seed ^= p->seed >> 7;
    p->seed ^= p->seed << 17;
    return p->seed;
}

static struct sample *add(struct probe *p, const char *text)
{
    struct sample *s = &p->v[p->n++];
    memset(s, 0, sizeof *s);
    s->d.state = DATUM_VALUE;
    s->text = arena_dup(&p->a, str_of(text));
    return s;
}

/* ---- numeric: any DynamoDB number; the server prints it without exponent ------------------- */
static void add_number(struct probe *p, const char *text)
{
    char canon[DECIMAL_MAX], plain[400];
    size_t n = 0;
    bool same = false;
    struct str canonical = str_of(text);
    if (decimal_canon(str_of(text), canon, &n, &same) != DECIMAL_OK)
        abort();
    if (!same)
        canonical = str_make(canon, n);
    size_t len = decimal_plain(canonical, plain);
    plain[len] = 0;
    struct sample *s = add(p, plain);
    s->d.u.text = arena_dup(&p->a, canonical);
}

static void numbers(struct probe *p)
{
    static const char *const edges[] = {"0",
                                        "-0",
                                        "1",
                                        "-1",
                                        "0.1",
                                        "10",
                                        "10000",
                                        "9999",
                                        "0.0001",
                                        "0.00001",
                                        "1E-130",
                                        "-1E-130",
                                        "9.9999999999999999999999999999999999999E+125",
                                        "1E+125",
                                        "12345678901234567890123456789012345678",
                                        "-12345678901234567890123456789012345678",
                                        "0.12345678901234567890123456789012345678",
                                        "1234567890123456789.0123456789012345678",
                                        "9223372036854775807",
                                        "100000000",
                                        "1.5",
                                        "99999.9999"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        add_number(p, edges[i]);
    while (p->n < VALUES) {
        char digits[48], text[80];
        /* every other one is short, for those are encoded in another way, and full of zeros */
        bool brief = p->n % 2;
        size_t n = 1 + next(p) % (brief ? 18 : 38);
        for (size_t i = 0; i < n; i++)
            digits[i] = brief && next(p) % 2 ? '0' : (char)('0' + next(p) % 10);
        digits[n] = 0;
        digits[0] = (char)('1' + next(p) % 9);
        int e = brief ? (int)(next(p) % 28) - 19 : (int)(next(p) % 200) - 129;
        if (e + (int)n > 125)
            e = 125 - (int)n;
        (void)snprintf(text, sizeof text, "%s%sE%d", next(p) % 2 ? "-" : "", digits, e);
        add_number(p, text);
    }
}

/* ---- integers, boolean, double -------------------------------------------------------------- */
static void integers(struct probe *p, int64_t min, int64_t max)
{
    for (size_t i = 0; i < VALUES; i++) {
        char text[32];
        int64_t v = i == 0 ? min : i == 1 ? max : i == 2 ? 0 : (int64_t)next(p);
        if (min == INT32_MIN && i > 2)
            v = (int32_t)v;
        (void)snprintf(text, sizeof text, "%" PRId64, v);
        add(p, text)->d.u.i = v;
    }
}

static void small_integers(struct probe *p)
{
    integers(p, INT32_MIN, INT32_MAX);
}

static void big_integers(struct probe *p)
{
    integers(p, INT64_MIN, INT64_MAX);
}

static void booleans(struct probe *p)
{
    add(p, "true")->d.u.boolean = true;
    add(p, "false")->d.u.boolean = false;
}

/* The server prints the shortest text that reads back; that is what is compared. */
static void doubles(struct probe *p)
{
    while (p->n < VALUES) {
        uint64_t bits = next(p);
        double d = 0;
        memcpy(&d, &bits, sizeof d);
        if (p->n < 4)
            d = (double[]){0, -1.5, 1e308, 5e-324}[p->n];
        if (d != d || d - d != 0)
            continue;
        struct sample *s = add(p, "");
        s->d.u.d = d;
        s->text.p = NULL;
    }
}

/* ---- times --------------------------------------------------------------------------------- */
static void dates(struct probe *p)
{
    for (size_t i = 0; i < VALUES; i++) {
        int64_t days = i == 0   ? -719162
                       : i == 1 ? 2932896
                       : i == 2 ? 0
                                : (int64_t)(next(p) % (2932896 + 719162)) - 719162;
        struct buf b;
        buf_init(&b, 64);
        timestamp_add_date(&b, days);
        add(p, buf_cstr(&b))->d.u.i = days;
        buf_release(&b);
    }
}

/* 2024-01-02T03:04:05.6Z is "2024-01-02 03:04:05.6+00" there, and without a zone lacks the end. */
static void stamps_with(struct probe *p, const char *zone)
{
    const int64_t first = INT64_C(-62135596800000000), last = INT64_C(253402300799999999);
    for (size_t i = 0; i < VALUES; i++) {
        uint64_t span = (uint64_t)last - (uint64_t)first;
        int64_t us = i == 0   ? first
                     : i == 1 ? last
                     : i == 2 ? 0
                              : (int64_t)((uint64_t)first + next(p) % span);
        if (i % 3 == 0)
            us -= us % 1000000;
        struct buf b;
        buf_init(&b, 64);
        timestamp_add_stamp(&b, us);
        b.p[10] = ' ';
        b.len--;
        buf_puts(&b, zone);
        add(p, buf_cstr(&b))->d.u.i = us;
        buf_release(&b);
    }
}

static void stamps(struct probe *p)
{
    stamps_with(p, "+00");
}

static void local_stamps(struct probe *p)
{
    stamps_with(p, "");
}

/* ---- bytes and text ------------------------------------------------------------------------ */
static struct str random_text(struct probe *p, size_t max)
{
    static const char *const parts[] = {"a",
                                        "Z",
                                        "0",
                                        " ",
                                        "\"",
                                        "\\",
                                        "'",
                                        "{",
                                        "}",
                                        ",",
                                        "\n",
                                        "\t",
                                        "\303\251",
                                        "\342\202\254",
                                        "\360\237\230\200",
                                        "NULL",
                                        "\x7f",
                                        "\x01"};
    struct buf b;
    buf_init(&b, 1 << 16);
    for (size_t n = next(p) % (max + 1); n > 0; n--)
        buf_puts(&b, parts[next(p) % (sizeof parts / sizeof *parts)]);
    struct str s = arena_dup(&p->a, buf_view(&b));
    buf_release(&b);
    return s;
}

static void texts(struct probe *p)
{
    add(p, "")->d.u.text = STR("");
    while (p->n < VALUES) {
        struct str s = random_text(p, 40);
        struct sample *v = add(p, "");
        v->d.u.text = v->text = s;
    }
}

static struct str random_bytes(struct probe *p, size_t max, struct buf *hex)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    for (size_t n = next(p) % (max + 1); n > 0; n--) {
        unsigned char c = next(p) % 4 ? (unsigned char)next(p) : 0;
        buf_putc(&b, (char)c);
        buf_addf(hex, "%02x", c);
    }
    struct str s = arena_dup(&p->a, buf_view(&b));
    buf_release(&b);
    return s;
}

static void bytes(struct probe *p)
{
    while (p->n < VALUES) {
        struct buf hex;
        buf_init(&hex, 1 << 16);
        buf_puts(&hex, "\\x");
        struct str s = random_bytes(p, 60, &hex);
        add(p, buf_cstr(&hex))->d.u.text = s;
        buf_release(&hex);
    }
}

static void uuids(struct probe *p)
{
    for (size_t i = 0; i < VALUES; i++) {
        unsigned char u[16];
        char text[40], *at = text;
        for (int k = 0; k < 16; k++) {
            u[k] = (unsigned char)next(p);
            if (k == 4 || k == 6 || k == 8 || k == 10)
                *at++ = '-';
            at += snprintf(at, 3, "%02x", u[k]);
        }
        memcpy(add(p, text)->d.u.uuid, u, sizeof u);
    }
}

/* ---- jsonb: what the server prints is compared after its own cast of our text --------------- */
static void documents(struct probe *p)
{
    static const char *const edges[] = {
        "null",
        "true",
        "\"\"",
        "[]",
        "{}",
        "0",
        "-1.5",
        "[1,[2,[3,[]]]]",
        "{\"a\":{\"b\":[null,false,\"x\"]},\"b\":12345678901234567890123456789012345678}"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        add(p, edges[i])->d.u.text = str_of(edges[i]);
    while (p->n < VALUES) {
        struct buf b;
        buf_init(&b, 1 << 16);
        buf_puts(&b, "{\"a\":");
        json_add_string(&b, random_text(p, 20));
        buf_addf(&b, ",\"n\":%" PRIu64 ".%u,\"z\":[1,null]}", next(p),
                 1 + (unsigned)(next(p) % 9));
        struct sample *v = add(p, "");
        v->d.u.text = v->text = arena_dup(&p->a, buf_view(&b));
        buf_release(&b);
    }
}

#endif
