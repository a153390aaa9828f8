/* SPDX-License-Identifier: MIT */
/*
 * Slices are larger than those of local files: each is a request, and its first byte is a round
 * trip away.
 */
#include "pipeline/source/s3/s3_source.h"

#include "pipeline/source/files/files.h"

enum { SLICE_BYTES = 16 << 20 };

/* The key may be a prefix of others, with or without its last slash. */
static enum rc find(const struct s3_origin *o, const char *name, struct err *err)
{
    struct bytes_facts facts;
    if (str_ends(str_of(name), STR("/manifest-summary.json")) ||
        str_ends(str_of(name), STR("/manifest-files.json")))
        return RC_OK; /* what is missing of an export is told with its name */
    enum rc rc = o->base.ops->look(&o->base, name, &facts, err);
    if (rc != RC_NONE)
        return rc;
    (void)err_set(err, RC_SOURCE, "NoSuchKey: there is no object \"%s\", and none below it",
                  name);
    return err_hint(err, "check the key: capital and small letters are different");
}

enum rc s3_source_open(const struct s3_source_options *opts, struct source **out,
                       struct err *err)
{
    struct s3_origin *o = NULL;
    struct buf name;
    *out = NULL;
    enum rc rc = s3_origin_new(&opts->origin, &o, err);
    if (rc)
        return rc;
    buf_init(&name, BUF_NO_LIMIT);
    buf_puts(&name, o->root);
    if (opts->origin.address.key.n)
        buf_addf(&name, "/%.*s", STR_FMT(opts->origin.address.key));
    rc = buf_check(&name, err);
    if (!rc)
        rc = find(o, buf_cstr(&name), err);
    const char *path = buf_cstr(&name);
    struct files_options files = {.paths = &path,
                                  .npaths = 1,
                                  .origin = &o->base,
                                  .lanes = opts->transfers,
                                  .slice_bytes = SLICE_BYTES,
                                  .form = opts->form,
                                  .stop = opts->stop};
    if (rc) {
        s3_origin_free(o);
    } else {
        rc = files_open(&files, out, err); /* this takes the origin */
    }
    buf_release(&name);
    return rc;
}
