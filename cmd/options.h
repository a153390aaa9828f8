/* SPDX-License-Identifier: MIT */
/*
 * The command line. One row says everything about an option (option_rows.h): the fields below,
 * the parser, --help, the manual page and the shell completion are all made from it.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/err.h"

enum command_bit {
    CMD_EXPORT = 1,
    CMD_CHECK = 2,
    CMD_EXPLAIN = 4,
    CMD_VERIFY = 8,
    CMD_STATUS = 16,
    CMD_BACKFILL = 32,
    CMD_INFER = 64,
    CMD_PUBLISH = 128,
    CMD_ALL = 255
};

struct ending;

enum { MAX_WORDS = 256 };

#define OPTION_TYPE_FLAG   bool
#define OPTION_TYPE_NUMBER uint64_t
#define OPTION_TYPE_TEXT   const char *

/* A field for each option, in the order of the rows. A process has one such struct: holes in it
   cost nothing. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct options {
    const char *words[MAX_WORDS]; /* what is not an option, the command left out */
    size_t nwords;
    bool scatter; /* by the command, not by an option: what is read is written to at once */
#define OPTION(type, field, ...) OPTION_TYPE_##type field;
#include "cmd/option_rows.h"
#undef OPTION
};

enum option_kind { OPT_FLAG, OPT_NUMBER, OPT_TEXT };

struct option_row {
    const char *name; /* without the dashes */
    char letter;      /* or 0 */
    enum option_kind kind;
    size_t offset; /* in struct options */
    unsigned commands;
    const char *arg; /* name of its argument, NULL for flags */
    uint64_t min, max;
    uint64_t number;   /* the default of a number; 0: none, or found out by its use */
    const char *text;  /* the default of a text, or NULL */
    const char *group; /* heading in the manual */
    const char *help;  /* one sentence, lower case, no full stop; {} for the default */
};

struct command_row {
    const char *name;
    enum command_bit bit;
    const char *synopsis; /* what follows the name */
    const char *help;
    enum rc (*main)(const struct options *o, struct ending *out, struct err *err);
};

extern const struct option_row option_table[];
extern const size_t option_count;
extern const struct command_row option_commands[];
extern const size_t option_command_count;

const struct command_row *options_command(const char *name);

void options_defaults(struct options *o);

/*
 * Parses argv behind the command's name. RC_USAGE with a sentence and a hint about the first word
 * that is wrong; the others are read all the same, for where to report it may be among them.
 */
enum rc options_parse(struct options *o, const struct command_row *c, int argc, char **argv,
                      struct err *err) MUST_CHECK;

/* Appends the help of one option, the default put in. */
void options_help_text(const struct option_row *row, struct buf *out);

/* The help of all commands (NULL) or of one. */
void options_help(const struct command_row *c, struct buf *out);

#endif
