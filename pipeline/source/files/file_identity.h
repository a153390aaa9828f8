/* SPDX-License-Identifier: MIT */
/* What differs between two identities of a source, for people. */
#ifndef SOURCE_FILES_FILE_IDENTITY_H
#define SOURCE_FILES_FILE_IDENTITY_H

#include "pipeline/base/buf.h"

/*
 * Says of the first line that differs what it is: a file that is new, gone, or was written since;
 * for other lines both. Nothing is said of equal ones.
 */
void file_identity_difference(struct buf *out, struct str was, struct str is);

#endif
