/* SPDX-License-Identifier: MIT */
/* A DynamoDB full export, as a folder on disk: its manifests read and held against the files. */
#ifndef FILES_FIND_EXPORT_FOLDER_H
#define FILES_FIND_EXPORT_FOLDER_H

#include "pipeline/source/files/find/inputs.h"

/*
 * Adds the data files of the export whose manifests lie in `folder`. RC_SOURCE names what is
 * missing, too many or damaged; MD5 and item count of each file are checked as it is read.
 */
enum rc export_add(struct inputs *ins, const char *folder, struct err *err) MUST_CHECK;

#endif
