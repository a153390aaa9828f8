/* SPDX-License-Identifier: MIT */
/*
 * The commands. Each returns how it ended, and adds to the ending what it alone knows: main tells
 * and writes it.
 */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "pipeline/base/err.h"

struct options;
struct ending;

enum rc cmd_export(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;
enum rc cmd_infer(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;
enum rc cmd_check(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;
enum rc cmd_explain(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;
enum rc cmd_backfill(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;
enum rc cmd_verify(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;
enum rc cmd_status(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;
enum rc cmd_publish(const struct options *o, struct ending *out, struct err *err) MUST_CHECK;

#endif
