/* SPDX-License-Identifier: MIT */
/*
 * A run of some entities leaves the tables of the others as they are. Their lines of the manifest
 * are taken over, and say under "run" which run made them: the folder is what several runs showed.
 */
#include <stdlib.h>

#include <yyjson.h>

#include "pipeline/base/json.h"
#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"

static bool is_ours(const struct schema *s, struct str name)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        if (str_eq(s->tables[i].name, name))
            return true;
    }
    return false;
}

static void add_text(struct buf *b, yyjson_val *root, const char *name)
{
    yyjson_val *v = yyjson_obj_get(root, name);
    buf_addf(b, "\"%s\":", name);
    jsonl_record_text(b, str_make(yyjson_get_str(v), yyjson_get_len(v)));
    buf_putc(b, ',');
}

/* The table as it stands, and the run that made it unless it says so already. */
static void add_table(struct buf *b, yyjson_val *root, yyjson_val *table)
{
    size_t n = 0;
    char *text = yyjson_val_write(table, YYJSON_WRITE_NOFLAG, &n);
    if (!text || n < 2) {
        b->rc = RC_NOMEM;
        free(text);
        return;
    }
    buf_puts(b, ",\n");
    buf_add(b, text, n - (yyjson_obj_get(table, "run") ? 0 : 1));
    free(text);
    if (yyjson_obj_get(table, "run"))
        return;
    buf_puts(b, ",\"run\":{");
    add_text(b, root, "model_hash");
    add_text(b, root, "options");
    buf_addf(b, "\"started_us\":%lld}}",
             (long long)yyjson_get_sint(yyjson_obj_get(root, "started_us")));
}

void jsonl_manifest_stays(const struct jsonl *s, struct buf *b)
{
    struct buf text;
    struct store_version version;
    struct err ignored = {0};
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = s->store->ops->manifest(s->store, &text, &version, &ignored);
    yyjson_doc *doc = rc ? NULL : yyjson_read(text.p, text.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *t;
    size_t i, n;
    yyjson_arr_foreach(yyjson_obj_get(root, "tables"), i, n, t)
    {
        yyjson_val *name = yyjson_obj_get(t, "name");
        if (!is_ours(s->schema, str_make(yyjson_get_str(name), yyjson_get_len(name))))
            add_table(b, root, t);
    }
    yyjson_doc_free(doc);
    buf_release(&text);
    if (rc && rc != RC_NONE)
        b->rc = rc;
}
