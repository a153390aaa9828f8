/* SPDX-License-Identifier: MIT */
/* The one file that is built again when the version changes. */
#include "cmd/version.h"

#include "version.inc"

const char *version(void)
{
    return RENORM_VERSION;
}
