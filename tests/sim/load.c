/* SPDX-License-Identifier: MIT */
/*
 * Made-up items are a single-table shop: every tenth item is a customer, the nine after it are
 * that customer's orders. All values are a function of the item's number and the seed.
 */
#include "tests/sim/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/sim/mem.h"

static enum rc add_text(struct table *t, struct str line, struct err *err)
{
    yyjson_doc *doc = yyjson_read(line.p, line.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *inner = yyjson_obj_get(root, "Item");
    if (inner && yyjson_obj_size(root) == 1)
        root = inner;
    struct item *it = yyjson_is_obj(root) ? table_item(t, root, err) : NULL;
    if (!yyjson_is_obj(root))
        (void)err_set(err, RC_USAGE, "not a JSON object");
    if (it)
        table_append(t, it);
    yyjson_doc_free(doc);
    return it ? RC_OK : RC_USAGE;
}

enum rc load_file(struct table *t, const char *path, struct err *err)
{
    size_t len = 0;
    char *text = mem_file(path, &len);
    if (!text)
        return err_errno(err, RC_USAGE, errno, "cannot read \"%s\"", path);
    struct str all = str_make(text, len);
    enum rc rc = RC_OK;
    unsigned long number = 1;
    for (size_t at = 0; !rc && at < len; number++) {
        size_t end = str_find(all, STR("\n"), at);
        struct str line = str_make(text + at, end - at);
        if (line.n > 0)
            rc = add_text(t, line, err);
        at = end + 1;
    }
    if (rc)
        (void)err_context(err, "\"%s\" line %lu", path, number - 1);
    free(text);
    table_sort(t);
    return rc;
}

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static const char *const words[] = {"amber",  "basalt", "cedar",  "delta",   "ember", "fjord",
                                    "garnet", "harbor", "indigo", "juniper", "krill", "lagoon",
                                    "meadow", "nickel", "onyx",   "poplar"};

static const char *word(uint64_t r, unsigned shift)
{
    return words[(r >> shift) & 15u];
}

static void add_words(struct buf *b, uint64_t r, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (i % 16 == 15)
            r = mix(r);
        buf_addf(b, "%s%s", i ? " " : "", word(r, i % 16 * 4));
    }
}

static void add_customer(struct buf *b, uint64_t c, uint64_t r)
{
    buf_addf(b,
             "{\"PK\":{\"S\":\"CUSTOMER#c%08llu\"},\"SK\":{\"S\":\"A\"},"
             "\"Type\":{\"S\":\"Customer\"},",
             (unsigned long long)c);
    buf_addf(b, "\"Name\":{\"S\":\"%s %s\"},\"Email\":{\"S\":\"%s.%llu@example.com\"},",
             word(r, 0), word(r, 4), word(r, 8), (unsigned long long)c);
    buf_addf(
        b,
        "\"Address\":{\"M\":{\"Street\":{\"S\":\"%llu %s street\"},\"City\":{\"S\":\"%s\"},"
        "\"Zip\":{\"S\":\"%05llu\"}}},",
        (unsigned long long)(r >> 7 & 1023), word(r, 12), word(r, 16),
        (unsigned long long)(r >> 11 & 65535));
    buf_addf(b, "\"Tags\":{\"SS\":[\"%s\",\"t-%s\"]},\"Active\":{\"BOOL\":%s},", word(r, 20),
             word(r, 24), r & 1 ? "true" : "false");
    buf_addf(
        b, "\"Score\":{\"N\":\"%lld\"},\"CreatedAt\":{\"S\":\"2024-%02llu-%02lluT08:00:00Z\"},",
        (long long)(r >> 40 & 4095) - 2048, (unsigned long long)(r % 12 + 1),
        (unsigned long long)(r % 28 + 1));
    buf_puts(b, "\"Note\":{\"S\":\"");
    add_words(b, r, 54);
    buf_puts(b, "\"}}");
}

static void add_line(struct buf *b, uint64_t r)
{
    buf_addf(b,
             "{\"M\":{\"Sku\":{\"S\":\"%s-%llu\"},\"Qty\":{\"N\":\"%llu\"},"
             "\"Price\":{\"N\":\"%llu.%02llu\"}}}",
             word(r, 0), (unsigned long long)(r >> 8 & 999),
             (unsigned long long)(r >> 20 & 7) + 1, (unsigned long long)(r >> 24 & 127),
             (unsigned long long)(r >> 32 & 63) + 11);
}

static void add_order(struct buf *b, uint64_t c, uint64_t number, uint64_t r)
{
    static const char *const states[] = {"open", "paid", "shipped", "done"};
    buf_addf(b,
             "{\"PK\":{\"S\":\"CUSTOMER#c%08llu\"},\"SK\":{\"S\":\"#ORDER#o%010llu\"},"
             "\"Type\":{\"S\":\"Order\"},",
             (unsigned long long)c, (unsigned long long)number);
    buf_addf(b, "\"Status\":{\"S\":\"%s\"},\"Total\":{\"N\":\"%llu.%02llu\"},", states[r & 3],
             (unsigned long long)(r >> 9 & 4095), (unsigned long long)(r >> 21 & 63) + 11);
    buf_addf(b, "\"PlacedAt\":{\"S\":\"2025-%02llu-%02lluT%02llu:15:00Z\"},",
             (unsigned long long)(r % 12 + 1), (unsigned long long)(r % 28 + 1),
             (unsigned long long)(r % 24));
    buf_puts(b, "\"Lines\":{\"L\":[");
    for (uint64_t i = 0; i < 3; i++) {
        if (i)
            buf_putc(b, ',');
        add_line(b, mix(r + i));
    }
    buf_puts(b, "]},\"Note\":{\"S\":\"");
    add_words(b, r, 52);
    buf_puts(b, "\"}}");
}

/* One attribute is padded so that the item has exactly the size asked for. */
static void add_padded(struct buf *b, uint64_t i, uint64_t bytes)
{
    buf_addf(b,
             "{\"PK\":{\"S\":\"ITEM#%010llu\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Item\"},"
             "\"Payload\":{\"S\":\"",
             (unsigned long long)i);
    uint64_t fixed = 2 + 15 + 2 + 1 + 4 + 4 + 7;
    uint64_t pad = bytes > fixed ? bytes - fixed : 0;
    uint64_t r = mix(i);
    for (uint64_t k = 0; k < pad; k++) {
        if (k % 12 == 0)
            r = mix(r);
        buf_putc(b, (char)('a' + (r >> (k % 12 * 5) & 31) % 26));
    }
    buf_puts(b, "\"}}");
}

enum rc load_generated(struct table *t, const struct load_shape *shape, struct err *err)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    enum rc rc = RC_OK;
    for (uint64_t i = 0; !rc && i < shape->count; i++) {
        uint64_t r = mix(i ^ mix(shape->seed));
        buf_clear(&b);
        if (shape->item_bytes) {
            add_padded(&b, i, shape->item_bytes);
        } else if (i % 10 == 0) {
            add_customer(&b, i / 10, r);
        } else {
            add_order(&b, i / 10, i, r);
        }
        rc = buf_check(&b, err);
        if (!rc)
            rc = add_text(t, buf_view(&b), err);
    }
    buf_release(&b);
    table_sort(t);
    return rc;
}

enum rc load_dump(const struct table *t, const char *path, uint64_t count, struct err *err)
{
    FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    if (!f)
        return err_errno(err, RC_USAGE, errno, "cannot write \"%s\"", path);
    bool ok = true;
    for (uint64_t i = 0; ok && t->n && i < count; i++) {
        struct str json = table_json(t->items[i % t->n]);
        ok = fputs("{\"Item\":", f) >= 0 && fwrite(json.p, 1, json.n, f) == json.n &&
             fputs("}\n", f) >= 0;
    }
    if (f == stdout ? fflush(f) : fclose(f))
        ok = false;
    return ok ? RC_OK : err_errno(err, RC_SINK, errno, "cannot write \"%s\"", path);
}
