/* SPDX-License-Identifier: MIT */
/* Folders are read file by file. */
#include "cmd/open_side.h"

#include "cmd/job.h"

enum rc open_side(const char *word, const struct options *o, const struct schema *schema,
                  struct side **out, struct err *err)
{
    (void)o;
    if (sink_of(word) == SINK_FOLDER)
        return side_folder(word, schema, out, err);
    return err_set(err, RC_USAGE, "\"%s\" cannot be verified\nhint: name a folder", word);
}
