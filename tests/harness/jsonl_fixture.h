/* SPDX-License-Identifier: MIT */
/*
 * A small schema and a scripted run for the tests of the JSON-lines sink: segments of numbered
 * items, each giving a row of `item`, children, a candidate of `owner`, now and then a reject.
 * A run can be stopped anywhere and goes on where the ledger says, as the real worker does.
 */
#ifndef HARNESS_JSONL_FIXTURE_H
#define HARNESS_JSONL_FIXTURE_H

#include "sinks/jsonl/jsonl.h"

enum { FIX_ITEM = 0, FIX_CHILD, FIX_OWNER, FIX_CONFLICT, FIX_LINK, FIX_TABLES };

extern const struct schema fix_schema;

struct fix_run {
    const char *out;
    uint32_t segments;
    uint32_t items;      /* per segment */
    uint32_t page;       /* items per page */
    uint32_t pages;      /* pages per commit */
    uint32_t workers;    /* run one after the other, segments dealt round robin */
    const char *model;   /* its hash; NULL: "m" */
    const char *source;  /* its identity; NULL: "s" */
    int64_t now_us;      /* when it begins; 0: always the same */
    uint32_t stop_after; /* end after so many commits in all; 0: never */
    bool restart, stdin_like,
        dirty; /* dirty: leave rows behind the last commit when stopping */
    bool no_publish;
    struct jsonl_options opts; /* 0: as fix_options has it */
    struct sink_watch watch;
};

struct fix_result {
    struct run_state state;
    struct sink_report report;
    struct table_total tables[FIX_TABLES];
    uint32_t commits;
};

/* What most runs are made with. */
struct jsonl_options fix_options(const char *out);

/* Opens, works, finishes, publishes. The first failure ends it; the sink is always closed. */
enum rc fix_export(const struct fix_run *run, struct fix_result *out, struct err *err);

enum { FIX_FINISHED = 0, FIX_FAILED = 1, FIX_CRASHED = 42 };

/* The same in a child that ends at the k-th point of its store, of those that are called `only` (NULL: of all);
 * how it ended. */
int fix_crash(const struct fix_run *run, int k, const char *only);

/* A fresh folder name that does not exist; remove what was made there with fix_remove. */
void fix_tmp(char path[256]);
void fix_remove(const char *path);

/* All lines of OUT/<folder>, sorted, joined by newlines. Returns owned text ("" if none). */
char *fix_lines(const char *out, const char *folder);
char *fix_read(const char *path);

/* Every folder's lines and the counts of the manifest: equal for equal results. */
char *fix_everything(const char *out);

/* A store for reading the folder; to be closed. */
struct store *fix_look(const char *out);

/* jsonl_status_read of the folder. */
struct jsonl_status;
enum rc fix_status(const char *out, struct jsonl_status *st, struct err *err);
char *fix_everything_in(struct store *store);

#endif
