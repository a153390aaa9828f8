/* SPDX-License-Identifier: MIT */
/*
 * Sizes follow the developer guide's "item sizes and formats". A number's key bytes are a sign
 * byte, the exponent and the digits, complemented for negatives, so that memcmp orders them.
 */
#include "tests/sim/av.h"

#include <openssl/evp.h>

#include "tests/sim/mem.h"

struct str av_text(yyjson_val *v)
{
    return str_make(yyjson_get_str(v), yyjson_get_len(v));
}

struct str av_type(yyjson_val *av, yyjson_val **inner)
{
    *inner = NULL;
    if (!yyjson_is_obj(av) || yyjson_obj_size(av) != 1)
        return str_make(NULL, 0);
    yyjson_obj_iter it = yyjson_obj_iter_with(av);
    yyjson_val *key = yyjson_obj_iter_next(&it);
    *inner = yyjson_obj_iter_get_val(key);
    return av_text(key);
}

/* sign, digits without outer zeros, and the exponent of 0.DIGITS */
struct number {
    bool negative;
    struct buf digits;
    long exponent;
};

static bool read_exponent(struct str text, size_t at, long *exponent)
{
    if (at == text.n)
        return true;
    bool minus = false;
    if (++at < text.n && (text.p[at] == '+' || text.p[at] == '-'))
        minus = text.p[at++] == '-';
    long e = 0;
    if (at == text.n || text.n - at > 4)
        return false;
    for (; at < text.n; at++) {
        if (text.p[at] < '0' || text.p[at] > '9')
            return false;
        e = e * 10 + (text.p[at] - '0');
    }
    *exponent += minus ? -e : e;
    return true;
}

static bool number_parse(struct str text, struct number *n)
{
    size_t at = 0;
    bool point = false;
    size_t seen = 0;
    if (at < text.n && (text.p[at] == '-' || text.p[at] == '+'))
        n->negative = text.p[at++] == '-';
    for (; at < text.n && text.p[at] != 'e' && text.p[at] != 'E'; at++) {
        char c = text.p[at];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            return false;
        seen++;
        if (c == '0' && n->digits.len == 0) {
            n->exponent -= point;
            continue;
        }
        buf_putc(&n->digits, c);
        n->exponent += !point;
    }
    while (n->digits.len && n->digits.p[n->digits.len - 1] == '0')
        n->digits.len--;
    return seen > 0 && read_exponent(text, at, &n->exponent);
}

bool av_number_key(struct str text, struct buf *out)
{
    struct number n = {0};
    buf_init(&n.digits, 4096);
    bool ok = number_parse(text, &n) && n.digits.len <= 38;
    if (ok && n.digits.len == 0) {
        buf_putc(out, (char)0x80);
    } else if (ok) {
        uint16_t e = (uint16_t)(n.exponent + 20000);
        buf_putc(out, (char)(n.negative ? 0x40 : 0xC0));
        buf_be16(out, (uint16_t)(n.negative ? ~e : e));
        for (size_t i = 0; i < n.digits.len; i++)
            buf_putc(out, (char)(n.negative ? '9' - n.digits.p[i] + '0' : n.digits.p[i]));
        if (n.negative)
            buf_putc(out, (char)0xFF);
    }
    buf_release(&n.digits);
    return ok;
}

static size_t base64_size(struct str s)
{
    size_t pad = s.n >= 2 ? (size_t)(s.p[s.n - 1] == '=') + (size_t)(s.p[s.n - 2] == '=') : 0;
    return s.n / 4 * 3 - pad;
}

static size_t number_size(struct str s)
{
    struct number n = {0};
    buf_init(&n.digits, 4096);
    size_t size = 1;
    if (number_parse(s, &n))
        size = (n.digits.len + 1) / 2 + 1 + (size_t)n.negative;
    buf_release(&n.digits);
    return size;
}

static size_t set_size(struct str type, yyjson_val *set)
{
    size_t total = 0;
    yyjson_arr_iter it = yyjson_arr_iter_with(set);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        struct str s = av_text(v);
        total += type.p[0] == 'S' ? s.n : type.p[0] == 'N' ? number_size(s) : base64_size(s);
    }
    return total;
}

static size_t value_size(yyjson_val *av, int depth);

static size_t members_size(yyjson_val *map, size_t each, int depth)
{
    size_t total = 0;
    yyjson_obj_iter it = yyjson_obj_iter_with(map);
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it))
        total += each + yyjson_get_len(k) + value_size(yyjson_obj_iter_get_val(k), depth);
    return total;
}

static size_t list_size(yyjson_val *list, int depth)
{
    size_t total = 0;
    yyjson_arr_iter it = yyjson_arr_iter_with(list);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it))
        total += 1 + value_size(v, depth);
    return total;
}

static size_t value_size(yyjson_val *av, int depth)
{
    yyjson_val *in;
    struct str type = av_type(av, &in);
    if (depth > 64)
        return 0;
    if (str_is(type, "S"))
        return yyjson_get_len(in);
    if (str_is(type, "N"))
        return number_size(av_text(in));
    if (str_is(type, "B"))
        return base64_size(av_text(in));
    if (str_is(type, "M"))
        return 3 + members_size(in, 1, depth + 1);
    if (str_is(type, "L"))
        return 3 + list_size(in, depth + 1);
    return yyjson_is_arr(in) ? set_size(type, in) : 1;
}

size_t av_size(yyjson_val *av)
{
    return value_size(av, 0);
}

size_t av_item_size(yyjson_val *item)
{
    return members_size(item, 0, 0);
}

bool av_key_bytes(yyjson_val *av, struct buf *out)
{
    yyjson_val *in;
    struct str type = av_type(av, &in);
    if (!yyjson_is_str(in) || yyjson_get_len(in) == 0)
        return false;
    struct str text = av_text(in);
    if (str_is(type, "S")) {
        buf_add_str(out, text);
    } else if (str_is(type, "N")) {
        return av_number_key(text, out);
    } else if (!str_is(type, "B") || text.n % 4 != 0 || text.n > 8192) {
        return false;
    } else if (buf_room(out, text.n)) {
        unsigned char raw[8192];
        if (EVP_DecodeBlock(raw, (const unsigned char *)text.p, (int)text.n) < 0)
            return false;
        buf_add(out, raw, base64_size(text));
    }
    return true;
}

static bool contains(yyjson_val *set, yyjson_val *member)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(set);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        if (str_eq(av_text(v), av_text(member)))
            return true;
    }
    return false;
}

/* members of number sets are compared as they are spelt */
static bool sets_equal(yyjson_val *a, yyjson_val *b)
{
    if (yyjson_arr_size(a) != yyjson_arr_size(b))
        return false;
    yyjson_arr_iter it = yyjson_arr_iter_with(a);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        if (!contains(b, v))
            return false;
    }
    return true;
}

static bool lists_equal(yyjson_val *a, yyjson_val *b)
{
    if (yyjson_arr_size(a) != yyjson_arr_size(b))
        return false;
    yyjson_arr_iter ia = yyjson_arr_iter_with(a);
    yyjson_arr_iter ib = yyjson_arr_iter_with(b);
    for (yyjson_val *v = yyjson_arr_iter_next(&ia); v; v = yyjson_arr_iter_next(&ia)) {
        if (!av_equal(v, yyjson_arr_iter_next(&ib)))
            return false;
    }
    return true;
}

static bool maps_equal(yyjson_val *a, yyjson_val *b)
{
    if (yyjson_obj_size(a) != yyjson_obj_size(b))
        return false;
    yyjson_obj_iter it = yyjson_obj_iter_with(a);
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it)) {
        struct str name = av_text(k);
        if (!av_equal(yyjson_obj_iter_get_val(k), yyjson_obj_getn(b, name.p, name.n)))
            return false;
    }
    return true;
}

bool av_equal(yyjson_val *a, yyjson_val *b)
{
    yyjson_val *ia;
    yyjson_val *ib;
    struct str type = av_type(a, &ia);
    if (type.n == 0 || !str_eq(type, av_type(b, &ib)))
        return false;
    if (str_is(type, "M"))
        return maps_equal(ia, ib);
    if (str_is(type, "L"))
        return lists_equal(ia, ib);
    if (str_is(type, "N")) {
        bool ok;
        return av_compare(a, b, &ok) == 0 && ok;
    }
    if (yyjson_is_arr(ia) && yyjson_is_arr(ib))
        return sets_equal(ia, ib);
    return yyjson_is_str(ia) ? str_eq(av_text(ia), av_text(ib)) : yyjson_equals(ia, ib);
}

int av_compare(yyjson_val *a, yyjson_val *b, bool *ok)
{
    yyjson_val *ia;
    yyjson_val *ib;
    struct buf ka;
    struct buf kb;
    buf_init(&ka, 1 << 20);
    buf_init(&kb, 1 << 20);
    *ok = str_eq(av_type(a, &ia), av_type(b, &ib)) && av_key_bytes(a, &ka) &&
          av_key_bytes(b, &kb);
    int order = *ok ? str_cmp(buf_view(&ka), buf_view(&kb)) : 0;
    buf_release(&ka);
    buf_release(&kb);
    return order;
}
