/* SPDX-License-Identifier: MIT */
#include "sinks/dynamodb/journal/listed.h"

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"

enum { RAW_KEPT = 4096, NO_MEMBER = 2 /* "{}" */ };

void listed_add(struct buf *b, enum fate fate, const struct fault *why, struct str key,
                struct str raw)
{
    buf_addf(b, "{\"fate\":\"%s\",\"reason\":", recipe_fate_names[fate]);
    json_add_string(b, str_of(why->reason ? why->reason : "unknown"));
    buf_puts(b, ",\"detail\":");
    json_add_string(b, str_of(why->detail));
    if (key.n > NO_MEMBER) {
        buf_puts(b, ",\"key\":");
        buf_add_str(b, key);
    } else {
        buf_puts(b, ",\"base64\":\"");
        base64_add(b, str_make(raw.p, raw.n < RAW_KEPT ? raw.n : RAW_KEPT));
        buf_putc(b, '"');
    }
    buf_puts(b, "}\n");
}
