/* SPDX-License-Identifier: MIT */
/* One pass over a table of a side: every line with its key. */
#include "cmd/line.h"
#include "cmd/side.h"

enum rc side_walk(struct side *s, const struct side_table *of, const struct side_each *each,
                  struct err *err)
{
    const struct table *t = &of->schema->tables[of->index];
    struct buf key, folded;
    struct str line;
    buf_init(&key, BUF_NO_LIMIT);
    buf_init(&folded, BUF_NO_LIMIT);
    enum rc rc = s->ops->start(s, of->index, err);
    while (rc == RC_OK && (rc = s->ops->next(s, &line, err)) == RC_OK) {
        if (of->fold && !s->folds_nulls) {
            line_fold(line, &folded);
            line = buf_view(&folded);
        }
        line_key(t, line, &key);
        if (key.rc != RC_OK || folded.rc != RC_OK) {
            rc = err_nomem(err);
        } else {
            rc = each->row(each->ctx, buf_view(&key), line, err);
        }
    }
    buf_release(&key);
    buf_release(&folded);
    return rc == RC_END ? RC_OK : rc;
}
