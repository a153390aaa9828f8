/* SPDX-License-Identifier: MIT */
/* Which folders a manifest speaks of: what a finished run left, and what may be replaced. */
#ifndef SINKS_JSONL_FOLDERS_H
#define SINKS_JSONL_FOLDERS_H

#include "sinks/fs.h"

/*
 * The folders named by OUT/manifest.json. RC_END: there is none. RC_USAGE: it is not ours.
 */
enum rc jsonl_folders(const char *out, struct fs_list *folders, struct err *err) MUST_CHECK;

bool jsonl_folders_has(const struct fs_list *list, const char *name);

#endif
