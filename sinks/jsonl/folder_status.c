/* SPDX-License-Identifier: MIT */
/* The ledger is read as recovery reads it; a record that is being written is not there yet. */
#include "sinks/jsonl/folder_status.h"

#include <stdio.h>
#include <stdlib.h>

#include <yyjson.h>

#include "sinks/jsonl/ledger/run_identity.h"

static struct str text(yyjson_val *obj, const char *name)
{
    yyjson_val *v = yyjson_obj_get(obj, name);
    return str_make(yyjson_get_str(v), yyjson_get_len(v));
}

static enum rc read_identity(struct store *store, struct jsonl_status *st, struct err *err)
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    uint32_t was = 0;
    enum rc rc = jsonl_identity_read(store, &b, NULL, &was, err);
    yyjson_doc *doc = rc ? NULL : yyjson_read(b.p, b.len, 0);
    buf_release(&b);
    if (rc)
        return rc;
    yyjson_val *run = jsonl_identity_run(doc);
    yyjson_val *tables = yyjson_obj_get(yyjson_obj_get(run, "schema"), "tables"), *t;
    size_t i, n;
    st->doc = doc;
    st->version = text(run, "version");
    st->name = text(run, "name");
    st->model_hash = text(run, "model_hash");
    st->source = text(run, "source");
    st->started_us = yyjson_get_sint(yyjson_obj_get(run, "now_us"));
    st->segments = (uint32_t)yyjson_get_uint(yyjson_obj_get(run, "segments"));
    st->resumable = yyjson_get_bool(yyjson_obj_get(run, "resumable"));
    st->tables = calloc(yyjson_arr_size(tables) + 1, sizeof *st->tables);
    if (!st->tables)
        return err_nomem(err);
    yyjson_arr_foreach(tables, i, n, t)
    {
        st->tables[st->ntables++] = text(t, "name");
    }
    return RC_OK;
}

static enum rc read_run(struct store *store, struct jsonl_status *st, struct err *err)
{
    struct fs_list list = {0};
    enum rc rc = read_identity(store, st, err);
    if (!rc)
        rc = store->ops->list(store, store_key(STORE_RUN, ""), &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        if (strncmp(list.names[i], "log-", 4) != 0)
            continue;
        rc = store->ops->log_read(store, list.names[i], jsonl_state_apply, &st->state, err);
        rc = rc == RC_NONE ? RC_OK : rc;
    }
    fs_list_release(&list);
    st->unfinished = !rc;
    return rc == RC_NONE ? RC_OK : rc; /* the run may have ended meanwhile */
}

static enum rc find_run(struct store *store, struct err *err)
{
    struct fs_list list = {0};
    enum rc rc = store->ops->list(store, store_key(STORE_RUNS, ""), &list, err);
    store->run[0] = '\0';
    for (size_t i = 0; i < list.n && !store->run[0]; i++) {
        if (strncmp(list.names[i], "run-", 4) == 0)
            (void)snprintf(store->run, sizeof store->run, "%s", list.names[i]);
    }
    fs_list_release(&list);
    return rc;
}

static enum rc check_manifest(struct store *store, struct err *err)
{
    char place[FS_PATH];
    struct bytes *b = NULL;
    enum rc rc = store->ops->open(store, store_key(STORE_SHOWN, "manifest.json"), &b, err);
    bytes_close(b);
    store->ops->place(store, store_key(STORE_SHOWN, ""), place);
    return rc == RC_NONE ? err_set(err, RC_USAGE, "\"%s\" holds no export", place) : rc;
}

enum rc jsonl_status_read(struct store *store, struct jsonl_status *st, struct err *err)
{
    *st = (struct jsonl_status){0};
    jsonl_state_init_bare(&st->state);
    st->under_way = store->ops->busy(store, &st->pid);
    enum rc rc = find_run(store, err);
    if (!rc)
        rc = store->run[0] ? read_run(store, st, err) : check_manifest(store, err);
    if (rc)
        jsonl_status_release(st);
    return rc;
}

void jsonl_status_release(struct jsonl_status *st)
{
    jsonl_state_release(&st->state);
    free(st->tables);
    yyjson_doc_free(st->doc);
    *st = (struct jsonl_status){0};
}

uint64_t jsonl_status_rows(const struct jsonl_status *st, size_t table)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < st->state.nfiles; i++) {
        const struct jsonl_file *f = &st->state.files[i];
        if (f->stream == table && !f->dropped)
            rows += f->rows;
    }
    const struct jsonl_state *state = &st->state;
    int64_t waiting = table < state->nwaiting ? state->waiting[table].rows : 0;
    return waiting > 0 ? rows + (uint64_t)waiting : rows;
}
