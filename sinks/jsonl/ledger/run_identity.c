/* SPDX-License-Identifier: MIT */
/*
 * Two runs are one if the model, the source and the options that change rows are.
 *
 * The first run.json had no version: what the second one says of the run stood at the top. There
 * an earlier renorm, which asks for no version, finds nothing, and refuses the run. A run of the
 * third may have spills, of which an earlier one knows nothing.
 */
#include "sinks/jsonl/ledger/run_identity.h"

#include <unistd.h>

#include "pipeline/base/json.h"
#include "pipeline/source/files/file_identity.h"
#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"
#include "sinks/store/upgrade.h"

static bool nest(yyjson_mut_doc *doc)
{
    yyjson_mut_val *root = yyjson_mut_obj(doc), *run = yyjson_mut_doc_get_root(doc);
    yyjson_mut_doc_set_root(doc, root);
    return root && yyjson_mut_obj_add_val(doc, root, "run", run);
}

static const struct upgrade_step STEPS[] = {{1, 2, nest}, {2, 3, NULL}};

static const struct upgrade_kind KIND = {.member = "renorm_run",
                                         .by = "renorm",
                                         .unsaid = 1,
                                         .newest = JSONL_RUN_VERSION,
                                         .steps = STEPS,
                                         .nsteps = sizeof STEPS / sizeof *STEPS};

enum rc jsonl_identity_read(struct store *store, struct buf *text, const char *renorm,
                            uint32_t *was, struct err *err)
{
    char place[FS_PATH];
    struct store_key key = {STORE_RUN, "run.json"};
    *was = 0;
    store->ops->place(store, key, place);
    enum rc rc = store_read(store, key, text, err);
    if (rc)
        return rc;
    rc = upgrade_text(&KIND, text, place, renorm ? renorm : "", was, err);
    return rc == RC_NONE ? RC_OK : rc;
}

yyjson_val *jsonl_identity_run(yyjson_doc *doc)
{
    return yyjson_obj_get(yyjson_doc_get_root(doc), "run");
}

static void member(struct buf *b, const char *name, struct str value)
{
    bool first = b->p[b->len - 1] == '{';
    json_add_name(b, &first, name);
    jsonl_record_text(b, value);
}

void jsonl_identity_write(struct buf *b, const struct run_info *info, const char *supersedes)
{
    buf_addf(b, "{\"renorm_run\":%d", JSONL_RUN_VERSION);
    if (b->rc)
        return;
    member(b, "renorm", str_of(info->version));
    buf_puts(b, ",\"run\":{");
    if (b->rc)
        return;
    member(b, "version", str_of(info->version));
    member(b, "name", info->schema->name);
    member(b, "model_hash", info->model_hash);
    member(b, "source", info->source_text);
    member(b, "source_identity", info->source_identity);
    member(b, "options", info->options);
    if (supersedes[0])
        member(b, "supersedes", str_of(supersedes));
    buf_addf(b, ",\"source_us\":%lld", (long long)info->source_us);
    buf_addf(b, ",\"now_us\":%lld,\"segments\":%u,\"resumable\":%s,\"pid\":%ld,\"schema\":",
             (long long)info->now_us, info->segments, info->resumable ? "true" : "false",
             (long)getpid());
    jsonl_manifest_schema(b, info->schema);
    buf_puts(b, "}}\n");
}

static const char *text(yyjson_val *root, const char *name)
{
    const char *s = yyjson_get_str(yyjson_obj_get(root, name));
    return s ? s : "";
}

static enum rc source_differs(yyjson_val *old, yyjson_val *now, struct err *err)
{
    struct buf what;
    buf_init(&what, 1024);
    file_identity_difference(&what, str_of(text(old, "source_identity")),
                             str_of(text(now, "source_identity")));
    if (strcmp(text(old, "source"), text(now, "source")) == 0) {
        (void)err_set(err, RC_USAGE, "the source has changed: %s", buf_cstr(&what));
    } else {
        (void)err_set(err, RC_USAGE, "the source has changed (it was %.200s; it is %.200s): %s",
                      text(old, "source"), text(now, "source"), buf_cstr(&what));
    }
    buf_release(&what);
    return RC_USAGE;
}

static enum rc compare(yyjson_val *old, yyjson_val *now, struct err *err)
{
    if (strcmp(text(old, "model_hash"), text(now, "model_hash")) != 0) {
        return err_set(err, RC_USAGE, "the model has changed (it was %.12s..., it is %.12s...)",
                       text(old, "model_hash"), text(now, "model_hash"));
    }
    if (strcmp(text(old, "source_identity"), text(now, "source_identity")) != 0) {
        return source_differs(old, now, err);
    }
    if (strcmp(text(old, "options"), text(now, "options")) != 0) {
        return err_set(err, RC_USAGE,
                       "the options have changed (they were \"%.200s\", they are \"%.200s\")",
                       text(old, "options"), text(now, "options"));
    }
    return RC_OK;
}

enum rc jsonl_identity_compare(struct str stored_text, struct str asked_text,
                               struct jsonl_identity *stored, struct err *err)
{
    yyjson_doc *old = yyjson_read(stored_text.p, stored_text.n, 0);
    yyjson_doc *now = yyjson_read(asked_text.p, asked_text.n, 0);
    yyjson_val *run = jsonl_identity_run(old);
    enum rc rc = RC_SINK;
    if (yyjson_is_obj(run) && yyjson_obj_get(run, "model_hash")) {
        *stored = (struct jsonl_identity){
            .now_us = yyjson_get_sint(yyjson_obj_get(run, "now_us")),
            .segments = (uint32_t)yyjson_get_uint(yyjson_obj_get(run, "segments")),
            .resumable = yyjson_get_bool(yyjson_obj_get(run, "resumable")),
            .source_us = yyjson_get_sint(yyjson_obj_get(run, "source_us")),
        };
        rc = compare(run, jsonl_identity_run(now), err);
    } else {
        rc = err_set(err, RC_SINK, "the description of the unfinished run cannot be read");
    }
    yyjson_doc_free(old);
    yyjson_doc_free(now);
    return rc;
}
