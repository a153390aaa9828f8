/* SPDX-License-Identifier: MIT */
/* What can be done with any bytes by means of their operations. */
#include "pipeline/base/bytes.h"

#include "pipeline/base/buf.h"

enum { CHUNK = 64 << 10 };

enum rc bytes_read_all(struct bytes *b, struct buf *out, struct err *err)
{
    uint64_t at = 0;
    enum rc rc;
    do {
        size_t got = 0;
        if (!buf_room(out, CHUNK))
            return buf_check(out, err);
        rc = b->ops->read_at(b, at, out->p + out->len, CHUNK, &got, err);
        out->len += got;
        at += got;
        bytes_passed(b, at);
    } while (!rc || rc == RC_AGAIN);
    return rc == RC_END ? RC_OK : rc;
}
