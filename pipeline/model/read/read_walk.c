/* SPDX-License-Identifier: MIT */
/*
 * Places and the walk over objects. yyjson keeps no positions, but read in situ a string or a
 * raw number points into the text: that address is its place. Containers, true, false and null
 * have none and are placed by their key, list elements without one by what is in them.
 */
#include <assert.h>
#include <stdlib.h>

#include "pipeline/base/json.h"
#include "pipeline/base/map.h"
#include "pipeline/model/read/reader.h"

enum { SHOWN = 60, RULES_MAX = 64 };

static size_t line_of(const struct model_reader *r, size_t at)
{
    size_t low = 0, high = r->nlines;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (r->lines[mid] <= at) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return low;
}

static bool begins_char(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* Counts columns in characters. On long lines it goes on from the last place asked for. */
struct place read_place(struct model_reader *r, size_t at)
{
    if (at > r->text.n)
        at = r->text.n;
    size_t line = line_of(r, at), from = r->lines[line], column = 1;
    if (r->cursor_line == line + 1 && r->cursor <= at) {
        from = r->cursor;
        column = r->cursor_column;
    }
    for (size_t i = from + 1; i <= at; i++)
        column += i == r->text.n || begins_char(r->text.p[i]);
    r->cursor = at;
    r->cursor_line = (uint32_t)(line + 1);
    r->cursor_column = column;
    return (struct place){(uint32_t)(line + 1), (uint32_t)column};
}

static size_t utf8_length(unsigned code)
{
    if (code < 0x80)
        return 1;
    if (code < 0x800)
        return 2;
    return 3;
}

static unsigned hex4(const char *p)
{
    char digits[5] = {p[0], p[1], p[2], p[3], 0};
    return (unsigned)strtoul(digits, NULL, 16);
}

size_t read_inside(const struct model_reader *r, struct model_node n, size_t inside)
{
    const char *p = r->text.p;
    size_t raw = n.at + 1, done = 0;
    while (done < inside && raw + 1 < r->text.n) {
        if (p[raw] != '\\') {
            raw++;
            done++;
        } else if (p[raw + 1] != 'u' || raw + 6 > r->text.n) {
            raw += 2;
            done++;
        } else {
            unsigned code = hex4(p + raw + 2);
            bool pair = code >= 0xD800 && code < 0xDC00;
            raw += pair ? 12 : 6;
            done += pair ? 4 : utf8_length(code);
        }
    }
    return raw;
}

const char *read_show(struct model_reader *r, struct str s)
{
    struct buf b;
    bool cut = s.n > SHOWN;
    if (cut) {
        s.n = SHOWN;
        while (s.n > 0 && !begins_char(s.p[s.n]))
            s.n--;
    }
    buf_init(&b, BUF_NO_LIMIT);
    json_add_string(&b, s);
    if (cut)
        buf_puts(&b, "...");
    const char *text = arena_cstr(&r->problems->arena, buf_view(&b));
    buf_release(&b);
    return text ? text : "?";
}

static const char *type_of(yyjson_val *v)
{
    switch (yyjson_get_type(v)) {
    case YYJSON_TYPE_OBJ:
        return "an object";
    case YYJSON_TYPE_ARR:
        return "a list";
    case YYJSON_TYPE_STR:
        return "a string";
    case YYJSON_TYPE_RAW:
    case YYJSON_TYPE_NUM:
        return "a number";
    case YYJSON_TYPE_BOOL:
        return yyjson_is_true(v) ? "true" : "false";
    default:
        return "null";
    }
}

void read_wrong_type(struct model_reader *r, struct model_node n, const char *wanted)
{
    problems_add(r->problems, read_place(r, n.at), "%s must be %s, not %s",
                 n.name.n ? read_show(r, n.name) : "the model", wanted, type_of(n.v));
}

/* ---- walking ---- */
static bool has_address(yyjson_val *v)
{
    return yyjson_is_str(v) || yyjson_is_raw(v);
}

static size_t address(const struct model_reader *r, yyjson_val *v)
{
    size_t at = (size_t)(v->uni.str - r->insitu);
    return yyjson_is_str(v) ? at - 1 : at;
}

static struct str view(yyjson_val *v)
{
    return str_make(v->uni.str, yyjson_get_len(v));
}

struct str read_node_str(struct model_node n)
{
    return view(n.v);
}

struct model_node read_node_member(const struct model_reader *r, yyjson_val *key,
                                   yyjson_val *val)
{
    size_t key_at = address(r, key);
    return (struct model_node){val, has_address(val) ? address(r, val) : key_at, key_at,
                               view(key)};
}

struct model_node read_node_element(const struct model_reader *r, struct model_node list,
                                    yyjson_val *val)
{
    struct model_node n = {val, list.at, list.key, list.name};
    yyjson_val *first = val;
    while (yyjson_is_arr(first) && yyjson_arr_size(first))
        first = yyjson_arr_get_first(first);
    if (yyjson_is_obj(first) && yyjson_obj_size(first))
        first = unsafe_yyjson_get_first(first);
    if (has_address(first))
        n.at = address(r, first);
    return n;
}

bool read_is_object(struct model_reader *r, struct model_node n)
{
    yyjson_obj_iter it;
    yyjson_val *key;
    struct map seen;
    if (!yyjson_is_obj(n.v)) {
        read_wrong_type(r, n, "an object");
        return false;
    }
    map_init(&seen);
    yyjson_obj_iter_init(n.v, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        struct str name = view(key);
        uint32_t before = map_get(&seen, name);
        size_t at = address(r, key);
        if (before != MAP_NONE) {
            struct place first = read_place(r, before);
            problems_add(r->problems, read_place(r, at),
                         "%s is given twice; the first is at line %u, column %u",
                         read_show(r, name), first.line, first.column);
        } else if (map_put(&seen, name, (uint32_t)at)) {
            r->nomem = true;
        }
    }
    map_release(&seen);
    return true;
}

static void unknown_member(struct model_reader *r, struct str name, size_t at,
                           const struct rule *rules, size_t nrules)
{
    const char *names[RULES_MAX];
    struct buf list;
    buf_init(&list, BUF_NO_LIMIT);
    for (size_t i = 0; i < nrules; i++) {
        names[i] = rules[i].name;
        buf_addf(&list, "%s%s", i ? ", " : "", rules[i].name);
    }
    const char *near = name_nearest(name, names, nrules);
    if (near) {
        problems_add(r->problems, read_place(r, at),
                     "unknown member %s\nhint: did you mean \"%s\"?", read_show(r, name), near);
    } else {
        problems_add(r->problems, read_place(r, at),
                     "unknown member %s\nhint: what can stand here: %s", read_show(r, name),
                     buf_cstr(&list));
    }
    buf_release(&list);
}

void read_object(struct model_reader *r, struct model_node n, const struct rule *rules,
                 size_t nrules, void *target)
{
    yyjson_obj_iter it;
    yyjson_val *key;
    uint64_t seen = 0;
    assert(nrules <= RULES_MAX);
    if (!read_is_object(r, n))
        return;
    yyjson_obj_iter_init(n.v, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        size_t i = 0;
        while (i < nrules && !str_is(view(key), rules[i].name))
            i++;
        if (i == nrules) {
            unknown_member(r, view(key), address(r, key), rules, nrules);
        } else if (!(seen & UINT64_C(1) << i)) {
            seen |= UINT64_C(1) << i;
            rules[i].read(r, read_node_member(r, key, yyjson_obj_iter_get_val(key)),
                          (char *)target + rules[i].offset);
        }
    }
    for (size_t i = 0; i < nrules; i++) {
        if (rules[i].required && !(seen & UINT64_C(1) << i)) {
            problems_add(r->problems, read_place(r, n.at), "%s lacks the member \"%s\"",
                         n.name.n ? read_show(r, n.name) : "the model", rules[i].name);
        }
    }
}

void read_object_or_first(struct model_reader *r, struct model_node n, const struct rule *rules,
                          size_t nrules, void *target)
{
    if (yyjson_is_obj(n.v)) {
        read_object(r, n, rules, nrules, target);
    } else {
        rules->read(r, n, (char *)target + rules->offset);
    }
}

void *read_array(struct model_reader *r, size_t count, size_t size)
{
    void *p = arena_array(r->a, count ? count : 1, size);
    if (!p)
        r->nomem = true;
    return p;
}

void *read_each(struct model_reader *r, struct model_node n, size_t size,
                void (*one)(struct model_reader *r, struct model_node n, void *element),
                uint32_t *count)
{
    yyjson_obj_iter it;
    *count = 0;
    if (!read_is_object(r, n))
        return NULL;
    char *v = read_array(r, yyjson_obj_size(n.v), size);
    if (!v)
        return NULL;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct model_node member = read_node_member(r, key, yyjson_obj_iter_get_val(key));
        one(r, member, v + size * (*count)++);
    }
    return v;
}
