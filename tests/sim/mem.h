/* SPDX-License-Identifier: MIT */
/*
 * Memory for the simulator. It is a test tool: when memory runs out there is nothing sensible
 * left to serve, so these end the process instead of returning NULL.
 */
#ifndef SIM_MEM_H
#define SIM_MEM_H

#include <stddef.h>

#include "pipeline/base/str.h"

void *mem_alloc(size_t n);
void *mem_zeroed(size_t n);
void *mem_resize(void *p, size_t n);

/* Returns an owned, NUL-terminated copy. */
char *mem_dup(struct str s);

/* Returns the owned content of a file; reads "-" as standard input. NULL if it cannot be read. */
char *mem_file(const char *path, size_t *len);

#endif
