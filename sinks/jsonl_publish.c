/* SPDX-License-Identifier: MIT */
/*
 * Showing the result: folder by folder the new one changes places with the old, the manifest
 * last. Before the first move a record lists the folders with their inodes; so a repetition
 * after a crash knows, of each, on which side it is. The old folders end up in the run's own,
 * which is removed at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/jsonl_folders.h"
#include "sinks/jsonl_record.h"
#include "sinks/jsonl_run.h"

static uint64_t inode(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

static bool has_files(const struct jsonl_state *st, uint32_t stream)
{
    for (size_t i = 0; i < st->nfiles; i++) {
        if (st->files[i].stream == stream && !st->files[i].dropped)
            return true;
    }
    return false;
}

/* The folders to show: one per table, those of kept items only if there are any. */
static enum rc list_swaps(struct jsonl *s, struct jsonl_swap *swaps, size_t *n, struct err *err)
{
    char dir[FS_PATH], name[JSONL_NAME];
    for (uint32_t i = 0; i < jsonl_candidates(s->schema, 0); i++) {
        if (i >= s->schema->ntables && !has_files(&s->state, i))
            continue;
        jsonl_dir(s, i, dir);
        jsonl_stream_name(s->schema, i, name);
        enum rc rc = fs_mkdirs(dir, err);
        if (!rc)
            rc = fs_sync_dir(dir, err);
        if (!rc)
            rc = jsonl_state_own(&swaps[*n].dir, str_of(name), err);
        if (rc)
            return rc;
        swaps[(*n)++].inode = inode(dir);
    }
    return RC_OK;
}

static enum rc announce(struct jsonl *s, struct err *err)
{
    struct buf b;
    char path[FS_PATH];
    size_t n = 0;
    struct jsonl_swap *swaps = calloc(jsonl_streams(s->schema), sizeof *swaps);
    if (!swaps)
        return err_nomem(err);
    buf_init(&b, BUF_NO_LIMIT);
    enum rc rc = list_swaps(s, swaps, &n, err);
    if (!rc) {
        jsonl_manifest_write(s, &b);
        rc = buf_check(&b, err);
    }
    fs_path(path, "%s/manifest.json", s->run);
    if (!rc)
        rc = fs_replace(path, buf_view(&b), err);
    fs_path(path, "%s/new", s->run);
    if (!rc)
        rc = fs_sync_dir(path, err);
    if (!rc) {
        buf_clear(&b);
        jsonl_record_begin(&b);
        jsonl_record_swaps(&b, swaps, n);
        jsonl_record_number(&b, "phase", JSONL_PUBLISHING);
        jsonl_record_end(&b);
        rc = jsonl_record(s, &b, err);
    }
    for (size_t i = 0; i < n; i++)
        jsonl_state_drop(&swaps[i].dir);
    free(swaps);
    buf_release(&b);
    return rc;
}

static enum rc show(struct jsonl *s, const struct jsonl_swap *swap, struct err *err)
{
    char from[FS_PATH], to[FS_PATH];
    fs_path(from, "%s/new/%.*s", s->run, STR_FMT(swap->dir));
    fs_path(to, "%s/%.*s", s->out, STR_FMT(swap->dir));
    if (inode(to) == swap->inode)
        return RC_OK;
    if (inode(from) == swap->inode)
        return fs_swap(from, to, err);
    (void)err_set(err, RC_SINK, "the finished folder \"%s\" is gone", from);
    return err_hint(err, "--restart exports again from the beginning");
}

/* Folders of the last run that this one does not have. */
static enum rc retire(struct jsonl *s, struct err *err)
{
    struct fs_list old = {0};
    char from[FS_PATH], to[FS_PATH];
    enum rc rc = jsonl_folders(s->out, &old, err);
    for (size_t i = 0; i < old.n && !rc; i++) {
        bool kept = false;
        for (size_t k = 0; k < s->state.nswaps; k++)
            kept = kept || str_is(s->state.swaps[k].dir, old.names[i]);
        fs_path(from, "%s/%s", s->out, old.names[i]);
        fs_path(to, "%s/new/%s", s->run, old.names[i]);
        if (!kept && rename(from, to) != 0 && errno != ENOENT)
            rc = err_errno(err, RC_TRANSIENT, errno, "cannot move \"%s\"", from);
    }
    fs_list_release(&old);
    return rc == RC_END ? RC_OK : rc;
}

static enum rc show_manifest(struct jsonl *s, struct err *err)
{
    char from[FS_PATH], to[FS_PATH];
    fs_path(from, "%s/manifest.json", s->run);
    fs_path(to, "%s/manifest.json", s->out);
    if (rename(from, to) != 0 && errno != ENOENT)
        return err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", to);
    return fs_sync_dir(s->out, err);
}

static enum rc remove_run(struct jsonl *s, struct err *err)
{
    char gone[FS_PATH];
    fs_path(gone, "%s/.renorm/gone", s->out);
    jsonl_log_close(&s->log);
    enum rc rc = fs_remove(gone, err);
    if (!rc && rename(s->run, gone) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot rename \"%s\"", s->run);
    s->run[0] = '\0';
    jsonl_point(s, "publish:gone");
    return rc ? rc : fs_remove(gone, err);
}

enum rc jsonl_publish_rest(struct jsonl *s, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; i < s->state.nswaps && !rc; i++) {
        rc = show(s, &s->state.swaps[i], err);
        jsonl_point(s, "publish:folder");
    }
    if (!rc)
        rc = retire(s, err);
    jsonl_point(s, "publish:retired");
    if (!rc)
        rc = show_manifest(s, err);
    jsonl_point(s, "publish:manifest");
    return rc ? rc : remove_run(s, err);
}

enum rc jsonl_publish(struct jsonl *s, struct sink_report *report, struct err *err)
{
    enum rc rc = s->state.phase < JSONL_PUBLISHING ? announce(s, err) : RC_OK;
    jsonl_point(s, "publish:announced");
    if (!rc)
        rc = jsonl_publish_rest(s, err);
    if (rc)
        return rc;
    report->published = true;
    reasons_sort(&s->state.reasons);
    report->reasons = &s->state.reasons;
    uint32_t rejects = jsonl_rejects(s->schema), unrouted = jsonl_unrouted(s->schema);
    int n = 0;
    if (has_files(&s->state, rejects)) {
        n = snprintf(report->note, sizeof report->note, "rejected items: %.400s/rejects\n",
                     s->out);
    }
    if (has_files(&s->state, unrouted)) {
        (void)snprintf(report->note + n, sizeof report->note - (size_t)n,
                       "unrouted items: %.400s/unrouted\n", s->out);
    }
    return RC_OK;
}
