/* SPDX-License-Identifier: MIT */
/* Folders are read file by file, databases table by table. */
#include "cmd/open_side.h"

#include "cmd/job.h"

enum rc open_side(const char *word, const struct options *o, const struct schema *schema,
                  struct side **out, struct err *err)
{
    if (sink_of(word) == SINK_FOLDER)
        return side_folder(word, schema, out, err);
    if (sink_of(word) == SINK_POSTGRES)
        return side_pg(word, o->schema, schema, out, err);
    return err_set(err, RC_USAGE,
                   "\"%s\" cannot be verified\nhint: name a folder or a database", word);
}
