/* SPDX-License-Identifier: MIT */
/* The table of options and that of commands: add a row here, and nowhere else. */
#include <stddef.h>

#include "cmd/commands.h"
#include "cmd/options.h"

#define AT(field) offsetof(struct options, field)
#define BIG       ((uint64_t)1 << 40)

enum {
    QUIET = CMD_EXPORT | CMD_CHECK | CMD_VERIFY | CMD_BACKFILL,
    RUNS = CMD_EXPORT | CMD_BACKFILL,
    LIVE = CMD_EXPORT | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY | CMD_BACKFILL
};

static const char MODEL[] = "Model and items";
static const char RUN[] = "The run";
static const char FILES[] = "JSON lines";
static const char PG[] = "PostgreSQL";
static const char DDB[] = "DynamoDB";
static const char FILL[] = "Backfill";

const struct option_row option_table[] = {
    {"model", 'm', OPT_TEXT, AT(model), CMD_EXPORT | CMD_VERIFY | CMD_BACKFILL, "FILE", 0, 0,
     MODEL, "the model file"},
    {"ttl", 0, OPT_TEXT, AT(ttl), CMD_EXPORT | CMD_CHECK | CMD_VERIFY | CMD_BACKFILL,
     "NAME|off", 0, 0, MODEL,
     "the TTL attribute: items past it are filtered; off for none; default: the model's, or "
     "the live table's own"},
    {"now", 0, OPT_TEXT, AT(now), CMD_EXPORT | CMD_CHECK | CMD_EXPLAIN | CMD_BACKFILL, "TIME",
     0, 0, MODEL,
     "the time that TTL is compared with, as 2026-01-31T12:00:00Z; default: the start of the "
     "run"},
    {"mask-key-file", 0, OPT_TEXT, AT(mask_key_file),
     CMD_EXPORT | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY, "FILE", 0, 0, MODEL,
     "the key that mask hashes with; default: the environment's RENORM_MASK_KEY"},
    {"max-rejects", 0, OPT_TEXT, AT(max_rejects), RUNS | CMD_VERIFY, "N|P%", 0, 0, MODEL,
     "rejected items that are no reason to exit 1; of a backfill: conflicted and failed ones "
     "(default 0; verify: with --backfill)"},
    {"max-unrouted", 0, OPT_TEXT, AT(max_unrouted), RUNS | CMD_VERIFY, "N|P%", 0, 0, MODEL,
     "unrouted items that are no reason to exit 1 (default 0; verify: with --backfill)"},
    {"pk", 0, OPT_TEXT, AT(pk), CMD_EXPLAIN, "VALUE", 0, 0, MODEL,
     "explain every item of the source whose partition key is VALUE"},

    {"workers", 'w', OPT_NUMBER, AT(workers),
     CMD_EXPORT | CMD_CHECK | CMD_VERIFY | CMD_BACKFILL, "N", 1, 256, RUN,
     "threads (default: the cores)"},
    {"commit-mb", 0, OPT_NUMBER, AT(commit_mb), CMD_EXPORT, "N", 1, 1024, RUN,
     "commit when a worker holds so many megabytes of rows (default 16)"},
    {"commit-seconds", 0, OPT_NUMBER, AT(commit_seconds), CMD_EXPORT, "N", 1, 3600, RUN,
     "commit at least so often (default 10)"},
    {"restart", 0, OPT_FLAG, AT(restart), RUNS, NULL, 0, 0, RUN,
     "abandon an unfinished run instead of resuming it"},
    {"dry-run", 0, OPT_FLAG, AT(dry_run), RUNS, NULL, 0, 0, RUN,
     "run the items through the model and write nothing; of a live table: the plan, of a "
     "backfill: its rehearsal"},
    {"quiet", 'q', OPT_FLAG, AT(quiet), QUIET, NULL, 0, 0, RUN, "print nothing but errors"},
    {"log", 0, OPT_TEXT, AT(log), RUNS, "text|json", 0, 0, RUN,
     "how progress lines are written when not on a terminal (default text)"},
    {"summary", 0, OPT_TEXT, AT(summary), RUNS | CMD_VERIFY, "FILE", 0, 0, RUN,
     "write the balance sheet as JSON"},
    {"json", 0, OPT_FLAG, AT(json), CMD_STATUS, NULL, 0, 0, RUN, "print JSON"},
    {"help", 'h', OPT_FLAG, AT(help), CMD_ALL, NULL, 0, 0, RUN, "print this help"},

    {"level", 0, OPT_NUMBER, AT(level), CMD_EXPORT, "N", 1, 19, FILES,
     "zstd level (default 3)"},
    {"part-mb", 0, OPT_NUMBER, AT(part_mb), CMD_EXPORT, "N", 1, 65536, FILES,
     "begin a new part file after so many compressed megabytes (default 256)"},
    {"open-parts", 0, OPT_NUMBER, AT(open_parts), CMD_EXPORT, "N", 1, 1024, FILES,
     "streams a worker keeps open at most (default 16)"},

    {"schema", 0, OPT_TEXT, AT(schema), CMD_EXPORT | CMD_CHECK | CMD_VERIFY, "NAME", 0, 0, PG,
     "schema of the tables (default: the model's name)"},
    {"mode", 0, OPT_TEXT, AT(mode), CMD_EXPORT, "replace|append|merge", 0, 0, PG,
     "what becomes of rows that are there already (default replace)"},
    {"delete-missing", 0, OPT_FLAG, AT(delete_missing), CMD_EXPORT, NULL, 0, 0, PG,
     "merge: delete rows whose key the source no longer has"},
    {"orphans", 0, OPT_TEXT, AT(orphans), CMD_EXPORT, "keep|fail", 0, 0, PG,
     "rows without a parent: keep them and leave the constraint not valid, or fail (default "
     "keep)"},
    {"duplicates", 0, OPT_TEXT, AT(duplicates), CMD_EXPORT, "fail|first|last", 0, 0, PG,
     "two rows with one primary key: fail, or keep the first or last read (default fail; "
     "merge: last)"},
    {"no-constraints", 0, OPT_FLAG, AT(no_constraints), CMD_EXPORT | CMD_CHECK, NULL, 0, 0, PG,
     "make no keys, indexes, foreign keys and statistics, check no duplicates"},
    {"unlogged", 0, OPT_FLAG, AT(unlogged), CMD_EXPORT, NULL, 0, 0, PG,
     "load into unlogged staging tables; a server crash starts the load over"},
    {"synchronous-commit", 0, OPT_TEXT, AT(synchronous_commit), CMD_EXPORT, "on|off|...", 0, 0,
     PG,
     "off: the server may lose the last commits in a crash, and the run repeats them (default: "
     "as the server says)"},
    {"keep-old", 0, OPT_FLAG, AT(keep_old), CMD_EXPORT, NULL, 0, 0, PG,
     "keep the replaced tables in a schema of their own"},
    {"keep-runs", 0, OPT_NUMBER, AT(keep_runs), CMD_EXPORT, "N", 1, BIG, PG,
     "finished runs to keep in the ledger (default 10)"},
    {"join", 0, OPT_FLAG, AT(join), CMD_EXPORT, NULL, 0, 0, PG,
     "help a run that another process has under way, instead of refusing"},
    {"retry-seconds", 0, OPT_NUMBER, AT(retry_seconds), CMD_EXPORT, "N", 1, BIG, PG,
     "how long a lost connection or a lock is tried again (default 300), and the first "
     "connection (default 10)"},
    {"lease-seconds", 0, OPT_NUMBER, AT(lease_seconds), CMD_EXPORT, "N", 2, 86400, PG,
     "a process silent for longer is taken for dead, and its segments are free (default 60)"},
    {"run", 0, OPT_TEXT, AT(run), CMD_EXPORT | CMD_CHECK | CMD_STATUS, "ID", 0, 0, PG,
     "the run whose rejects are read, or shown"},
    {"ddl", 0, OPT_FLAG, AT(ddl), CMD_CHECK, NULL, 0, 0, PG, "print the SQL that would be run"},

    {"region", 0, OPT_TEXT, AT(region), LIVE, "NAME", 0, 0, DDB,
     "AWS region (default: AWS_REGION, the profile, the instance)"},
    {"endpoint", 0, OPT_TEXT, AT(endpoint), LIVE, "URL", 0, 0, DDB,
     "endpoint to call instead of the region's own"},
    {"profile", 0, OPT_TEXT, AT(profile), LIVE, "NAME", 0, 0, DDB,
     "profile of the shared AWS configuration (default: AWS_PROFILE)"},
    {"index", 0, OPT_TEXT, AT(index), CMD_EXPORT | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY, "NAME",
     0, 0, DDB, "scan this secondary index instead of the table"},
    {"segments", 0, OPT_NUMBER, AT(segments), LIVE, "N", 1, 1000000, DDB,
     "segments of the scan (default: from the table's size)"},
    {"rcu", 0, OPT_TEXT, AT(rcu), LIVE, "N|max", 0, 0, DDB,
     "read capacity units a second to use at most (default: half of what is provisioned)"},
    {"rcu-percent", 0, OPT_NUMBER, AT(rcu_percent), LIVE, "P", 1, 100, DDB,
     "the same as a share of the provisioned capacity"},
    {"strong", 0, OPT_FLAG, AT(strong), LIVE, NULL, 0, 0, DDB,
     "strongly consistent reads, at twice the units"},
    {"push-filter", 0, OPT_FLAG, AT(push_filter), CMD_EXPORT, NULL, 0, 0, DDB,
     "let the server drop items that no entity takes: saves bytes, not units"},
    {"gzip", 0, OPT_FLAG, AT(gzip), LIVE, NULL, 0, 0, DDB,
     "ask for compressed answers: for tables far away"},
    {"give-up", 0, OPT_TEXT, AT(give_up), LIVE, "SECONDS", 0, 0, DDB,
     "stop when no request succeeded for so long (default 900)"},
    {"max-age", 0, OPT_TEXT, AT(max_age), CMD_EXPORT, "HOURS", 0, 0, DDB,
     "refuse to resume a scan older than this (default 24)"},
    {"watch-seconds", 0, OPT_NUMBER, AT(watch_seconds), LIVE, "N", 1, 86400, DDB,
     "how often the table's capacity is looked at again (default 60)"},

    {"wcu", 0, OPT_TEXT, AT(wcu), CMD_BACKFILL, "N|max", 0, 0, FILL,
     "write capacity units of the table a second to use at most (default: half of what is "
     "provisioned)"},
    {"state", 0, OPT_TEXT, AT(state), CMD_BACKFILL, "DIR", 0, 0, FILL,
     "the folder of progress and journal (default renorm-backfill-TABLE)"},
    {"undo", 0, OPT_TEXT, AT(undo), CMD_BACKFILL, "STATE", 0, 0, FILL,
     "put back what the backfills of this state folder wrote"},
    {"sample", 0, OPT_NUMBER, AT(sample), CMD_BACKFILL, "N", 1, BIG, FILL,
     "with --dry-run: read about so many items and extrapolate"},
    {"in-flight", 0, OPT_NUMBER, AT(in_flight), CMD_BACKFILL, "N", 1, 4096, FILL,
     "writes a worker has under way at most (default 64)"},
    {"backfill", 0, OPT_FLAG, AT(backfill), CMD_VERIFY, NULL, 0, 0, FILL,
     "prove that the items of a live table carry what the model's backfill says"},
};

const size_t option_count = sizeof option_table / sizeof option_table[0];

const struct command_row command_table[] = {
    {"export", CMD_EXPORT, "SOURCE... SINK -m MODEL",
     "read a source, write re-normalized rows to a folder of JSON lines or to PostgreSQL",
     cmd_export},
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
};

const size_t command_count = sizeof command_table / sizeof command_table[0];
