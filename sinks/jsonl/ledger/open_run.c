/* SPDX-License-Identifier: MIT */
/*
 * Opening a run: nothing in the store is changed before it is known to be ours. A run is there
 * from the moment its run.json is, so `run-*` is always a run that can be read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <yyjson.h>

#include "pipeline/item/timestamp.h"
#include "pipeline/run/succession.h"
#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"
#include "sinks/jsonl/ledger/run_identity.h"
#include "sinks/jsonl/manifest_read.h"
#include "sinks/store/folder/folder_store.h"

/* There is no run any more. */
static enum rc forget(struct jsonl *s, struct err *err)
{
    s->store->run[0] = '\0';
    s->generation = 0;
    jsonl_state_release(&s->state);
    return jsonl_state_init(&s->state, s->schema, err);
}

static enum rc abandon(struct jsonl *s, struct err *err)
{
    enum rc rc = s->store->in_place ? jsonl_drop_parts(s, err) : RC_OK;
    if (!rc)
        rc = jsonl_remove_run(s, err);
    return rc ? rc : forget(s, err);
}

enum rc jsonl_find_run(struct jsonl *s, struct err *err)
{
    struct store *store = s->store;
    struct fs_list list = {0};
    enum rc rc = store->ops->list(store, store_key(STORE_RUNS, ""), &list, err);
    for (size_t i = list.n; i > 0 && !rc; i--) {
        const char *name = list.names[i - 1];
        if (strncmp(name, "run-", 4) == 0 && !store->run[0]) {
            (void)snprintf(store->run, sizeof store->run, "%s", name);
        } else {
            rc = store->ops->remove(store, store_key(STORE_RUNS, name), err);
        }
    }
    fs_list_release(&list);
    return rc;
}

enum rc jsonl_read_logs(struct jsonl *s, struct err *err)
{
    struct fs_list list = {0};
    enum rc rc = s->store->ops->list(s->store, store_key(STORE_RUN, ""), &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        unsigned generation = 0, worker = 0;
        if (sscanf(list.names[i], "log-%u-%u", &generation, &worker) != 2)
            continue;
        rc =
            s->store->ops->log_read(s->store, list.names[i], jsonl_state_apply, &s->state, err);
        if (generation > s->generation)
            s->generation = generation;
    }
    fs_list_release(&list);
    return rc;
}

static enum rc make_run(struct jsonl *s, const struct run_info *info, struct err *err)
{
    bool made = false;
    buf_clear(&s->identity);
    jsonl_identity_write(&s->identity, info, s->superseded);
    enum rc rc = buf_check(&s->identity, err);
    if (rc)
        return rc;
    (void)snprintf(s->store->run, sizeof s->store->run, "run-%016" PRId64, info->now_us);
    rc = s->store->ops->create(s->store, store_key(STORE_RUN, "run.json"),
                               buf_view(&s->identity), &made, err);
    if (rc || made)
        return rc;
    return err_set(err, RC_TRANSIENT, "another export to \"%s\" began at the same time",
                   s->out);
}

static enum rc refuse(const struct jsonl *s, struct err *err)
{
    (void)err_context(err, "\"%s\" holds an unfinished run and cannot be resumed", s->out);
    return err_hint(err, "--restart abandons what that run has done");
}

/* The run gives way. What is written of it here is all that is left of it. */
static enum rc supersede(struct jsonl *s, const struct jsonl_identity *old, const char *why,
                         struct err *err)
{
    struct str held = s->state.held.why;
    struct buf text;
    buf_init(&text, sizeof s->superseded - 1);
    buf_puts(&text, "the run begun ");
    timestamp_add_stamp(&text, old->now_us);
    buf_addf(&text, " gave way: %s%s%.*s", why, held.n ? "; it was held: " : "",
             (int)(held.n < 200 ? held.n : 200), held.n ? held.p : "");
    (void)snprintf(s->superseded, sizeof s->superseded, "%s", buf_cstr(&text));
    buf_release(&text);
    sink_doing(&s->base, s->superseded);
    return abandon(s, err);
}

/*
 * The ledger has been read, with `rc`. A publish that was begun is completed in any case, by
 * the run itself if it is the same. RC_USAGE: it is another run, and must stay.
 */
static enum rc decide(struct jsonl *s, const struct run_info *info, bool differs,
                      const struct jsonl_identity *old, enum rc rc, struct err *err)
{
    bool shown = s->state.phase >= JSONL_PUBLISHING;
    bool over = s->state.phase == JSONL_PUBLISHED;
    if (rc)
        return info->restart ? abandon(s, err) : rc;
    if (shown && (differs || info->restart || over)) {
        bool won = false;
        rc = jsonl_publish_rest(s, &won, err);
        if (rc)
            return rc;
        return won ? forget(s, err) : abandon(s, err);
    }
    if (shown)
        return RC_OK;
    struct predecessor was = {.same = !differs,
                              .held = s->state.held.why.n > 0,
                              .resumable = old->resumable,
                              .began_us = old->now_us,
                              .source_us = old->source_us,
                              .judged = s->state.held.judged};
    const char *why = "";
    switch (info->restart ? SUCCESSION_ANEW : succession(info, &was, &why)) {
    case SUCCESSION_RESUME:
        return RC_OK;
    case SUCCESSION_ANEW:
        return info->restart ? abandon(s, err) : supersede(s, old, why, err);
    case SUCCESSION_REFUSE:
        break;
    }
    return RC_USAGE;
}

/* The run is ours: as it is stored, and, where that was older, as it is written now. */
static enum rc go_on(struct jsonl *s, const struct buf *stored, uint32_t was, struct err *err)
{
    char told[64];
    buf_clear(&s->identity);
    buf_add_str(&s->identity, buf_view(stored));
    enum rc rc = buf_check(&s->identity, err);
    if (rc || was == JSONL_RUN_VERSION)
        return rc;
    rc = s->store->ops->replace(s->store, store_key(STORE_RUN, "run.json"), buf_view(stored),
                                err);
    (void)snprintf(told, sizeof told, "run upgraded from version %u to %d", was,
                   JSONL_RUN_VERSION);
    if (!rc)
        sink_doing(&s->base, told);
    return rc;
}

/* What to do with the run that was found; afterwards the store has none if it is gone. */
static enum rc take_over(struct jsonl *s, const struct run_info *info,
                         struct jsonl_identity *old, struct err *err)
{
    char path[FS_PATH];
    struct buf stored;
    buf_init(&stored, BUF_NO_LIMIT);
    s->store->ops->place(s->store, store_key(STORE_RUN, "run.json"), path);
    uint32_t was = 0;
    enum rc rc = jsonl_identity_read(s->store, &stored, info->version, &was, err);
    enum rc same = RC_OK;
    if (rc == RC_USAGE)
        err_context(err, "\"%s\" holds an unfinished run and cannot be resumed", s->out);
    if (!rc)
        same = jsonl_identity_compare(buf_view(&stored), buf_view(&s->identity), old, err);
    if (rc == RC_NONE)
        same = err_set(err, RC_SINK, "\"%s\" is missing", path);
    if (same == RC_SINK) {
        rc = info->restart ? abandon(s, err) : refuse(s, err);
    } else if (!rc) {
        struct err why = *err;
        rc = jsonl_read_logs(s, err);
        rc = decide(s, info, same, old, rc, err);
        if (rc == RC_USAGE && same) {
            *err = why;
            rc = refuse(s, err);
        }
        if (!rc && s->store->run[0])
            rc = go_on(s, &stored, was, err);
    }
    buf_release(&stored);
    return rc;
}

/* Says where the objects of all streams will be. */
static enum rc expect_streams(struct jsonl *s, struct err *err)
{
    uint32_t n = jsonl_streams(s->schema);
    struct store_key *keys = calloc((size_t)n + 2, sizeof *keys);
    char(*names)[JSONL_STREAM] = calloc(n, sizeof *names);
    enum rc rc;
    if (keys && names) {
        for (uint32_t i = 0; i < n; i++)
            keys[i] = jsonl_stream_key(s, i, names[i]);
        keys[n] = store_key(STORE_RUN, "candidates");
        keys[n + 1] = store_key(STORE_RUN, "spill");
        rc = s->store->ops->expect(s->store, keys, (size_t)n + 2, err);
    } else {
        rc = err_nomem(err);
    }
    free(names);
    free(keys);
    return rc;
}

enum rc jsonl_start_log(struct jsonl *s, struct err *err)
{
    char name[JSONL_KEY];
    s->generation++;
    (void)snprintf(name, sizeof name, "log-%06u-0000", s->generation);
    return s->store->ops->log(s->store, name, &s->log, err);
}

/*
 * New parts are numbered behind those that are shown: whoever goes by the manifest finds the file it
 * speaks of or none, never another of that name.
 */
static enum rc number_on(struct jsonl *s, struct err *err)
{
    struct jsonl_manifest *shown = NULL;
    enum rc rc = jsonl_manifest_read(s->store, &shown, err);
    if (rc)
        return rc == RC_NONE ? RC_OK : rc;
    uint32_t last = jsonl_manifest_last_file(shown);
    jsonl_manifest_free(shown);
    if (last > s->next_file)
        s->next_file = last;
    return RC_OK;
}

/* Keeps the profile of a manifest, unless it is this run's own, shown by a process that died. */
static enum rc keep_profile(struct jsonl *s, struct str manifest, int64_t now_us,
                            struct err *err)
{
    yyjson_doc *doc = yyjson_read(manifest.p, manifest.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *shape = yyjson_obj_get(root, "shape");
    bool own = yyjson_get_sint(yyjson_obj_get(root, "started_us")) == now_us;
    size_t n = 0;
    char *json = shape && !own ? yyjson_val_write(shape, 0, &n) : NULL;
    if (json)
        buf_add(&s->profile_last, json, n);
    free(json);
    yyjson_doc_free(doc);
    return buf_check(&s->profile_last, err);
}

/* Notes which manifest this run, begun at now_us, is going to replace. */
static enum rc look_at_manifest(struct jsonl *s, int64_t now_us, struct err *err)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = s->store->ops->manifest(s->store, &text, &s->replaces, err);
    if (!rc)
        rc = keep_profile(s, buf_view(&text), now_us, err);
    buf_release(&text);
    s->next_file = s->state.last_file;
    if (rc)
        return rc == RC_NONE ? RC_OK : rc;
    return s->store->in_place ? RC_OK : number_on(s, err);
}

static enum rc open_store(struct jsonl *s, struct err *err)
{
    store_opener *opener = s->opts.open_store ? s->opts.open_store : folder_store_open;
    enum rc rc = opener(s->out, s->opts.store_ctx, &s->store, err);
    if (!rc) {
        s->store->point = s->opts.point;
        s->store->point_ctx = s->opts.point_ctx;
    }
    return rc;
}

static enum rc fill_state(struct jsonl *s, bool resumed, const struct jsonl_identity *id,
                          struct run_state *state, struct err *err)
{
    const struct jsonl_state *st = &s->state;
    s->opened = calloc(st->ncounters, sizeof *s->opened);
    if (!s->opened)
        return err_nomem(err);
    memcpy(s->opened, st->counters, st->ncounters * sizeof *s->opened);
    *state = (struct run_state){
        .resumed = resumed,
        .complete =
            st->phase >= JSONL_FINISHING || (id->segments && st->segments_done >= id->segments),
        .now_us = id->now_us,
        .counters = s->opened,
        .resumed_items = resumed ? s->opened[CNT_READ] : 0,
        .segments = id->segments,
        .resumed_segments = resumed ? st->segments_done : 0,
    };
    return RC_OK;
}

enum rc jsonl_run_open(struct jsonl *s, const struct run_info *info, struct run_state *state,
                       struct err *err)
{
    struct jsonl_identity id = {.now_us = info->now_us, .segments = info->segments};
    s->workers = info->workers;
    enum rc rc = jsonl_state_init(&s->state, s->schema, err);
    jsonl_identity_write(&s->identity, info, "");
    if (!rc)
        rc = buf_check(&s->identity, err);
    if (!rc)
        rc = open_store(s, err);
    if (!rc)
        rc = jsonl_find_run(s, err);
    struct jsonl_identity old = id;
    if (!rc && s->store->run[0])
        rc = take_over(s, info, &old, err);
    bool resumed = !rc && s->store->run[0];
    if (!rc)
        rc = s->store->ops->check(s->store, s->state.plan, err);
    if (!rc)
        rc = look_at_manifest(s, resumed ? old.now_us : id.now_us, err);
    if (!rc && !resumed)
        rc = make_run(s, info, err);
    if (!rc)
        rc = jsonl_start_log(s, err);
    if (!rc && s->state.phase < JSONL_PUBLISHING)
        rc = expect_streams(s, err);
    /* Beside shown objects a run that is gone may have left some of the names that ours will take. */
    if (!rc && (resumed || s->store->in_place) && s->state.phase < JSONL_PUBLISHING)
        rc = jsonl_recover(s, err);
    return rc ? rc : fill_state(s, resumed, resumed ? &old : &id, state, err);
}
