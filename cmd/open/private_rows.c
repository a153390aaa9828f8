/* SPDX-License-Identifier: MIT */
/* The rows of each name are a folder of JSON lines inside the private folder. */
#include "cmd/open/private_rows.h"

#include <errno.h>
#include <stdlib.h>

#include "cmd/open/path_address.h"
#include "cmd/print/tell.h"
#include "sinks/store/fs.h"

static enum rc open_sink(void *ctx, const char *name, struct sink **out, struct err *err)
{
    const struct private_rows *p = ctx;
    char path[FS_PATH];
    fs_path(path, "%s/%s", p->store.folder, name);
    return path_address_sink(path, &p->options, out, err);
}

static enum rc open_reader(void *ctx, const char *name, const struct schema *schema,
                           struct rows_reader **out, struct err *err)
{
    const struct private_rows *p = ctx;
    char path[FS_PATH];
    fs_path(path, "%s/%s", p->store.folder, name);
    return path_address_rows(path, &p->options, schema, out, err);
}

enum rc private_rows_make(struct private_rows *p, const struct options *o, struct err *err)
{
    const char *base = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): no threads yet */
    *p = (struct private_rows){.options = *o};
    p->options.level = 1; /* the rows are read once and thrown away */
    buf_init(&p->folder, FS_PATH);
    buf_addf(&p->folder, "%s/renorm-verify-XXXXXX", base && *base ? base : "/tmp");
    enum rc rc = buf_check(&p->folder, err);
    if (rc)
        return rc;
    (void)buf_cstr(&p->folder); /* ends the text with NUL, for mkdtemp to write into */
    if (!mkdtemp(p->folder.p)) {
        return err_errno(err, RC_TRANSIENT, errno, "cannot make a folder like \"%s\"",
                         p->folder.p);
    }
    p->store = (struct rows_store){
        .sink = open_sink, .rows = open_reader, .ctx = p, .folder = p->folder.p};
    return RC_OK;
}

void private_rows_release(struct private_rows *p)
{
    struct err err = {0};
    if (p->store.folder && fs_remove(p->store.folder, &err)) {
        tell_warning("\"%s\" is left behind: %s", p->store.folder, err.msg);
    }
    buf_release(&p->folder);
}
