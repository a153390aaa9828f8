/* SPDX-License-Identifier: MIT */
/*
 * What a folder holds: one DynamoDB export (told by its manifests, wherever below), or all the
 * data files below it, sorted by name.
 */
#ifndef FILES_FIND_FOLDER_H
#define FILES_FIND_FOLDER_H

#include "pipeline/source/files/find/inputs.h"

/*
 * Adds the inputs of a folder. RC_USAGE: nothing to read in it, several exports, or an export
 * among other data files. Names that begin with a dot are left out.
 */
enum rc folder_add(struct inputs *ins, const char *path, struct err *err) MUST_CHECK;

#endif
