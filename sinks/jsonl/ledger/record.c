/* SPDX-License-Identifier: MIT */
/* Counters are written as pairs, for most of a commit's are zero. */
#include "sinks/jsonl/ledger/record.h"

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"
#include "pipeline/base/utf8.h"

void jsonl_record_base64(struct buf *b, struct str bytes)
{
    buf_putc(b, '"');
    base64_add(b, bytes);
    buf_putc(b, '"');
}

void jsonl_record_hex(struct buf *b, const unsigned char *p, size_t n)
{
    static const char HEX[] = "0123456789abcdef";
    buf_putc(b, '"');
    for (size_t i = 0; i < n; i++) {
        buf_putc(b, HEX[p[i] >> 4]);
        buf_putc(b, HEX[p[i] & 15]);
    }
    buf_putc(b, '"');
}

void jsonl_record_text(struct buf *b, struct str s)
{
    if (utf8_bad(s) == s.n) {
        json_add_string(b, s);
        return;
    }
    struct buf clean;
    buf_init(&clean, BUF_NO_LIMIT);
    while (s.n) {
        size_t good = utf8_bad(s);
        buf_add(&clean, s.p, good);
        if (good < s.n)
            buf_puts(&clean, "\xEF\xBF\xBD");
        s = str_from(s, good < s.n ? good + 1 : good);
    }
    json_add_string(b, buf_view(&clean));
    buf_release(&clean);
}

static void name(struct buf *b, const char *text)
{
    bool first = b->len && b->p[b->len - 1] == '{';
    json_add_name(b, &first, text);
}

void jsonl_record_begin(struct buf *b)
{
    buf_putc(b, '{');
}

static void add_mark(struct buf *b, const struct mark *m, uint32_t ncounters)
{
    buf_addf(b, "{\"s\":%u,\"e\":%u,\"d\":%s,\"r\":", m->segment, m->epoch,
             m->done ? "true" : "false");
    jsonl_record_base64(b, m->resume);
    buf_puts(b, ",\"c\":[");
    bool first = true;
    for (uint32_t i = 0; m->counters && i < ncounters; i++) {
        if (m->counters[i] == 0)
            continue;
        buf_addf(b, "%s%u,%llu", first ? "" : ",", i, (unsigned long long)m->counters[i]);
        first = false;
    }
    buf_puts(b, "]}");
}

void jsonl_record_marks(struct buf *b, const struct mark *marks, size_t n, uint32_t ncounters)
{
    name(b, "marks");
    for (size_t i = 0; i < n; i++) {
        buf_putc(b, i ? ',' : '[');
        add_mark(b, &marks[i], ncounters);
    }
    buf_puts(b, n ? "]" : "[]");
}

void jsonl_record_files(struct buf *b, const struct jsonl_file *files, size_t n)
{
    name(b, "files");
    buf_putc(b, '[');
    for (size_t i = 0; i < n; i++) {
        const struct jsonl_file *f = &files[i];
        buf_addf(b, "%s{\"f\":%u,\"s\":%u,\"n\":%llu,\"r\":%llu,\"w\":%llu", i ? "," : "",
                 f->id, f->stream, (unsigned long long)f->bytes, (unsigned long long)f->rows,
                 (unsigned long long)f->raw);
        if (f->ended) {
            buf_puts(b, ",\"h\":");
            jsonl_record_hex(b, f->sha, ZST_SHA);
        }
        buf_putc(b, '}');
    }
    buf_putc(b, ']');
}

void jsonl_record_drops(struct buf *b, const uint32_t *ids, size_t n)
{
    name(b, "drop");
    buf_putc(b, '[');
    for (size_t i = 0; i < n; i++)
        buf_addf(b, "%s%u", i ? "," : "", ids[i]);
    buf_putc(b, ']');
}

void jsonl_record_reasons(struct buf *b, const struct reasons *reasons)
{
    name(b, "reasons");
    buf_putc(b, '[');
    for (size_t i = 0; i < reasons->n; i++) {
        const struct reason *r = &reasons->v[i];
        buf_addf(b, "%s{\"k\":%d,\"c\":%llu,\"n\":", i ? "," : "", (int)r->kind,
                 (unsigned long long)r->count);
        jsonl_record_text(b, r->name);
        buf_puts(b, ",\"o\":");
        jsonl_record_text(b, r->column);
        buf_puts(b, ",\"e\":");
        jsonl_record_text(b, r->example);
        buf_addf(b, ",\"s\":%u,\"p\":%llu}", r->segment, (unsigned long long)r->position);
    }
    buf_putc(b, ']');
}

static void add_extra(struct buf *b, uint32_t place, const struct extra *x)
{
    bool first = true;
    buf_addf(b, "%s{\"p\":%u,\"n\":", b->p[b->len - 1] == '[' ? "" : ",", place);
    jsonl_record_text(b, x->name);
    buf_puts(b, ",\"c\":[");
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        if (x->counts[k] == 0)
            continue;
        buf_addf(b, "%s%u,%llu", first ? "" : ",", k, (unsigned long long)x->counts[k]);
        first = false;
    }
    buf_putc(b, ']');
    if (x->example.n) {
        buf_addf(b, ",\"s\":%u,\"i\":%llu,\"x\":", x->at.segment,
                 (unsigned long long)x->at.item);
        jsonl_record_text(b, x->example);
    }
    buf_putc(b, '}');
}

void jsonl_record_extras(struct buf *b, const struct extras *extras)
{
    if (!extras || !extras->any)
        return;
    name(b, "extra");
    buf_putc(b, '[');
    for (uint32_t p = 0; p < extras->n && !b->rc; p++) {
        const struct extras_of *of = &extras->places[p];
        for (uint32_t i = 0; i < of->n && !b->rc; i++)
            add_extra(b, p, of->v[i]);
        if (of->others && !b->rc)
            add_extra(b, p, &(struct extra){.counts = {of->others}});
    }
    buf_putc(b, ']');
}

void jsonl_record_plan(struct buf *b, struct str plan)
{
    name(b, "swaps");
    buf_add_str(b, plan);
}

void jsonl_record_held(struct buf *b, const struct jsonl_held *held)
{
    name(b, "held");
    buf_puts(b, "{\"why\":");
    jsonl_record_text(b, held->why);
    buf_puts(b, ",\"judged\":");
    jsonl_record_text(b, held->judged);
    buf_puts(b, ",\"from\":");
    jsonl_record_text(b, held->from);
    buf_puts(b, ",\"plan\":");
    buf_add_str(b, held->plan);
    buf_putc(b, '}');
}

void jsonl_record_number(struct buf *b, const char *text, uint64_t value)
{
    name(b, text);
    buf_addf(b, "%llu", (unsigned long long)value);
}

void jsonl_record_end(struct buf *b)
{
    buf_putc(b, '}');
}
