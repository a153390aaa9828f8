/* SPDX-License-Identifier: MIT */
/*
 * A sorted array of owned items. The hash is FNV-1a with a final mix, so that neighbouring
 * keys spread over all segments.
 */
#include "tests/sim/table.h"

#include <stdlib.h>

#include "tests/sim/av.h"
#include "tests/sim/mem.h"

static uint64_t hash_bytes(const char *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 0x100000001b3u;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return h ^ (h >> 33);
}

static char *key_name(struct str spec, char *type)
{
    size_t colon = str_find(spec, STR(":"), 0);
    *type = spec.p && colon + 1 < spec.n ? spec.p[colon + 1] : '\0';
    return mem_dup(str_make(spec.p, colon));
}

void table_init(struct table *t, const char *spec)
{
    *t = (struct table){0};
    struct str s = str_of(spec);
    size_t comma = str_find(s, STR(","), 0);
    t->pk = key_name(str_make(s.p, comma), &t->pk_type);
    if (comma < s.n)
        t->sk = key_name(str_from(s, comma + 1), &t->sk_type);
}

void table_clear(struct table *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->items[i]);
    t->n = 0;
    t->bytes = 0;
}

void table_release(struct table *t)
{
    table_clear(t);
    free(t->items);
    free(t->pk);
    free(t->sk);
}

struct str table_json(const struct item *it)
{
    return str_make(it->data + it->pk_len + it->sk_len, it->json_len);
}

static struct str item_pk(const struct item *it)
{
    return str_make(it->data, it->pk_len);
}

static struct str item_sk(const struct item *it)
{
    return str_make(it->data + it->pk_len, it->sk_len);
}

/* A type of 0 accepts any key type and is fixed by the first item. */
static bool key_part(yyjson_val *json, const char *name, char type, struct buf *out)
{
    yyjson_val *in;
    yyjson_val *av = yyjson_obj_get(json, name);
    struct str tag = av_type(av, &in);
    return tag.n == 1 && (type == '\0' || tag.p[0] == type) && av_key_bytes(av, out);
}

bool table_key_read(const struct table *t, yyjson_val *json, struct table_key *key)
{
    *key = (struct table_key){0};
    buf_init(&key->bytes, 1 << 16);
    bool ok = key_part(json, t->pk, t->pk_type, &key->bytes);
    key->pk_len = (uint32_t)key->bytes.len;
    if (ok && t->sk)
        ok = key_part(json, t->sk, t->sk_type, &key->bytes);
    if (ok)
        key->hash = hash_bytes(key->bytes.p, key->pk_len);
    return ok && !key->bytes.rc;
}

void table_key_release(struct table_key *key)
{
    buf_release(&key->bytes);
}

static void learn_type(yyjson_val *json, const char *name, char *type)
{
    yyjson_val *in;
    if (name && *type == '\0')
        *type = av_type(yyjson_obj_get(json, name), &in).p[0];
}

struct item *table_item(struct table *t, yyjson_val *json, struct err *err)
{
    struct table_key key = {0};
    struct item *it = NULL;
    size_t len = 0;
    char *text = yyjson_val_write(json, 0, &len);
    if (text && table_key_read(t, json, &key)) {
        it = mem_alloc(sizeof *it + key.bytes.len + len);
        *it = (struct item){.hash = key.hash,
                            .size = (uint32_t)av_item_size(json),
                            .pk_len = key.pk_len,
                            .sk_len = (uint32_t)key.bytes.len - key.pk_len,
                            .json_len = (uint32_t)len};
        memcpy(it->data, key.bytes.p, key.bytes.len);
        memcpy(it->data + key.bytes.len, text, len);
        learn_type(json, t->pk, &t->pk_type);
        learn_type(json, t->sk, &t->sk_type);
    } else {
        (void)err_set(err, RC_DATA,
                      "One or more parameter values were invalid: Missing the key "
                      "%s in the item, or of the wrong type",
                      t->sk ? t->sk : t->pk);
    }
    table_key_release(&key);
    free(text);
    return it;
}

static void reserve(struct table *t)
{
    if (t->n < t->cap)
        return;
    t->cap = t->cap ? t->cap * 2 : 1024;
    t->items = mem_resize(t->items, t->cap * sizeof(struct item *));
}

void table_append(struct table *t, struct item *it)
{
    reserve(t);
    it->order = t->loaded++;
    t->bytes += it->size;
    t->items[t->n++] = it;
}

static int compare(uint64_t hash, struct str pk, struct str sk, const struct item *b)
{
    if (hash != b->hash)
        return hash < b->hash ? -1 : 1;
    int order = str_cmp(pk, item_pk(b));
    return order ? order : str_cmp(sk, item_sk(b));
}

static int compare_items(const void *pa, const void *pb)
{
    const struct item *a = *(struct item *const *)pa;
    const struct item *b = *(struct item *const *)pb;
    int order = compare(a->hash, item_pk(a), item_sk(a), b);
    return order ? order : (a->order < b->order ? -1 : a->order > b->order);
}

void table_sort(struct table *t)
{
    if (t->n == 0)
        return;
    qsort(t->items, t->n, sizeof(struct item *), compare_items);
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        struct item *it = t->items[i];
        bool again =
            i + 1 < t->n && compare(it->hash, item_pk(it), item_sk(it), t->items[i + 1]) == 0;
        if (again) {
            t->bytes -= it->size;
            free(it);
        } else {
            t->items[kept++] = it;
        }
    }
    t->n = kept;
}

static size_t lower_bound(const struct table *t, uint64_t hash, struct str pk, struct str sk)
{
    size_t from = 0;
    size_t to = t->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (compare(hash, pk, sk, t->items[mid]) > 0) {
            from = mid + 1;
        } else {
            to = mid;
        }
    }
    return from;
}

size_t table_find(const struct table *t, const struct table_key *key, bool *found)
{
    struct str pk = str_make(key->bytes.p, key->pk_len);
    struct str sk = str_from(buf_view(&key->bytes), key->pk_len);
    size_t at = lower_bound(t, key->hash, pk, sk);
    *found = at < t->n && compare(key->hash, pk, sk, t->items[at]) == 0;
    return at;
}

void table_put(struct table *t, struct item *it)
{
    size_t at = lower_bound(t, it->hash, item_pk(it), item_sk(it));
    t->bytes += it->size;
    if (at < t->n && compare(it->hash, item_pk(it), item_sk(it), t->items[at]) == 0) {
        t->bytes -= t->items[at]->size;
        free(t->items[at]);
        t->items[at] = it;
        return;
    }
    reserve(t);
    memmove(t->items + at + 1, t->items + at, (t->n - at) * sizeof(struct item *));
    t->items[at] = it;
    t->n++;
}

void table_remove(struct table *t, size_t index)
{
    t->bytes -= t->items[index]->size;
    free(t->items[index]);
    t->n--;
    memmove(t->items + index, t->items + index + 1, (t->n - index) * sizeof(struct item *));
}

uint64_t table_part(uint64_t hash, uint64_t total)
{
    return ((hash >> 32) * total) >> 32;
}

static size_t part_start(const struct table *t, uint64_t part, uint64_t total)
{
    size_t from = 0;
    size_t to = t->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (table_part(t->items[mid]->hash, total) < part) {
            from = mid + 1;
        } else {
            to = mid;
        }
    }
    return from;
}

void table_segment(const struct table *t, uint64_t segment, uint64_t total, size_t *from,
                   size_t *to)
{
    *from = part_start(t, segment, total);
    *to = part_start(t, segment + 1, total);
}

static void add_member(struct buf *out, yyjson_val *json, const char *name, const char *before)
{
    size_t len = 0;
    char *text = yyjson_val_write(yyjson_obj_get(json, name), 0, &len);
    buf_addf(out, "%s\"%s\":", before, name);
    buf_add(out, text, len);
    free(text);
}

void table_add_key(const struct table *t, const struct item *it, struct buf *out)
{
    struct str text = table_json(it);
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    add_member(out, yyjson_doc_get_root(doc), t->pk, "{");
    if (t->sk)
        add_member(out, yyjson_doc_get_root(doc), t->sk, ",");
    buf_putc(out, '}');
    yyjson_doc_free(doc);
}
