/* SPDX-License-Identifier: MIT */
/* Which folders a manifest speaks of: what a finished run left, and what may be replaced. */
#ifndef SINKS_STORE_FOLDER_MANIFEST_FOLDERS_H
#define SINKS_STORE_FOLDER_MANIFEST_FOLDERS_H

#include "sinks/store/fs.h"

/* Those named by OUT/manifest.json. RC_NONE: there is none. RC_USAGE: it is not ours. */
/* In the same way those of tables that the run of that manifest left as they were. */
enum rc manifest_stayed(const char *run, struct fs_list *folders, struct err *err) MUST_CHECK;

enum rc manifest_folders(const char *out, struct fs_list *folders, struct err *err) MUST_CHECK;

#endif
