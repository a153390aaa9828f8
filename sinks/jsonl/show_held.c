/* SPDX-License-Identifier: MIT */
/*
 * The run's own record of why it is held keeps the plan of how it would be shown. It is followed as
 * a run follows its own: a record says so first, then the folders change places, so that whoever
 * comes after a crash completes it.
 */
#include "sinks/jsonl/show_held.h"

#include <string.h>

#include "pipeline/item/timestamp.h"
#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/run_identity.h"
#include "sinks/store/folder/folder_store.h"

static enum rc nothing_held(const char *out, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s\" holds no run back", out);
    return err_hint(err, "\"renorm status %s\" tells what it holds", out);
}

/* Looks without touching anything: a folder that is no export's stays as it is. */
static enum rc look(const char *out, struct err *err)
{
    struct store *store = NULL;
    struct fs_list list = {0};
    bool any = false;
    enum rc rc = folder_store_look(out, &store, err);
    if (!rc)
        rc = store->ops->list(store, store_key(STORE_RUNS, ""), &list, err);
    for (size_t i = 0; i < list.n; i++)
        any = any || strncmp(list.names[i], "run-", 4) == 0;
    fs_list_release(&list);
    store_close(store);
    return rc || any ? rc : nothing_held(out, err);
}

/* Readers see what they saw when it was held: else it would replace what nobody compared it with. */
static enum rc check_shown(struct jsonl *s, struct err *err)
{
    struct store_version now = {{0}};
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = s->store->ops->manifest(s->store, &text, &now, err);
    buf_release(&text);
    if (rc && rc != RC_NONE)
        return rc;
    if (str_is(s->state.held.from, now.tag))
        return RC_OK;
    (void)err_set(err, RC_SINK, "the manifest of \"%s\" was replaced since the run was held",
                  s->out);
    return err_hint(err, "--restart exports again from the beginning");
}

static enum rc find_held(struct jsonl *s, struct err *err)
{
    enum rc rc = folder_store_open(s->out, NULL, &s->store, err);
    if (!rc)
        rc = jsonl_find_run(s, err);
    if (!rc && !s->store->run[0])
        return nothing_held(s->out, err);
    if (!rc)
        rc = jsonl_read_logs(s, err);
    if (rc || s->state.phase >= JSONL_PUBLISHING)
        return rc;
    if (!s->state.held.why.n || !s->state.held.plan.n) {
        (void)err_set(err, RC_USAGE, "the run in \"%s\" is not finished", s->out);
        return err_hint(err, "the command that began it goes on with it");
    }
    return check_shown(s, err);
}

static enum rc tell(struct jsonl *s, struct buf *text, struct err *err)
{
    struct buf identity;
    uint32_t was = 0;
    buf_init(&identity, BUF_NO_LIMIT);
    enum rc rc = jsonl_identity_read(s->store, &identity, NULL, &was, err);
    yyjson_doc *doc = rc ? NULL : yyjson_read(identity.p, identity.len, 0);
    yyjson_val *run = jsonl_identity_run(doc);
    const char *source = yyjson_get_str(yyjson_obj_get(run, "source"));
    buf_puts(text, "shown: the run begun ");
    timestamp_add_stamp(text, yyjson_get_sint(yyjson_obj_get(run, "now_us")));
    buf_addf(text, " from %s\n", source ? source : "?");
    if (s->state.held.why.n)
        buf_addf(text, "it was held: %.*s\n", STR_FMT(s->state.held.why));
    yyjson_doc_free(doc);
    buf_release(&identity);
    return rc;
}

static enum rc show(struct jsonl *s, struct err *err)
{
    bool won = false;
    enum rc rc = RC_OK;
    if (s->state.phase < JSONL_PUBLISHING) {
        rc = jsonl_start_log(s, err);
        if (!rc)
            rc = jsonl_record_plan_of(s, s->state.held.plan, err);
    }
    if (!rc)
        rc = jsonl_publish_rest(s, &won, err);
    if (!rc && !won)
        rc = err_set(err, RC_SINK, "the manifest of \"%s\" was replaced meanwhile", s->out);
    return rc;
}

enum rc jsonl_show_held(const char *out, struct buf *text, struct err *err)
{
    struct jsonl_options opts = {.out = out, .level = 1};
    struct sink *sink = NULL;
    enum rc rc = look(out, err);
    if (!rc)
        rc = jsonl_open(&opts, &sink, err);
    if (rc)
        return rc;
    struct jsonl *s = (struct jsonl *)sink;
    jsonl_state_init_bare(&s->state);
    rc = find_held(s, err);
    if (!rc)
        rc = tell(s, text, err);
    if (!rc)
        rc = show(s, err);
    sink->ops->close(sink);
    return rc;
}
