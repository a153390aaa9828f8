/* SPDX-License-Identifier: MIT */
/*
 * A local folder as a store:
 *
 *   OUT/NAME                  STORE_SHOWN: finished folders and manifest.json
 *   OUT/.renorm/lock          held by the process that works in the folder
 *   OUT/.renorm/RUN/          STORE_RUN: the run's ledger and other objects of its own
 *   OUT/.renorm/RUN/new/NAME  STORE_NEW
 *
 * What lies in .renorm must bear the names that folder_own.c knows: a link there, or a file of
 * somebody else, is refused and left alone.
 *
 * A swap exchanges folders, the manifest last; so a folder is shown whole or not at all.
 */
#ifndef SINKS_STORE_FOLDER_FOLDER_STORE_H
#define SINKS_STORE_FOLDER_FOLDER_STORE_H

#include "sinks/store/store.h"

/*
 * A store_opener for writing; `address` is the path, `ctx` unused. RC_USAGE: the folder holds
 * something else, and nothing was touched. RC_TRANSIENT: another process works in it.
 */
enum rc folder_store_open(const char *address, void *ctx, struct store **out,
                          struct err *err) MUST_CHECK;

/* For reading only, beside a process that may be at work; there may be no such folder. */
enum rc folder_store_look(const char *path, struct store **out, struct err *err) MUST_CHECK;

#endif
