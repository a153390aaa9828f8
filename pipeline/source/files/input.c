/* SPDX-License-Identifier: MIT */
/* A file is the same as long as its facts are. A pipe cannot be compared; it is read once. */
#include "pipeline/source/files/input.h"

#include <errno.h>

enum rc input_stopped(const struct input *in, struct err *err)
{
    if (!in->stop || !atomic_load(in->stop))
        return RC_OK;
    return err_set(err, RC_CANCEL, "interrupted before \"%s\" said anything", in->path);
}

enum rc input_look(struct input *in, struct err *err)
{
    enum rc rc = in->origin->ops->look(in->origin, in->path, &in->facts, err);
    if (rc == RC_NONE)
        return err_errno(err, RC_USAGE, ENOENT, "cannot open \"%s\"", in->path);
    if (!rc && in->facts.folder)
        rc = err_set(err, RC_USAGE, "\"%s\" is a folder", in->path);
    return rc;
}

enum rc input_open(const struct input *in, struct bytes **out, struct err *err)
{
    enum rc rc;
    do { /* a named pipe waits here for its writer, and a signal wakes it */
        if (input_stopped(in, err))
            return RC_CANCEL;
        rc = in->origin->ops->open(in->origin, in->path, out, err);
    } while (rc == RC_AGAIN);
    return rc;
}

enum rc input_unchanged(const struct input *in, struct bytes *b, struct err *err)
{
    const struct bytes_facts *was = &in->facts;
    struct bytes_facts now;
    if (!was->again)
        return RC_OK;
    enum rc rc = b->ops->facts(b, &now, err);
    if (rc || (now.size == was->size && now.mtime_ns == was->mtime_ns &&
               now.number[0] == was->number[0] && now.number[1] == was->number[1])) {
        return rc;
    }
    (void)err_set(err, RC_SOURCE, "\"%s\" changed while it was read (%llu bytes, now %llu)",
                  in->path, (unsigned long long)was->size, (unsigned long long)now.size);
    return err_hint(err, "let the writer finish, then run again with --restart");
}
