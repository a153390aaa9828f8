/* SPDX-License-Identifier: MIT */
/* publish: shows a run that is held, as it is. */
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/open/drivers.h"

enum rc cmd_publish(const struct options *o, struct ending *out, struct err *err)
{
    (void)out;
    struct buf text;
    enum rc rc = RC_OK;
    buf_init(&text, (size_t)64 << 20);
    if (o->nwords != 1) {
        rc = err_set(err, RC_USAGE, "publish needs a sink\nhint: renorm publish out/");
    } else {
        rc = drivers_publish(o->words[0], o, &text, err);
    }
    if (!rc)
        (void)fwrite(text.p, 1, text.len, stdout);
    buf_release(&text);
    return rc;
}
