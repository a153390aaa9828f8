/* SPDX-License-Identifier: MIT */
/*
 * Showing the result: the store plans how the manifest is swapped, a record keeps the plan, the
 * swap follows. From the record on whoever opens the store completes it. The run is removed at
 * the end. Of a result that is held the record keeps the plan, too, and says that it is not to be
 * followed yet: whoever shows it needs no model then.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"
#include "sinks/jsonl/ledger/run_identity.h"

static bool has_files(const struct jsonl_state *st, uint32_t stream)
{
    for (size_t i = 0; i < st->nfiles; i++) {
        if (st->files[i].stream == stream && !st->files[i].dropped)
            return true;
    }
    return false;
}

enum rc jsonl_record_plan_of(struct jsonl *s, struct str plan, struct err *err)
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    jsonl_record_begin(&b);
    jsonl_record_plan(&b, plan);
    jsonl_record_number(&b, "phase", JSONL_PUBLISHING);
    jsonl_record_end(&b);
    enum rc rc = jsonl_record(s, &b, err);
    buf_release(&b);
    return rc;
}

static enum rc record_held(struct jsonl *s, struct str plan, const struct verdict *v,
                           struct err *err)
{
    struct jsonl_held held = {str_of(v->why), s->judged, plan, str_of(s->replaces.tag)};
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    jsonl_record_begin(&b);
    jsonl_record_held(&b, &held);
    jsonl_record_end(&b);
    enum rc rc = jsonl_record(s, &b, err);
    buf_release(&b);
    return rc;
}

static enum rc add_plan(struct jsonl *s, const char *const *folders, size_t n, struct buf *plan,
                        struct err *err)
{
    struct buf manifest;
    buf_init(&manifest, BUF_NO_LIMIT);
    jsonl_manifest_write(s, &manifest);
    enum rc rc = buf_check(&manifest, err);
    struct store_swap what = {s->replaces, buf_view(&manifest), folders, n};
    if (!rc)
        rc = s->store->ops->swap_plan(s->store, &what, plan, err);
    buf_release(&manifest);
    return rc;
}

/* The folders to show: one per table, those of kept items only if there are any. */
static size_t list_folders(const struct jsonl *s, char (*names)[JSONL_NAME],
                           const char **folders)
{
    size_t n = 0;
    for (uint32_t i = 0; i < jsonl_candidates(s->schema, 0); i++) {
        if (i >= s->schema->ntables && !has_files(&s->state, i))
            continue;
        jsonl_stream_name(s->schema, i, names[n]);
        folders[n] = names[n];
        n++;
    }
    return n;
}

static enum rc make_plan(struct jsonl *s, struct buf *plan, struct err *err)
{
    uint32_t most = jsonl_candidates(s->schema, 0);
    const char **folders = calloc(most, sizeof *folders);
    char(*names)[JSONL_NAME] = calloc(most, sizeof *names);
    enum rc rc = folders && names
                     ? add_plan(s, folders, list_folders(s, names, folders), plan, err)
                     : err_nomem(err);
    free(names);
    free(folders);
    return rc;
}

/* `held`: why it is not followed yet; NULL: it is. */
static enum rc announce(struct jsonl *s, const struct verdict *held, struct err *err)
{
    struct buf plan;
    buf_init(&plan, BUF_NO_LIMIT);
    enum rc rc = make_plan(s, &plan, err);
    if (!rc && held) {
        rc = record_held(s, buf_view(&plan), held, err);
    } else if (!rc) {
        rc = jsonl_record_plan_of(s, buf_view(&plan), err);
    }
    buf_release(&plan);
    return rc;
}

enum rc jsonl_remove_run(struct jsonl *s, struct err *err)
{
    char run[STORE_RUN_NAME];
    memcpy(run, s->store->run, sizeof run);
    store_log_close(s->log);
    s->log = NULL;
    return s->store->ops->remove(s->store, store_key(STORE_RUNS, run), err);
}

enum rc jsonl_publish_rest(struct jsonl *s, bool *won, struct err *err)
{
    enum rc rc = s->store->ops->swap(s->store, s->state.plan, won, err);
    return rc || !*won ? rc : jsonl_remove_run(s, err);
}

static enum rc lost(const struct jsonl *s, struct err *err)
{
    (void)err_set(err, RC_SINK, "the manifest of \"%s\" was replaced while this export ran",
                  s->out);
    return err_hint(err, "--restart exports again from the beginning");
}

/* The run that gave way to this one, whichever process of it said so. */
static void tell_superseded(const struct jsonl *s, struct sink_report *report)
{
    yyjson_doc *doc = yyjson_read(s->identity.p, s->identity.len, 0);
    const char *text = yyjson_get_str(yyjson_obj_get(jsonl_identity_run(doc), "supersedes"));
    if (text)
        sink_note(report, "%s", text);
    yyjson_doc_free(doc);
}

/* Where the items lie that became no rows. */
static void tell_kept(struct jsonl *s, enum store_room room, struct sink_report *report)
{
    static const char *const NAMES[] = {"rejects", "unrouted"};
    static const char *const WORDS[] = {"rejected", "unrouted"};
    for (uint32_t i = 0; i < 2; i++) {
        char place[FS_PATH];
        if (!has_files(&s->state, jsonl_rejects(s->schema) + i))
            continue;
        s->store->ops->place(s->store, store_key(room, NAMES[i]), place);
        sink_note(report, "%s items: %.400s", WORDS[i], place);
    }
    tell_superseded(s, report);
    reasons_sort(&s->state.reasons);
    report->reasons = &s->state.reasons;
}

enum rc jsonl_publish(struct jsonl *s, struct sink_report *report, struct err *err)
{
    bool won = false;
    enum rc rc = s->state.phase < JSONL_PUBLISHING ? announce(s, NULL, err) : RC_OK;
    jsonl_point(s, "publish:announced");
    if (!rc)
        rc = jsonl_publish_rest(s, &won, err);
    if (rc)
        return rc;
    if (!won)
        return lost(s, err);
    report->published = true;
    tell_kept(s, STORE_SHOWN, report);
    return RC_OK;
}

enum rc jsonl_hold(struct jsonl *s, const struct verdict *v, struct sink_report *report,
                   struct err *err)
{
    if (s->state.phase >= JSONL_PUBLISHING) /* too late: readers see some of it already */
        return jsonl_publish(s, report, err);
    enum rc rc = announce(s, v, err);
    jsonl_point(s, "publish:held");
    if (rc)
        return rc;
    report->held = true;
    tell_kept(s, STORE_NEW, report);
    return RC_OK;
}
