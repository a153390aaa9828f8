/* SPDX-License-Identifier: MIT */
/* What any store can do by means of its verbs. */
#include "sinks/store/store.h"

#include "sinks/store/upgrade.h"

enum rc store_manifest_check(struct buf *text, const char *place, struct err *err)
{
    static const struct upgrade_kind kind = {.member = "renorm", .by = "version", .newest = 1};
    uint32_t was = 0;
    enum rc rc = upgrade_text(&kind, text, place, "", &was, err);
    if (rc && rc != RC_NONE)
        return rc;
    yyjson_doc *doc = yyjson_read(text->p, text->len, 0);
    if (rc || !yyjson_obj_get(yyjson_doc_get_root(doc), "model_hash"))
        rc = err_set(err, RC_USAGE, "\"%s\" was not written by renorm", place);
    yyjson_doc_free(doc);
    return rc;
}

void store_close(struct store *s)
{
    if (s)
        s->ops->close(s);
}

void store_object_close(struct store_object *o)
{
    if (o)
        o->ops->close(o);
}

void store_log_close(struct store_log *log)
{
    if (log)
        log->ops->close(log);
}

void store_point(const struct store *s, const char *name)
{
    if (s->point)
        s->point(s->point_ctx, name);
}

enum rc store_read(struct store *s, struct store_key key, struct buf *out, struct err *err)
{
    struct bytes *b = NULL;
    enum rc rc = s->ops->open(s, key, &b, err);
    if (!rc)
        rc = bytes_read_all(b, out, err);
    bytes_close(b);
    return rc;
}
