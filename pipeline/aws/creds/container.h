/* SPDX-License-Identifier: MIT */
/* The address rule of the container endpoint, apart from the provider for the tests. */
#ifndef AWS_CREDS_CONTAINER_H
#define AWS_CREDS_CONTAINER_H

#include "pipeline/aws/creds/creds.h"

/* RC_NONE: not configured. RC_AUTH: an address that must not be given a token. */
enum rc creds_container_url(const struct vars *vars, struct buf *out,
                            struct err *err) MUST_CHECK;

#endif
