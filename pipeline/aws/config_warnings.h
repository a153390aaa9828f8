/* SPDX-License-Identifier: MIT */
/*
 * What stands in variables and shared files in a way that other tools take differently: it is
 * told once, at the start, together with what was taken.
 */
#ifndef AWS_CONFIG_WARNINGS_H
#define AWS_CONFIG_WARNINGS_H

#include "pipeline/aws/settings.h"

/* Calls s->options.tell for each doubt; the profile is chosen, the files are read. */
enum rc config_warnings_tell(const struct aws_settings *s, struct err *err) MUST_CHECK;

#endif
