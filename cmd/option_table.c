/* SPDX-License-Identifier: MIT */
/* The table of options, from their rows, and that of commands. */
#include <stddef.h>

#include "cmd/commands.h"
#include "cmd/options.h"

#define OPTION(type, field, ...)                                                               \
    {.kind = OPT_##type, .offset = offsetof(struct options, field), __VA_ARGS__},
#define OPTION_TEXT(number)    OPTION_TEXT_OF(number)
#define OPTION_TEXT_OF(number) #number
#define BIG                    ((uint64_t)1 << 40)

enum {
    QUIET = CMD_EXPORT | CMD_INFER | CMD_CHECK | CMD_VERIFY | CMD_BACKFILL,
    RUNS = CMD_EXPORT | CMD_BACKFILL,
    LIVE = CMD_EXPORT | CMD_INFER | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY | CMD_BACKFILL,
    S3 = CMD_EXPORT | CMD_INFER | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY
};

static const char MODEL[] = "Model and items";
static const char RUN[] = "The run";
static const char FILES[] = "JSON lines";
static const char PG[] = "PostgreSQL";
static const char TABLES[] = "The tables for other tools";
static const char DDB[] = "DynamoDB";
static const char BUCKETS[] = "S3";
static const char FILL[] = "Backfill";

const struct option_row option_table[] = {
#include "cmd/option_rows.h"
};

const size_t option_count = sizeof option_table / sizeof option_table[0];

const struct command_row option_commands[] = {
    {"export", CMD_EXPORT, "SOURCE... SINK [-m MODEL]",
     "read a source, write re-normalized rows to a folder of JSON lines or to PostgreSQL",
     cmd_export},
    {"infer", CMD_INFER, "SOURCE... [-o MODEL]",
     "read a source once, whole, and write a model for it", cmd_infer},
    {"check", CMD_CHECK, "MODEL [SOURCE...]",
     "validate a model, show the tables it makes, try it on items", cmd_check},
    {"explain", CMD_EXPLAIN, "MODEL ITEM|SOURCE...",
     "say why an item goes where it goes, and as what", cmd_explain},
    {"backfill", CMD_BACKFILL, "dynamodb:TABLE -m MODEL | --undo STATE",
     "write new indexing attributes onto the items of a live table, or take them back",
     cmd_backfill},
    {"verify", CMD_VERIFY, "SOURCE... SINK -m MODEL | dynamodb:TABLE -m MODEL --backfill",
     "prove that the sink holds what the source says", cmd_verify},
    {"status", CMD_STATUS, "SINK|STATE", "show runs, segments, progress and rejects",
     cmd_status},
    {"publish", CMD_PUBLISH, "SINK",
     "show a run that is held, as it is, instead of what readers see now", cmd_publish},
};

const size_t option_command_count = sizeof option_commands / sizeof option_commands[0];
