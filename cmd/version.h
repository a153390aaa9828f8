/* SPDX-License-Identifier: MIT */
/* The version this was built from. */
#ifndef CMD_VERSION_H
#define CMD_VERSION_H

const char *version(void);

#endif
