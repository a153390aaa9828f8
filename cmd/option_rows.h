/* SPDX-License-Identifier: MIT */
/*
 * The options, one row each: OPTION(FLAG|NUMBER|TEXT, field of struct options, members of struct
 * option_row). The struct, the defaults, the parser, --help, the manual page and the shell
 * completion are made from it: a new option is a row here, and its use. The default is .number or
 * .text, and stands nowhere else: {} in the help is where it is printed. No guard: whoever
 * includes this defines OPTION for the purpose.
 */

OPTION(TEXT, model, .name = "model", .letter = 'm',
       .commands = CMD_EXPORT | CMD_VERIFY | CMD_BACKFILL, .arg = "FILE", .group = MODEL,
       .help = "the model file")
OPTION(TEXT, ttl, .name = "ttl", .commands = CMD_EXPORT | CMD_CHECK | CMD_VERIFY | CMD_BACKFILL,
       .arg = "NAME|off", .group = MODEL,
       .help = "the TTL attribute: items past it are filtered; off for none; default: the "
               "model's, or the live table's own")
OPTION(TEXT, now, .name = "now",
       .commands = CMD_EXPORT | CMD_CHECK | CMD_EXPLAIN | CMD_BACKFILL, .arg = "TIME",
       .group = MODEL,
       .help = "the time that TTL is compared with, as 2026-01-31T12:00:00Z; default: the "
               "start of the run")
OPTION(TEXT, form, .name = "form",
       .commands = CMD_EXPORT | CMD_INFER | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY,
       .arg = "plain|dynamodb", .group = MODEL,
       .help =
           "the form of items in files: plain JSON, or DynamoDB JSON with type tags (default: "
           "as their content says)")
OPTION(TEXT, only, .name = "only", .commands = CMD_EXPORT | CMD_CHECK | CMD_VERIFY,
       .arg = "ENTITY,...", .group = MODEL,
       .help = "just these entities: items of the others are filtered, and tables that only "
               "those fill are neither made nor touched")
OPTION(TEXT, mask_key_file, .name = "mask-key-file",
       .commands = CMD_EXPORT | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY, .arg = "FILE",
       .group = MODEL,
       .help = "the key that mask hashes with; default: the environment's RENORM_MASK_KEY")
OPTION(TEXT, max_rejects, .name = "max-rejects", .commands = RUNS | CMD_VERIFY, .arg = "N|P%",
       .text = "0", .group = MODEL,
       .help = "rejected items that are no reason to exit 1; of a backfill: conflicted and "
               "failed ones (default {}; verify: with --backfill)")
OPTION(
    TEXT, max_unrouted, .name = "max-unrouted", .commands = RUNS | CMD_VERIFY, .arg = "N|P%",
    .text = "0", .group = MODEL,
    .help = "unrouted items that are no reason to exit 1 (default {}; verify: with --backfill)")
OPTION(TEXT, max_shrink, .name = "max-shrink", .commands = CMD_EXPORT, .arg = "P%",
       .text = "50%", .group = MODEL,
       .help = "hold a result in which a table of 100 rows or more has lost more than this "
               "against the one it would replace (default {})")
OPTION(TEXT, allow, .name = "allow", .commands = CMD_EXPORT, .arg = "empty,shrink[:TABLE]",
       .group = MODEL,
       .help = "replace a result though the source is empty, or all tables or this one shrank")
OPTION(TEXT, pk, .name = "pk", .commands = CMD_EXPLAIN, .arg = "VALUE", .group = MODEL,
       .help = "explain every item of the source whose partition key is VALUE")
OPTION(TEXT, sk, .name = "sk", .commands = CMD_EXPLAIN, .arg = "VALUE", .group = MODEL,
       .help = "explain only items whose sort key is VALUE")
OPTION(FLAG, rejected, .name = "rejected", .commands = CMD_EXPLAIN, .group = MODEL,
       .help = "explain only items that are rejected")
OPTION(NUMBER, limit, .name = "limit", .commands = CMD_EXPLAIN, .arg = "N", .min = 1,
       .max = BIG, .group = MODEL, .help = "explain so many items, and read no more")

OPTION(FLAG, reinfer, .name = "reinfer", .commands = CMD_EXPORT, .group = MODEL,
       .help = "without -m: infer a new model, though an earlier export has left one")
OPTION(TEXT, output, .name = "output", .letter = 'o', .commands = CMD_INFER, .arg = "MODEL",
       .group = MODEL, .help = "the file to write the model to (default: standard output)")
OPTION(FLAG, force, .name = "force", .commands = CMD_INFER, .group = MODEL,
       .help = "write over a file that is there")

OPTION(FLAG, brief, .name = "brief", .commands = CMD_CHECK, .group = MODEL,
       .help = "a line for each table, and one for each kind of advice")
OPTION(TEXT, fail_on, .name = "fail-on", .commands = CMD_EXPORT | CMD_CHECK,
       .arg = "FINDING,...", .group = MODEL,
       .help =
           "findings of the shape report that hold the run, exit 1: empty-column, "
           "empty-entity, idle-stage, extra-attribute, new-attribute, type-change, null-jump")
OPTION(FLAG, no_examples, .name = "no-examples", .commands = CMD_EXPORT | CMD_CHECK,
       .group = MODEL,
       .help = "show no values of attributes that went to \"extra\", and keep none in the "
               "ledger")

OPTION(NUMBER, workers, .name = "workers", .letter = 'w',
       .commands = CMD_EXPORT | CMD_INFER | CMD_CHECK | CMD_VERIFY | CMD_BACKFILL, .arg = "N",
       .min = 1, .max = 256, .group = RUN, .help = "threads (default: the cores)")
OPTION(NUMBER, commit_mb, .name = "commit-mb", .commands = CMD_EXPORT, .arg = "N", .min = 1,
       .max = 1024, .number = 16, .group = RUN,
       .help = "commit when a worker holds so many megabytes of rows (default {})")
OPTION(NUMBER, commit_seconds, .name = "commit-seconds", .commands = CMD_EXPORT, .arg = "N",
       .min = 1, .max = 3600, .number = 10, .group = RUN,
       .help = "commit at least so often (default {})")
OPTION(FLAG, restart, .name = "restart", .commands = RUNS, .group = RUN,
       .help = "abandon an unfinished run instead of resuming it")
OPTION(FLAG, dry_run, .name = "dry-run", .commands = RUNS, .group = RUN,
       .help = "run the items through the model and write nothing; of a live table: the plan, "
               "of a backfill: its rehearsal")
OPTION(FLAG, quiet, .name = "quiet", .letter = 'q', .commands = QUIET, .group = RUN,
       .help = "print nothing but errors")
OPTION(TEXT, log, .name = "log", .commands = RUNS | CMD_VERIFY, .arg = "text|json",
       .text = "text", .group = RUN,
       .help = "what is told on standard error: lines for people, or an event a line, as JSON "
               "(default {})")
OPTION(TEXT, summary, .name = "summary", .commands = RUNS | CMD_VERIFY, .arg = "FILE",
       .group = RUN, .help = "write how the command ended, and its balance sheet, as JSON")
OPTION(TEXT, metrics, .name = "metrics", .commands = RUNS | CMD_VERIFY, .arg = "FILE",
       .group = RUN, .help = "write counts and times as text for Prometheus")
OPTION(FLAG, json, .name = "json", .commands = CMD_STATUS, .group = RUN, .help = "print JSON")
OPTION(FLAG, help, .name = "help", .letter = 'h', .commands = CMD_ALL, .group = RUN,
       .help = "print this help")

OPTION(NUMBER, level, .name = "level", .commands = CMD_EXPORT, .arg = "N", .min = 1, .max = 19,
       .number = 3, .group = FILES, .help = "zstd level (default {})")
OPTION(NUMBER, part_mb, .name = "part-mb", .commands = CMD_EXPORT, .arg = "N", .min = 1,
       .max = 65536, .number = 256, .group = FILES,
       .help = "begin a new part file after so many compressed megabytes (default {})")
OPTION(NUMBER, open_parts, .name = "open-parts", .commands = CMD_EXPORT, .arg = "N", .min = 1,
       .max = 1024, .number = 16, .group = FILES,
       .help = "streams a worker keeps open at most (default {})")

OPTION(TEXT, schema, .name = "schema",
       .commands = CMD_EXPORT | CMD_CHECK | CMD_VERIFY | CMD_PUBLISH, .arg = "NAME",
       .group = PG, .help = "schema of the tables (default: the model's name)")
OPTION(TEXT, mode, .name = "mode", .commands = CMD_EXPORT, .arg = "replace|append|merge",
       .text = "replace", .group = PG,
       .help = "what becomes of rows that are there already (default {})")
OPTION(FLAG, delete_missing, .name = "delete-missing", .commands = CMD_EXPORT, .group = PG,
       .help = "merge: delete rows whose key the source no longer has")
OPTION(FLAG, again, .name = "again", .commands = CMD_EXPORT, .group = PG,
       .help = "append: load once more what was appended before")
OPTION(TEXT, orphans, .name = "orphans", .commands = CMD_EXPORT, .arg = "keep|fail",
       .text = "keep", .group = PG,
       .help = "rows without a parent: keep them and leave the constraint not valid, or fail "
               "(default {})")
OPTION(TEXT, duplicates, .name = "duplicates", .commands = CMD_EXPORT, .arg = "fail|first|last",
       .group = PG,
       .help = "two rows with one primary key: fail, or keep the first or last read (default "
               "fail; merge: last)")
OPTION(FLAG, no_constraints, .name = "no-constraints", .commands = CMD_EXPORT | CMD_CHECK,
       .group = PG,
       .help = "make no keys, indexes, foreign keys and statistics, check no duplicates")
OPTION(FLAG, unlogged, .name = "unlogged", .commands = CMD_EXPORT, .group = PG,
       .help = "load into unlogged staging tables; a server crash starts the load over")
OPTION(TEXT, synchronous_commit, .name = "synchronous-commit", .commands = CMD_EXPORT,
       .arg = "on|off|...", .group = PG,
       .help = "off: the server may lose the last commits in a crash, and the run repeats them "
               "(default: as the server says)")
OPTION(FLAG, keep_old, .name = "keep-old", .commands = CMD_EXPORT, .group = PG,
       .help = "keep the replaced tables in a schema of their own")
OPTION(NUMBER, keep_runs, .name = "keep-runs", .commands = CMD_EXPORT | CMD_PUBLISH, .arg = "N",
       .min = 1, .max = BIG, .number = 10, .group = PG,
       .help = "finished runs to keep in the ledger (default {})")
OPTION(FLAG, join, .name = "join", .commands = CMD_EXPORT, .group = PG,
       .help = "help a run that another process has under way, instead of refusing")

/* Its two defaults depend on when the server is lost: they stand here, and its value is 0. */
#define OPTION_RETRY_SECONDS   300
#define OPTION_CONNECT_SECONDS 10
OPTION(
    NUMBER, retry_seconds, .name = "retry-seconds", .commands = CMD_EXPORT | CMD_PUBLISH,
    .arg = "N", .min = 1, .max = BIG, .group = PG,
    .help = "how long a lost connection or a lock is tried again (default " OPTION_TEXT(
        OPTION_RETRY_SECONDS) "), and the first connection (default " OPTION_TEXT(OPTION_CONNECT_SECONDS) ")")
OPTION(
    NUMBER, lease_seconds, .name = "lease-seconds", .commands = CMD_EXPORT, .arg = "N",
    .min = 2, .max = 86400, .number = 60, .group = PG,
    .help =
        "a process silent for longer is taken for dead, and its segments are free (default {})")
OPTION(TEXT, run, .name = "run", .commands = CMD_EXPORT | CMD_CHECK | CMD_STATUS, .arg = "ID",
       .group = PG, .help = "the run whose rejects are read, or shown")
OPTION(FLAG, ddl, .name = "ddl", .commands = CMD_CHECK, .group = PG,
       .help = "print the SQL that would be run")

OPTION(FLAG, mermaid, .name = "mermaid", .commands = CMD_CHECK, .group = TABLES,
       .help = "print the tables as a diagram of Mermaid")
OPTION(FLAG, dbml, .name = "dbml", .commands = CMD_CHECK, .group = TABLES,
       .help = "print them as DBML")
OPTION(FLAG, dot, .name = "dot", .commands = CMD_CHECK, .group = TABLES,
       .help = "print them as a graph of Graphviz")
OPTION(FLAG, svg, .name = "svg", .commands = CMD_CHECK, .group = TABLES,
       .help = "draw them, as SVG")
OPTION(FLAG, dbt, .name = "dbt", .commands = CMD_CHECK, .group = TABLES,
       .help =
           "print a sources.yml of dbt for the tables in PostgreSQL, with tests of keys and "
           "references")
OPTION(FLAG, contract, .name = "contract", .commands = CMD_CHECK, .group = TABLES,
       .help = "print a data contract (ODCS v3.1)")

OPTION(TEXT, region, .name = "region", .commands = LIVE, .arg = "NAME", .group = DDB,
       .help = "AWS region (default: AWS_REGION, the profile, the instance)")
OPTION(TEXT, endpoint, .name = "endpoint", .commands = LIVE, .arg = "URL", .group = DDB,
       .help = "endpoint to call instead of the region's own")
OPTION(TEXT, profile, .name = "profile", .commands = LIVE, .arg = "NAME", .group = DDB,
       .help = "profile of the shared AWS configuration (default: AWS_PROFILE)")
OPTION(TEXT, index, .name = "index",
       .commands = CMD_EXPORT | CMD_CHECK | CMD_EXPLAIN | CMD_VERIFY, .arg = "NAME",
       .group = DDB, .help = "scan this secondary index instead of the table")
OPTION(NUMBER, segments, .name = "segments", .commands = LIVE, .arg = "N", .min = 1,
       .max = 1000000, .group = DDB,
       .help = "segments of the scan (default: from the table's size)")
OPTION(TEXT, rcu, .name = "rcu", .commands = LIVE, .arg = "N|max", .group = DDB,
       .help =
           "read capacity units a second to use at most (default: half of what is provisioned)")
OPTION(NUMBER, rcu_percent, .name = "rcu-percent", .commands = LIVE, .arg = "P", .min = 1,
       .max = 100, .group = DDB, .help = "the same as a share of the provisioned capacity")
OPTION(FLAG, strong, .name = "strong", .commands = LIVE, .group = DDB,
       .help = "strongly consistent reads, at twice the units")
OPTION(FLAG, pushdown_filter, .name = "push-filter", .commands = CMD_EXPORT, .group = DDB,
       .help = "let the server drop items that no entity takes: saves bytes, not units")
OPTION(FLAG, gzip, .name = "gzip", .commands = LIVE, .group = DDB,
       .help = "ask for compressed answers: for tables far away")
OPTION(TEXT, give_up, .name = "give-up", .commands = LIVE, .arg = "SECONDS", .text = "900",
       .group = DDB, .help = "stop when no request succeeded for so long (default {})")
OPTION(TEXT, max_age, .name = "max-age", .commands = CMD_EXPORT, .arg = "HOURS", .text = "24",
       .group = DDB, .help = "refuse to resume a scan older than this (default {})")
OPTION(NUMBER, watch_seconds, .name = "watch-seconds", .commands = LIVE, .arg = "N", .min = 1,
       .max = 86400, .number = 60, .group = DDB,
       .help = "how often the table's capacity is looked at again (default {})")

OPTION(NUMBER, transfers, .name = "transfers", .commands = S3, .arg = "N", .min = 1, .max = 64,
       .number = 8, .group = BUCKETS,
       .help = "objects, or slices of them, that a worker reads at once (default {})")
OPTION(FLAG, requester_pays, .name = "requester-pays", .commands = S3, .group = BUCKETS,
       .help = "read a bucket whose readers pay for requests and transfer")
OPTION(TEXT, bucket_owner, .name = "bucket-owner", .commands = S3, .arg = "ACCOUNT",
       .group = BUCKETS, .help = "refuse a bucket that does not belong to this account")

OPTION(TEXT, wcu, .name = "wcu", .commands = CMD_BACKFILL, .arg = "N|max", .group = FILL,
       .help = "write capacity units of the table a second to use at most (default: half of "
               "what is provisioned)")
OPTION(TEXT, state, .name = "state", .commands = CMD_BACKFILL, .arg = "DIR", .group = FILL,
       .help = "the folder of progress and journal (default renorm-backfill-TABLE)")
OPTION(TEXT, undo, .name = "undo", .commands = CMD_BACKFILL, .arg = "STATE", .group = FILL,
       .help = "put back what the backfills of this state folder wrote")
OPTION(NUMBER, sample, .name = "sample", .commands = CMD_BACKFILL, .arg = "N", .min = 1,
       .max = BIG, .group = FILL,
       .help = "with --dry-run: read about so many items and extrapolate")
OPTION(NUMBER, in_flight, .name = "in-flight", .commands = CMD_BACKFILL, .arg = "N", .min = 1,
       .max = 4096, .number = 64, .group = FILL,
       .help = "writes a worker has under way at most (default {})")
OPTION(FLAG, backfill, .name = "backfill", .commands = CMD_VERIFY, .group = FILL,
       .help = "prove that the items of a live table carry what the model's backfill says")
