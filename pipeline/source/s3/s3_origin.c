/* SPDX-License-Identifier: MIT */
/*
 * Looking at an object is beginning to read it: the answer tells size and ETag, its errors have
 * words, and the bytes are there when it is opened. Of objects that will be looked at next,
 * several are begun ahead, so that thousands do not cost a round trip each.
 */
#include "pipeline/source/s3/s3_origin.h"

#include <stdlib.h>

#include "pipeline/source/files/format/format.h"

static struct s3_origin *of(const struct origin *o)
{
    return (struct s3_origin *)(uintptr_t)o;
}

/* ---- notes --------------------------------------------------------------------------------- */

struct s3_object *s3_origin_object(const struct s3_origin *o, const char *name)
{
    uint32_t i = map_get(&o->names, str_of(name));
    return i != MAP_NONE && o->objects[i]->known ? o->objects[i] : NULL;
}

bool s3_origin_etag(const struct s3_origin *o, struct s3_object *x, struct str etag)
{
    if (!str_eq(x->etag, etag))
        x->etag = arena_dup(&of(&o->base)->arena, etag);
    return x->etag.p != NULL;
}

struct s3_object *s3_origin_note(struct s3_origin *o, const char *name)
{
    uint32_t i = map_get(&o->names, str_of(name));
    if (i != MAP_NONE)
        return o->objects[i];
    struct s3_object **v =
        arena_push(&o->arena, o->objects, o->n, &o->cap, 256, sizeof(struct s3_object *));
    struct s3_object *x = ARENA_NEW(&o->arena, struct s3_object);
    char *own = arena_cstr(&o->arena, str_of(name));
    if (!v || !x || !own || map_put(&o->names, str_of(own), (uint32_t)o->n))
        return NULL;
    x->name = own;
    x->key = str_from(str_of(own), strlen(o->root) + 1);
    o->objects = v;
    o->objects[o->n++] = x;
    return x;
}

/* ---- what is begun ahead ------------------------------------------------------------------- */

static struct s3_bytes **head_of(struct s3_origin *o, const char *name)
{
    for (size_t i = 0; i < S3_HEADS; i++) {
        if (o->heads[i] && strcmp(o->heads[i]->object->name, name) == 0)
            return &o->heads[i];
    }
    return NULL;
}

static void drop_heads(struct s3_origin *o)
{
    for (size_t i = 0; i < S3_HEADS; i++) {
        if (o->heads[i])
            bytes_close(&o->heads[i]->base);
        o->heads[i] = NULL;
    }
}

static struct s3_bytes *begin(struct s3_origin *o, const char *name, struct err *err)
{
    struct s3_object *x = s3_origin_note(o, name);
    struct s3_bytes *b = x ? s3_bytes_open(o->link, x, err) : NULL;
    if (!b) {
        (void)err_nomem(err);
        return NULL;
    }
    b->patient = true;
    s3_bytes_begin(b, FORMAT_HEAD);
    return b;
}

/* Fills the free places with what comes next. */
static enum rc begin_coming(struct s3_origin *o, struct err *err)
{
    for (size_t i = 0; i < S3_HEADS && o->at_coming < o->n_coming; i++) {
        if (o->heads[i])
            continue;
        o->heads[i] = begin(o, o->coming[o->at_coming++], err);
        if (!o->heads[i])
            return err->rc;
    }
    return RC_OK;
}

static void foretell(const struct origin *base, const char *const *names, size_t n)
{
    struct s3_origin *o = of(base);
    drop_heads(o);
    o->coming = names;
    o->n_coming = n;
    o->at_coming = 0;
}

/* Takes it out; if it was not begun, begins it. */
static struct s3_bytes *take_head(struct s3_origin *o, const char *name, struct err *err)
{
    if (begin_coming(o, err))
        return NULL;
    struct s3_bytes **at = head_of(o, name);
    struct s3_bytes *b = at ? *at : begin(o, name, err);
    if (at)
        *at = NULL;
    return b;
}

/* What was looked at is opened next, as a rule. */
static void keep_head(struct s3_origin *o, struct s3_bytes *b)
{
    size_t i = 0;
    while (i < S3_HEADS && o->heads[i])
        i++;
    if (i == S3_HEADS) {
        bytes_close(&b->base);
    } else {
        o->heads[i] = b;
    }
}

/* ---- the origin's operations --------------------------------------------------------------- */

static bool is_listed(const struct s3_origin *o, struct str name)
{
    return o->listed.len && str_starts(name, buf_view(&o->listed));
}

static bool has_below(const struct s3_origin *o, struct str folder)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->objects[i]->known && str_starts(str_of(o->objects[i]->name), folder))
            return true;
    }
    return false;
}

static enum rc look_folder(struct s3_origin *o, const char *name, struct bytes_facts *out,
                           struct err *err)
{
    struct buf folder;
    size_t n = 0;
    buf_init(&folder, BUF_NO_LIMIT);
    buf_addf(&folder, "%s%s", name, str_ends(str_of(name), STR("/")) ? "" : "/");
    enum rc rc = buf_check(&folder, err);
    if (!rc && is_listed(o, buf_view(&folder))) {
        n = has_below(o, buf_view(&folder));
    } else if (!rc) {
        rc = s3_walk_list(o, buf_view(&folder), true, &n, err);
    }
    buf_release(&folder);
    *out = (struct bytes_facts){.folder = true};
    if (!rc && n)
        o->folder = arena_cstr(&o->arena, str_of(name));
    return rc ? rc : n ? RC_OK : RC_NONE;
}

static enum rc look_object(struct s3_origin *o, const char *name, struct err *err)
{
    struct s3_bytes *b = take_head(o, name, err);
    if (!b)
        return err->rc;
    enum rc rc = s3_bytes_know(b, err);
    if (rc) {
        bytes_close(&b->base);
    } else {
        keep_head(o, b);
    }
    return rc;
}

static enum rc look(const struct origin *base, const char *name, struct bytes_facts *out,
                    struct err *err)
{
    struct s3_origin *o = of(base);
    struct str s = str_of(name);
    if (o->folder && strcmp(o->folder, name) == 0) {
        *out = (struct bytes_facts){.folder = true};
        return RC_OK;
    }
    bool folder = str_ends(s, STR("/")) || strcmp(name, o->root) == 0;
    enum rc rc = RC_NONE;
    if (!folder && !s3_origin_object(o, name)) {
        rc = is_listed(o, s) ? RC_NONE : look_object(o, name, err);
    } else if (!folder) {
        rc = RC_OK;
    }
    if (rc == RC_NONE) {
        err_clear(err);
        return look_folder(o, name, out, err);
    }
    if (!rc)
        *out = s3_bytes_facts(s3_origin_object(o, name));
    return rc;
}

static enum rc open_object(const struct origin *base, const char *name, struct bytes **out,
                           struct err *err)
{
    struct s3_bytes *b = take_head(of(base), name, err);
    enum rc rc = b ? s3_bytes_know(b, err) : err->rc;
    if (rc && b)
        bytes_close(&b->base);
    *out = rc ? NULL : &b->base;
    return rc == RC_NONE ? (err->rc = RC_SOURCE) : rc;
}

static enum rc whole_name(const struct origin *o, const char *name, struct buf *out,
                          struct err *err)
{
    (void)o;
    buf_puts(out, name);
    return buf_check(out, err);
}

static void version(const struct origin *o, const char *name, struct buf *out)
{
    const struct s3_object *x = s3_origin_object(of(o), name);
    buf_add_str(out, x ? x->etag : STR(""));
}

static struct origin_link *new_link(const struct origin *o, struct err *err)
{
    struct s3_link *l = s3_link_new(of(o), &of(o)->s3, err);
    return l ? &l->base : NULL;
}

/* An error is harmless while the credentials at hand are valid. */
static enum rc tick(const struct origin *o, struct err *err)
{
    (void)err;
    struct err unheard = {0};
    enum rc rc = creds_cache_keep(of(o)->creds, &unheard);
    (void)rc;
    return RC_OK;
}

static void free_origin(struct origin *o)
{
    s3_origin_free(of(o));
}

/* ---- opening ------------------------------------------------------------------------------- */

static enum rc connect(struct s3_origin *o, const struct s3_origin_options *opts,
                       struct err *err)
{
    enum rc rc = http_global_init(err);
    if (rc)
        return rc;
    rc = aws_settings_init(&o->settings, &opts->aws, opts->vars, opts->env, err);
    o->settled = !rc;
    if (rc) {
        http_global_release();
        return rc;
    }
    o->creds = creds_default_new(&o->settings);
    if (!o->creds)
        return err_nomem(err);
    struct retry_policy policy = retry_dynamodb;
    if (opts->give_up_us)
        policy.give_up_us = opts->give_up_us;
    struct s3_config config = {.settings = &o->settings,
                               .provider = o->creds,
                               .policy = &policy,
                               .bucket = o->bucket,
                               .endpoint = opts->aws.endpoint,
                               .style = opts->address.style,
                               .requester_pays = opts->requester_pays,
                               .owner = opts->owner,
                               .trouble = opts->trouble};
    rc = s3_init(&o->s3, &config, err);
    o->connected = !rc;
    return rc;
}

enum rc s3_origin_new(const struct s3_origin_options *opts, struct s3_origin **out,
                      struct err *err)
{
    static const struct origin_ops OPS = {.look = look,
                                          .open = open_object,
                                          .walk = s3_walk,
                                          .whole_name = whole_name,
                                          .link = new_link,
                                          .foretell = foretell,
                                          .version = version,
                                          .tick = tick,
                                          .free = free_origin};
    struct s3_origin *o = calloc(1, sizeof *o);
    struct buf root;
    *out = NULL;
    if (!o)
        return err_nomem(err);
    o->base.ops = &OPS;
    arena_init(&o->arena, 64 << 10);
    map_init(&o->names);
    buf_init(&o->listed, BUF_NO_LIMIT);
    buf_init(&root, BUF_NO_LIMIT);
    buf_addf(&root, "s3://%.*s", STR_FMT(opts->address.bucket));
    o->bucket = arena_dup(&o->arena, opts->address.bucket);
    o->root = arena_cstr(&o->arena, buf_view(&root));
    enum rc rc = o->bucket.p && o->root ? buf_check(&root, err) : err_nomem(err);
    buf_release(&root);
    if (!rc)
        rc = connect(o, opts, err);
    if (!rc)
        o->link = s3_link_new(o, &o->s3, err);
    if (!rc && !o->link)
        rc = err->rc;
    if (rc) {
        s3_origin_free(o);
    } else {
        *out = o;
    }
    return rc;
}

void s3_origin_free(struct s3_origin *o)
{
    drop_heads(o);
    s3_link_free(o->link);
    if (o->connected)
        s3_release(&o->s3);
    creds_free(o->creds);
    if (o->settled) {
        aws_settings_release(&o->settings);
        http_global_release();
    }
    buf_release(&o->listed);
    map_release(&o->names);
    arena_release(&o->arena);
    free(o);
}
