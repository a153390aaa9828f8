/* SPDX-License-Identifier: MIT */
/* This is the only file that is compiled again when the version changes. */
#include "cmd/version.h"

#include "version.inc"

const char *version(void)
{
    return RENORM_VERSION;
}
