/* SPDX-License-Identifier: MIT */
/* The cutting of a command line into words, apart from the provider for the tests. */
#ifndef AWS_CREDS_PROCESS_H
#define AWS_CREDS_PROCESS_H

#include "pipeline/aws/creds/creds.h"

enum { CREDS_PROCESS_WORDS = 64 };

/* Cuts into words[], NULL-terminated, that point into text. */
enum rc creds_process_split(struct str command, struct buf *text, char **words, size_t max,
                            struct err *err) MUST_CHECK;

#endif
