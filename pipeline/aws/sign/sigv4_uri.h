/* SPDX-License-Identifier: MIT */
/* The canonical forms of path and query that signatures are made of. */
#ifndef AWS_SIGN_SIGV4_URI_H
#define AWS_SIGN_SIGV4_URI_H

#include "pipeline/aws/sign/sigv4.h"

void sigv4_uri_path(struct str path, enum sigv4_path rule, struct buf *out);

/* Parameters decoded, encoded anew, sorted by name, then value. */
enum rc sigv4_uri_query(struct str query, struct buf *out, struct err *err) MUST_CHECK;

#endif
