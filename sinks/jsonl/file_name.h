/* SPDX-License-Identifier: MIT */
/*
 * Folder names made of table names. Whatever a table is called (a type value taken from the
 * data can be "../../etc/passwd", empty, 300 bytes long), the result is one path component
 * that stays in the folder, and two tables never share one.
 */
#ifndef SINKS_JSONL_FILE_NAME_H
#define SINKS_JSONL_FILE_NAME_H

#include "pipeline/base/str.h"

enum { JSONL_NAME = 208 }; /* room for the longest, with its NUL */

/* Bytes outside [A-Za-z0-9_.-] become %XX; so do a leading dot and our own reserved names. */
void jsonl_name(struct str table, char out[JSONL_NAME]);

#endif
