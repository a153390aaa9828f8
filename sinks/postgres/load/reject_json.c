/* SPDX-License-Identifier: MIT */
/*
 * What is not wanted as an item may be anything, and a value that the server refuses would end the
 * load. So only what jsonb surely takes is sent: JSON of sensible depth, without NUL in its texts,
 * with numbers that fit numeric.
 */
#include "sinks/postgres/load/reject_json.h"

#include <string.h>
#include <yyjson.h>

#include "sinks/postgres/wire/binary.h"

enum { JSONB_VERSION = 1, MAX_DEPTH = 100, MAX_DIGITS = 100, MAX_EXPONENT = 3 };

static bool fits_text(yyjson_val *v)
{
    return memchr(yyjson_get_str(v), '\0', yyjson_get_len(v)) == NULL;
}

static bool fits_number(struct str raw)
{
    size_t e = 0;
    while (e < raw.n && raw.p[e] != 'e' && raw.p[e] != 'E')
        e++;
    return e <= MAX_DIGITS && raw.n - e <= MAX_EXPONENT + 2;
}

static bool fits(yyjson_val *v, int depth)
{
    size_t i = 0, max = 0;
    yyjson_val *key = NULL, *one = NULL;
    bool good = depth > 0;
    if (yyjson_is_str(v))
        return fits_text(v);
    if (yyjson_is_raw(v))
        return fits_number(str_make(yyjson_get_raw(v), yyjson_get_len(v)));
    if (yyjson_is_arr(v)) {
        yyjson_arr_foreach(v, i, max, one) good = good && fits(one, depth - 1);
    } else if (yyjson_is_obj(v)) {
        yyjson_obj_foreach(v, i, max, key, one) good =
            good && fits_text(key) && fits(one, depth - 1);
    }
    return good;
}

void pg_reject_json_add(struct buf *b, struct str raw)
{
    yyjson_doc *doc = raw.n ? yyjson_read(raw.p, raw.n, YYJSON_READ_NUMBER_AS_RAW) : NULL;
    if (doc && fits(yyjson_doc_get_root(doc), MAX_DEPTH)) {
        buf_be32(b, (uint32_t)raw.n + 1);
        buf_putc(b, JSONB_VERSION);
        buf_add_str(b, raw);
    } else {
        pg_binary_null(b);
    }
    yyjson_doc_free(doc);
}
