/* SPDX-License-Identifier: MIT */
/*
 * A store of JSON lines read back, for `verify` and `status`: the manifest of a finished run,
 * its rows with every checksum checked, and what the ledger of an unfinished run says.
 */
#ifndef SINKS_JSONL_MANIFEST_READ_H
#define SINKS_JSONL_MANIFEST_READ_H

#include "pipeline/row/schema.h"
#include "sinks/store/zst.h"

struct jsonl_part_info {
    struct str name, sha256; /* hex */
    uint64_t rows, bytes;
};

struct jsonl_table_info {
    struct str name, folder, kind;
    bool stayed; /* a run before the last one made it, and these are of that: */
    struct str model_hash, options;
    int64_t started_us;
    uint64_t rows, bytes;
    struct jsonl_part_info *files;
    size_t nfiles;
};

struct jsonl_count {
    struct str name;
    uint64_t count;
};

/* Everything points into the manifest and lives as long as it. */
struct jsonl_manifest {
    struct str version, name, model_hash, source, options;
    int64_t started_us;
    uint32_t segments;
    uint64_t items[CNT_FIXED];
    struct jsonl_table_info *tables;
    size_t ntables;
    struct jsonl_table_info rejects, unrouted;
    struct jsonl_count *reasons, *types, *notes;
    size_t nreasons, ntypes, nnotes;
    uint64_t conflicts, missing_mirrors;
    void *doc;
    struct store *store; /* borrowed */
};

/*
 * RC_NONE: no manifest, so no finished run. RC_USAGE: not one of ours. Returns owned; borrows the
 * store until the manifest is freed.
 */
enum rc jsonl_manifest_read(struct store *store, struct jsonl_manifest **m,
                            struct err *err) MUST_CHECK;
void jsonl_manifest_free(struct jsonl_manifest *m);

/*
 * manifest_check.c: do the manifest's own numbers agree, and are the files that are shown those it
 * names, and no others? RC_SINK: no; err says where.
 */
enum rc jsonl_manifest_check(const struct jsonl_manifest *m, struct err *err) MUST_CHECK;

/* The table of that name, or NULL. */
const struct jsonl_table_info *jsonl_manifest_table(const struct jsonl_manifest *m,
                                                    struct str name);

/* The highest number that a part has; 0: there are none. */
uint32_t jsonl_manifest_last_file(const struct jsonl_manifest *m);

/* The lines of a table, or of the rejects, file by file. */
struct jsonl_lines {
    const struct jsonl_manifest *m;
    const struct jsonl_table_info *table;
    size_t file; /* the one being read */
    bool open;
    uint64_t rows;
    struct zst_reader reader;
};

void jsonl_lines_init(struct jsonl_lines *r, const struct jsonl_manifest *m,
                      const struct jsonl_table_info *table);
void jsonl_lines_release(struct jsonl_lines *r);

/*
 * The next line, valid until the next call; RC_END at the end. RC_SINK: a file is missing,
 * damaged, or not what the manifest says; err names it.
 */
enum rc jsonl_lines_next(struct jsonl_lines *r, struct str *line, struct err *err) MUST_CHECK;

#endif
