/* SPDX-License-Identifier: MIT */
/*
 * The model file: JSON with comments and trailing commas, read in situ in a copy that lives in
 * the model's arena, so that names are views and addresses are places. Numbers stay text. The
 * depth is limited before anything recurses.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

#include "pipeline/base/json.h"
#include "pipeline/model/read/reader.h"

enum { DEPTH_MAX = 64, PADDING = 4 };
#define FILE_MAX ((size_t)64 << 20)

static void read_version(struct model_reader *r, struct model_node n, void *target)
{
    (void)target;
    if (!yyjson_is_raw(n.v) || !str_is(read_node_str(n), "1")) {
        problems_add(r->problems, read_place(r, n.at),
                     "\"renorm\" must be 1, the version of the model format that this program "
                     "reads");
    }
}

static void read_schema(struct model_reader *r, struct model_node n, void *target)
{
    struct str s = {0};
    (void)target;
    (void)read_string(r, n, &s);
}

static void read_key(struct model_reader *r, struct model_node n, void *target)
{
    struct names *key = target;
    read_names(r, n, key);
    if (key->n > 2) {
        problems_add(r->problems, read_place(r, n.at),
                     "the key of a table has one or two attributes, not %u", key->n);
    }
}

static void read_type_attribute(struct model_reader *r, struct model_node n, void *target)
{
    if (yyjson_is_null(n.v)) {
        *(struct str *)target = STR("");
    } else {
        read_name(r, n, target);
    }
}

static void read_indexing(struct model_reader *r, struct model_node n, void *target)
{
    struct model *m = target;
    m->indexing_given = true;
    if (!yyjson_is_arr(n.v) || yyjson_arr_size(n.v) > 0)
        read_names(r, n, &m->indexing);
}

static void read_source(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"type", read_type_attribute, offsetof(struct model, type), false},
        {"key", read_key, offsetof(struct model, key), false},
        {"indexing", read_indexing, 0, false},
        {"ttl", read_name, offsetof(struct model, ttl), false}};
    read_object(r, n, RULES, NRULES(RULES), target);
}

static void read_source_spec(struct model_reader *r, struct model_node n, void *element)
{
    static const struct rule RULES[] = {
        {"key", read_key, offsetof(struct source_spec, key), true}};
    struct source_spec *s = element;
    s->name = n.name;
    if (read_key_is_name(r, n))
        read_object(r, n, RULES, NRULES(RULES), s);
}

static void read_sources(struct model_reader *r, struct model_node n, void *target)
{
    struct model *m = target;
    m->sources = read_each(r, n, sizeof *m->sources, read_source_spec, &m->nsources);
}

static void read_entities(struct model_reader *r, struct model_node n, void *target)
{
    struct model *m = target;
    m->entities = read_each(r, n, sizeof *m->entities, read_entity, &m->nentities);
    if (m->entities && m->nentities == 0)
        problems_add(r->problems, read_place(r, n.at), "the model has no entity");
}

static void read_model(struct model_reader *r, yyjson_val *root)
{
    static const struct rule RULES[] = {
        {"renorm", read_version, 0, false},
        {"$schema", read_schema, 0, false},
        {"name", read_name, offsetof(struct model, name), false},
        {"source", read_source, 0, false},
        {"sources", read_sources, 0, false},
        {"rest", read_rest, offsetof(struct model, rest), false},
        {"nulls", read_nulls, offsetof(struct model, nulls), false},
        {"null_if", read_texts, offsetof(struct model, null_if), false},
        {"define", read_nothing, 0, false},
        {"no_sep", read_nothing, 0, false},
        {"entities", read_entities, 0, true}};
    struct model_node n = {.v = root};
    while (yyjson_is_obj(root) && r->text.p[n.at] != '{')
        n.at++;
    read_define(r, root);
    read_no_sep(r, root);
    read_object(r, n, RULES, NRULES(RULES), r->m);
    if (yyjson_is_obj(root) && !yyjson_obj_get(root, "renorm")) {
        problems_add(r->problems, read_place(r, n.at),
                     "the model lacks its version\nhint: begin with \"renorm\": 1");
    }
    read_check(r);
}

/* ---- the hash ---- */
static void add_scalar(struct buf *b, yyjson_val *v)
{
    if (yyjson_is_str(v)) {
        json_add_string(b, str_make(v->uni.str, yyjson_get_len(v)));
    } else if (yyjson_is_raw(v)) {
        buf_add(b, v->uni.str, yyjson_get_len(v));
    } else if (yyjson_is_bool(v)) {
        buf_puts(b, yyjson_is_true(v) ? "true" : "false");
    } else {
        buf_puts(b, "null");
    }
}

/* Writes what is hashed: the model as it stands, without comments, spacing and trailing commas.
   Members are not sorted, because the order of entities and columns means something. */
static void add_plain(struct buf *b, yyjson_val *v, bool top)
{
    bool first = true;
    yyjson_obj_iter it;
    if (!yyjson_is_ctn(v)) {
        add_scalar(b, v);
    } else if (yyjson_is_arr(v)) {
        yyjson_arr_iter elements;
        buf_putc(b, '[');
        yyjson_arr_iter_init(v, &elements);
        for (yyjson_val *e; (e = yyjson_arr_iter_next(&elements)); first = false) {
            if (!first)
                buf_putc(b, ',');
            add_plain(b, e, false);
        }
        buf_putc(b, ']');
    } else {
        buf_putc(b, '{');
        yyjson_obj_iter_init(v, &it);
        for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
            if (top && yyjson_equals_str(key, "$schema"))
                continue;
            if (!first)
                buf_putc(b, ',');
            first = false;
            add_scalar(b, key);
            buf_putc(b, ':');
            add_plain(b, yyjson_obj_iter_get_val(key), false);
        }
        buf_putc(b, '}');
    }
}

static void set_hash(struct model_reader *r, yyjson_val *root)
{
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    struct buf text, hex;
    buf_init(&text, BUF_NO_LIMIT);
    buf_init(&hex, 2 * sizeof sum);
    add_plain(&text, root, true);
    if (text.rc || !EVP_Digest(text.p, text.len, sum, &n, EVP_sha256(), NULL))
        r->nomem = true;
    for (unsigned i = 0; i < n; i++)
        buf_addf(&hex, "%02x", sum[i]);
    r->m->hash = arena_dup(r->a, buf_view(&hex));
    r->nomem = r->nomem || hex.rc || !r->m->hash.p;
    buf_release(&text);
    buf_release(&hex);
}

/* ---- the text ---- */
static bool too_deep(yyjson_val *v, unsigned depth)
{
    if (depth > DEPTH_MAX)
        return true;
    size_t i = 0, n = 0;
    yyjson_val *key, *e;
    if (yyjson_is_arr(v)) {
        yyjson_arr_foreach(v, i, n, e) if (too_deep(e, depth + 1)) return true;
    } else if (yyjson_is_obj(v)) {
        yyjson_obj_foreach(v, i, n, key, e) if (too_deep(e, depth + 1)) return true;
    }
    return false;
}

static void find_lines(struct model_reader *r)
{
    size_t n = 1;
    for (size_t i = 0; i < r->text.n; i++)
        n += r->text.p[i] == '\n';
    r->lines = read_array(r, n, sizeof *r->lines);
    for (size_t i = 0; r->lines && i <= r->text.n; i++) {
        if (i == 0 || r->text.p[i - 1] == '\n')
            r->lines[r->nlines++] = i;
    }
}

static void read_text(struct model_reader *r)
{
    static const yyjson_read_flag FLAGS = YYJSON_READ_INSITU | YYJSON_READ_NUMBER_AS_RAW |
                                          YYJSON_READ_ALLOW_COMMENTS |
                                          YYJSON_READ_ALLOW_TRAILING_COMMAS;
    yyjson_read_err why = {0};
    char *copy = read_array(r, r->text.n + PADDING, 1);
    find_lines(r);
    if (r->nomem)
        return;
    if (r->text.n)
        memcpy(copy, r->text.p, r->text.n);
    r->insitu = copy;
    yyjson_doc *doc = yyjson_read_opts(copy, r->text.n, FLAGS, NULL, &why);
    if (!doc && why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
        r->nomem = true;
    } else if (!doc) {
        problems_add(r->problems, read_place(r, why.pos), "this is no JSON: %s",
                     r->text.n ? why.msg : "there is no text");
    } else if (too_deep(yyjson_doc_get_root(doc), 1)) {
        problems_add(r->problems, (struct place){1, 1}, "nested deeper than %d levels",
                     DEPTH_MAX);
    } else {
        read_model(r, yyjson_doc_get_root(doc));
        set_hash(r, yyjson_doc_get_root(doc));
    }
    yyjson_doc_free(doc);
}

enum rc model_read(struct str text, const struct stage *const *stages, struct model **out,
                   struct problems *problems, struct err *err)
{
    struct model *m = calloc(1, sizeof *m);
    *out = m;
    if (!m)
        return err_nomem(err);
    arena_init(&m->arena, 16384);
    m->type = STR("Type");
    m->rest = REST_EXTRA;
    m->nulls = NULLS_FOLD;
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_from(text, 3);
    struct model_reader r = {
        .m = m, .a = &m->arena, .stages = stages, .problems = problems, .text = text};
    size_t before = problems->count;
    read_text(&r);
    if (r.nomem) {
        model_free(m);
        *out = NULL;
        return err_nomem(err);
    }
    size_t found = problems->count - before;
    if (found) {
        return err_set(err, RC_USAGE, "the model has %zu problem%s", found,
                       found == 1 ? "" : "s");
    }
    return RC_OK;
}

enum rc model_read_file(const char *path, const struct stage *const *stages, struct model **out,
                        struct problems *problems, struct err *err)
{
    struct buf text;
    *out = NULL;
    FILE *f = fopen(path, "rbe");
    if (!f && strstr(path, "://")) { /* an address may hold a password, so it is not quoted */
        (void)err_set(err, RC_USAGE, "a model is a file, not an address");
        return err_hint(err, "sources and sinks are named before -m MODEL");
    }
    if (!f)
        return err_errno(err, RC_USAGE, errno, "cannot read the model \"%s\"", path);
    enum rc rc = RC_OK;
    buf_init(&text, FILE_MAX);
    while (!rc && !feof(f)) {
        if (!buf_room(&text, 65536)) {
            rc = text.len > FILE_MAX - 65536
                     ? err_set(err, RC_USAGE, "the model \"%s\" is too large", path)
                     : err_nomem(err);
            break;
        }
        text.len += fread(text.p + text.len, 1, 65536, f);
        if (ferror(f))
            rc = err_errno(err, RC_USAGE, errno, "cannot read the model \"%s\"", path);
    }
    (void)fclose(f);
    if (!rc)
        rc = model_read(buf_view(&text), stages, out, problems, err);
    buf_release(&text);
    return rc;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    arena_release(&m->arena);
    free(m);
}
