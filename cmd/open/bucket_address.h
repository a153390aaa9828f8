/* SPDX-License-Identifier: MIT */
/* Places in S3 as the command line names them; the functions are those of struct driver. */
#ifndef CMD_OPEN_BUCKET_ADDRESS_H
#define CMD_OPEN_BUCKET_ADDRESS_H

#include "cmd/open/job.h"

enum rc bucket_address_source(struct job *job, const char *const *words, size_t n,
                              const struct options *o, struct err *err) MUST_CHECK;

#endif
