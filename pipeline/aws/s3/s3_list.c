/* SPDX-License-Identifier: MIT */
/*
 * Expat reads; the parser knows at which depth which elements mean something and passes over the
 * rest. Declarations of entities are refused, since an answer that defines some is an attack. A
 * value is kept up to a limit, a page up to another.
 */
#include "pipeline/aws/s3/s3_list.h"

#include <expat.h>

#include "pipeline/aws/sign/sigv4.h"
#include "pipeline/base/timefmt.h"

enum { PAGE_MAX = 16 << 20, VALUE_MAX = 16 << 10, ENTRIES_MAX = 10000 };

enum field { NOTHING, KEY, ETAG, SIZE, MODIFIED, MORE, TOKEN, ENCODING };

struct parser {
    XML_Parser expat;
    struct s3_list *list;
    struct s3_entry entry;
    struct buf text, key, etag; /* of the element at hand; of the entry at hand */
    enum field field;
    int depth;
    size_t before; /* entries of earlier pages */
    bool is_list, in_entry, has_size, encoded, bad, whole;
};

static void give_up(struct parser *p)
{
    p->bad = true;
    (void)XML_StopParser(p->expat, XML_FALSE);
}

static const char *bare(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static enum field field_of(const struct parser *p, const char *name)
{
    static const struct {
        const char *name;
        bool in_entry;
        enum field field;
    } FIELDS[] = {{"Key", true, KEY},
                  {"ETag", true, ETAG},
                  {"Size", true, SIZE},
                  {"LastModified", true, MODIFIED},
                  {"IsTruncated", false, MORE},
                  {"NextContinuationToken", false, TOKEN},
                  {"EncodingType", false, ENCODING}};
    int depth = p->in_entry ? 3 : 2;
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS && p->depth == depth; i++) {
        if (FIELDS[i].in_entry == p->in_entry && strcmp(FIELDS[i].name, name) == 0)
            return FIELDS[i].field;
    }
    return NOTHING;
}

static void on_start(void *ctx, const char *name, const char **attributes)
{
    (void)attributes;
    struct parser *p = ctx;
    name = bare(name);
    p->depth++;
    if (p->depth == 1)
        p->is_list = strcmp(name, "ListBucketResult") == 0;
    if (!p->is_list) {
        give_up(p);
        return;
    }
    if (p->depth == 2 && strcmp(name, "Contents") == 0) {
        p->in_entry = true;
        p->has_size = false;
        p->entry = (struct s3_entry){0};
        buf_clear(&p->key);
        buf_clear(&p->etag);
        return;
    }
    p->field = field_of(p, name);
    buf_clear(&p->text);
}

static void set_size(struct parser *p)
{
    unsigned long long n = 0;
    p->has_size = str_uint(buf_view(&p->text), &n);
    p->entry.size = n;
}

static void end_field(struct parser *p)
{
    struct str text = buf_view(&p->text);
    switch (p->field) {
    case NOTHING:
        break;
    case KEY:
        buf_add_str(&p->key, text);
        break;
    case ETAG:
        if (text.n > 1 && text.p[0] == '"' && text.p[text.n - 1] == '"')
            text = str_make(text.p + 1, text.n - 2);
        buf_add_str(&p->etag, text);
        break;
    case SIZE:
        set_size(p);
        break;
    case MODIFIED:
        (void)timefmt_read_iso(text, &p->entry.mtime_us);
        break;
    case MORE:
        p->list->more = str_is(text, "true");
        break;
    case TOKEN:
        buf_add_str(&p->list->token, text);
        break;
    case ENCODING:
        p->encoded = str_is(text, "url");
        break;
    }
    p->field = NOTHING;
}

static void add_entry(struct parser *p)
{
    struct s3_list *l = p->list;
    struct s3_entry *v =
        arena_push(l->arena, l->entries, l->n, &l->cap, 256, sizeof *l->entries);
    if (v)
        l->entries = v;
    p->entry.key = arena_dup(l->arena, buf_view(&p->key));
    p->entry.etag = arena_dup(l->arena, buf_view(&p->etag));
    bool ok = v && p->entry.key.p && p->entry.etag.p && p->key.len > 0 && p->has_size &&
              !p->key.rc && !p->etag.rc;
    if (!ok || l->n - p->before >= ENTRIES_MAX) {
        give_up(p);
        return;
    }
    l->entries[l->n++] = p->entry;
}

static void on_end(void *ctx, const char *name)
{
    (void)name;
    struct parser *p = ctx;
    if (p->field != NOTHING)
        end_field(p);
    if (p->in_entry && p->depth == 2) {
        add_entry(p);
        p->in_entry = false;
    }
    p->whole = --p->depth == 0;
}

static void on_text(void *ctx, const char *text, int n)
{
    struct parser *p = ctx;
    if (p->field == NOTHING)
        return;
    buf_add(&p->text, text, (size_t)n);
    if (p->text.rc)
        give_up(p);
}

static void on_doctype(void *ctx, const char *name, const char *system, const char *public,
                       int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    give_up(ctx);
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In its own memory: what is decoded is never longer. A "+" stands for a blank, as in a form. */
static struct str decode(struct str s)
{
    char *to = (char *)(uintptr_t)s.p;
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        int high = s.p[i] == '%' && i + 2 < s.n ? digit_of(s.p[i + 1]) : -1;
        int low = high >= 0 ? digit_of(s.p[i + 2]) : -1;
        if (low >= 0) {
            to[n++] = (char)(high * 16 + low);
            i += 2;
        } else {
            to[n++] = s.p[i] == '+' ? ' ' : s.p[i];
        }
    }
    to[n] = '\0';
    return str_make(s.p, n);
}

void s3_list_init(struct s3_list *l, struct arena *a)
{
    *l = (struct s3_list){.arena = a};
    buf_init(&l->token, VALUE_MAX);
}

void s3_list_release(struct s3_list *l)
{
    buf_release(&l->token);
}

static bool parse(struct parser *p, struct str body)
{
    XML_SetUserData(p->expat, p);
    XML_SetElementHandler(p->expat, on_start, on_end);
    XML_SetCharacterDataHandler(p->expat, on_text);
    XML_SetStartDoctypeDeclHandler(p->expat, on_doctype);
    bool read = XML_Parse(p->expat, body.p, (int)body.n, 1) == XML_STATUS_OK;
    return read && p->whole && !p->bad && !p->list->token.rc;
}

bool s3_list_page(struct s3_list *l, struct str body)
{
    if (body.n == 0 || body.n > PAGE_MAX)
        return false;
    struct parser p = {.expat = XML_ParserCreate(NULL), .list = l, .before = l->n};
    if (!p.expat)
        return false;
    buf_init(&p.text, VALUE_MAX);
    buf_init(&p.key, VALUE_MAX);
    buf_init(&p.etag, VALUE_MAX);
    l->more = false;
    buf_clear(&l->token);
    bool ok = parse(&p, body) && (!l->more || l->token.len > 0);
    for (size_t i = p.before; i < l->n && ok && p.encoded; i++)
        l->entries[i].key = decode(l->entries[i].key);
    if (!ok)
        l->n = p.before;
    XML_ParserFree(p.expat);
    buf_release(&p.text);
    buf_release(&p.key);
    buf_release(&p.etag);
    return ok;
}

void s3_list_query(const struct s3_list *l, struct str prefix, struct buf *out)
{
    if (l->token.len) {
        buf_puts(out, "continuation-token=");
        sigv4_encode(buf_view(&l->token), false, out);
        buf_putc(out, '&');
    }
    buf_puts(out, "encoding-type=url&list-type=2");
    buf_puts(out, "&prefix=");
    sigv4_encode(prefix, false, out);
}
