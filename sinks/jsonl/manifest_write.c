/* SPDX-License-Identifier: MIT */
/* The manifest: one line per table, for people who look into it with a pager. */
#include "pipeline/base/json.h"
#include "pipeline/item/cast/column_type.h"
#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"
#include "sinks/jsonl/ledger/run_identity.h"

#include <yyjson.h>

static const char *const KINDS[] = {
    [TABLE_ENTITY] = "entity",
    [TABLE_CHILD] = "child",
    [TABLE_EXTRACT] = "extract",
    [TABLE_CONFLICT] = "conflict",
};

static void add_columns(struct buf *b, const struct table *t)
{
    buf_puts(b, ",\"columns\":[");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        buf_puts(b, i ? ",{\"name\":" : "{\"name\":");
        jsonl_record_text(b, t->columns[i].name);
        buf_addf(b, ",\"type\":\"%s\"%s}", column_type_name(t->columns[i].type),
                 t->columns[i].not_null ? ",\"not_null\":true" : "");
    }
    buf_puts(b, "],\"key\":[");
    for (uint32_t i = 0; i < t->nkey; i++) {
        buf_puts(b, i ? "," : "");
        jsonl_record_text(b, t->columns[t->key[i]].name);
    }
    buf_putc(b, ']');
}

/* Without the closing brace. */
static void add_table(struct buf *b, const struct table *t)
{
    char folder[JSONL_NAME];
    jsonl_name(t->name, folder);
    buf_puts(b, "{\"name\":");
    jsonl_record_text(b, t->name);
    buf_addf(b, ",\"folder\":\"%s\",\"kind\":\"%s\"", folder, KINDS[t->kind]);
    add_columns(b, t);
}

void jsonl_manifest_schema(struct buf *b, const struct schema *schema)
{
    buf_puts(b, "{\"tables\":[");
    for (uint32_t i = 0; i < schema->ntables; i++) {
        buf_puts(b, i ? "," : "");
        add_table(b, &schema->tables[i]);
        buf_putc(b, '}');
    }
    buf_puts(b, "],\"notes\":[");
    for (uint32_t i = 0; i < schema->nnotes; i++) {
        buf_puts(b, i ? "," : "");
        jsonl_record_text(b, schema->notes[i]);
    }
    buf_puts(b, "]}");
}

/* "rows", "bytes" and "files" of a stream. */
static void add_files(struct buf *b, const struct jsonl *s, uint32_t stream)
{
    const struct jsonl_state *st = &s->state;
    char part[JSONL_PART];
    uint64_t rows = 0, bytes = 0;
    for (size_t i = 0; i < st->nfiles; i++) {
        const struct jsonl_file *f = &st->files[i];
        if (f->stream != stream || f->dropped)
            continue;
        rows += f->rows;
        bytes += f->bytes;
    }
    buf_addf(b, ",\"rows\":%llu,\"bytes\":%llu,\"files\":[", (unsigned long long)rows,
             (unsigned long long)bytes);
    bool first = true;
    for (size_t i = 0; i < st->nfiles; i++) {
        const struct jsonl_file *f = &st->files[i];
        if (f->stream != stream || f->dropped)
            continue;
        jsonl_part_name(s, f->id, part);
        buf_addf(
            b, "%s{\"name\":\"%s\",\"rows\":%llu,\"bytes\":%llu,\"sha256\":", first ? "" : ",",
            part, (unsigned long long)f->rows, (unsigned long long)f->bytes);
        jsonl_record_hex(b, f->sha, ZST_SHA);
        buf_putc(b, '}');
        first = false;
    }
    buf_putc(b, ']');
}

static void add_reasons(struct buf *b, const struct jsonl_state *st, enum reject_kind kind)
{
    bool first = true;
    for (size_t i = 0; i < st->reasons.n; i++) {
        if (st->reasons.v[i].kind != kind || !reasons_is_first(&st->reasons, i))
            continue;
        buf_puts(b, first ? "" : ",");
        jsonl_record_text(b, st->reasons.v[i].name);
        buf_addf(b, ":%llu", (unsigned long long)reasons_named(&st->reasons, i));
        first = false;
    }
}

static void add_items(struct buf *b, const uint64_t *c)
{
    static const char *const NAMES[CNT_FIXED] = {"read", "routed", "filtered", "unrouted",
                                                 "rejected"};
    buf_puts(b, ",\n\"items\":{");
    for (int i = 0; i < CNT_FIXED; i++)
        buf_addf(b, "%s\"%s\":%llu", i ? "," : "", NAMES[i], (unsigned long long)c[i]);
    buf_putc(b, '}');
}

static void add_notes(struct buf *b, const struct jsonl *s)
{
    const uint64_t *c = s->state.counters + CNT_FIXED + s->schema->ntables;
    buf_puts(b, ",\n\"notes\":{");
    bool first = true;
    for (uint32_t i = 0; i < s->schema->nnotes; i++) {
        if (c[i] == 0)
            continue;
        buf_puts(b, first ? "" : ",");
        jsonl_record_text(b, s->schema->notes[i]);
        buf_addf(b, ":%llu", (unsigned long long)c[i]);
        first = false;
    }
    buf_putc(b, '}');
}

static void add_kept(struct buf *b, const struct jsonl *s, enum reject_kind kind)
{
    bool rejects = kind == REJECT_ITEM;
    uint32_t stream = rejects ? jsonl_rejects(s->schema) : jsonl_unrouted(s->schema);
    const char *name = rejects ? "rejects" : "unrouted";
    buf_addf(b, ",\n\"%s\":{\"folder\":\"%s\",\"%s\":{", name, name,
             rejects ? "by_reason" : "by_type");
    add_reasons(b, &s->state, kind);
    buf_putc(b, '}');
    add_files(b, s, stream);
    buf_putc(b, '}');
}

static void copy_member(struct buf *b, yyjson_val *run, const char *name)
{
    yyjson_val *v = yyjson_obj_get(run, name);
    buf_addf(b, ",\n\"%s\":", name);
    jsonl_record_text(b, str_make(yyjson_get_str(v), yyjson_get_len(v)));
}

void jsonl_manifest_write(const struct jsonl *s, struct buf *b)
{
    yyjson_doc *doc = yyjson_read(s->identity.p, s->identity.len, 0);
    yyjson_val *run = jsonl_identity_run(doc);
    buf_puts(b, "{\"renorm\":1");
    copy_member(b, run, "version");
    copy_member(b, run, "name");
    copy_member(b, run, "model_hash");
    copy_member(b, run, "source");
    copy_member(b, run, "options");
    if (yyjson_obj_get(run, "supersedes"))
        copy_member(b, run, "supersedes");
    buf_addf(b, ",\n\"started_us\":%lld",
             (long long)yyjson_get_sint(yyjson_obj_get(run, "now_us")));
    buf_addf(b, ",\n\"segments\":%u", s->state.segments_done);
    yyjson_doc_free(doc);
    add_items(b, s->state.counters);
    buf_puts(b, ",\n\"tables\":[");
    for (uint32_t i = 0; i < s->schema->ntables; i++) {
        buf_puts(b, i ? ",\n" : "\n");
        add_table(b, &s->schema->tables[i]);
        add_files(b, s, i);
        buf_putc(b, '}');
    }
    if (s->partial)
        jsonl_manifest_stays(s, b);
    buf_puts(b, "]");
    add_kept(b, s, REJECT_ITEM);
    add_kept(b, s, REJECT_UNROUTED);
    add_notes(b, s);
    if (s->profile.len) {
        buf_puts(b, ",\n\"shape\":");
        buf_add_str(b, buf_view(&s->profile));
    }
    buf_addf(b, ",\n\"conflicts\":%llu,\"missing_mirrors\":%llu}\n",
             (unsigned long long)s->state.conflicts,
             (unsigned long long)s->state.missing_mirrors);
}
