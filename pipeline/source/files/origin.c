/* SPDX-License-Identifier: MIT */
/* What any origin can do by means of its operations. */
#include "pipeline/source/files/origin.h"

enum rc origin_read(const struct origin *o, const char *name, struct buf *out, struct err *err)
{
    struct bytes_facts facts;
    struct bytes *b = NULL;
    enum rc rc = o->ops->look(o, name, &facts, err);
    if (rc == RC_NONE)
        return rc;
    while (!b && (!rc || rc == RC_AGAIN))
        rc = o->ops->open(o, name, &b, err);
    if (b)
        rc = bytes_read_all(b, out, err);
    bytes_close(b);
    /* the file is there, and is part of what the operator named */
    if (rc == RC_USAGE || rc == RC_TRANSIENT)
        rc = err->rc = RC_SOURCE;
    return rc;
}
