/* SPDX-License-Identifier: MIT */
/* status: tells of the run under way or cut short, of the last finished one and of its rejects. */
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/open/drivers.h"
#include "cmd/print/plain.h"

enum rc cmd_status(const struct options *o, struct ending *out, struct err *err)
{
    (void)out;
    struct buf text;
    enum rc rc = RC_OK;
    buf_init(&text, (size_t)256 << 20);
    if (o->nwords != 1) {
        rc = err_set(err, RC_USAGE, "status needs a sink\nhint: renorm status out/");
    } else {
        rc = drivers_status(o->words[0], o, &text, err);
    }
    if (!rc)
        rc = buf_check(&text, err);
    if (!rc)
        plain_print(buf_view(&text));
    buf_release(&text);
    return rc;
}
