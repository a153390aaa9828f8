/* SPDX-License-Identifier: MIT */
/* Files that only their maker sees: they have no name, and are gone when they are closed. */
#ifndef BASE_TMP_FILE_H
#define BASE_TMP_FILE_H

#include <stdio.h>

/* thread: any. Opened for writing and reading. Returns owned; NULL: errno says why. */
FILE *tmp_file_open(const char *folder);

#endif
