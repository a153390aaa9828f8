/* SPDX-License-Identifier: MIT */
/* After the last segment: open files are ended, spills emptied, candidates reduced, the totals told. */
#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"

static enum rc set_phase(struct jsonl *s, enum jsonl_phase phase, struct err *err)
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    jsonl_record_begin(&b);
    jsonl_record_number(&b, "phase", (uint64_t)phase);
    jsonl_record_end(&b);
    enum rc rc = jsonl_record(s, &b, err);
    buf_release(&b);
    return rc;
}

static void fill_report(const struct jsonl *s, struct sink_report *report)
{
    report->conflicts = s->state.conflicts;
    report->missing_mirrors = s->state.missing_mirrors;
    for (uint32_t i = 0; report->tables && i < s->schema->ntables; i++)
        report->tables[i] = (struct table_total){0};
    for (size_t i = 0; report->tables && i < s->state.nfiles; i++) {
        const struct jsonl_file *f = &s->state.files[i];
        if (f->dropped || f->stream >= s->schema->ntables)
            continue;
        report->tables[f->stream].rows += f->rows;
        report->tables[f->stream].bytes += f->bytes;
        report->tables[f->stream].files++;
    }
}

enum rc jsonl_finish(struct jsonl *s, struct sink_report *report, struct err *err)
{
    enum rc rc = RC_OK;
    if (s->state.phase < JSONL_PUBLISHING) {
        rc = jsonl_recover(s, err);
        if (!rc && s->state.phase < JSONL_FINISHING)
            rc = set_phase(s, JSONL_FINISHING, err);
        if (!rc)
            rc = jsonl_unspill(s, err);
        if (!rc)
            rc = jsonl_reduce(s, err);
    }
    if (!rc)
        fill_report(s, report);
    return rc;
}
