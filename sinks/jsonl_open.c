/* SPDX-License-Identifier: MIT */
/*
 * Opening a folder: nothing in it is touched before it is known to be ours. A run is made
 * under another name and renamed when it is whole, and abandoned the other way round, so that
 * `run-*` is always a run that can be read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/base/env.h"
#include "pipeline/item/times.h"
#include "sinks/jsonl_folders.h"
#include "sinks/jsonl_identity.h"
#include "sinks/jsonl_record.h"
#include "sinks/jsonl_run.h"

static enum rc not_ours(const char *out, const char *name, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s/%s\" was not written by renorm", out, name);
    return err_hint(err, "give a folder that is empty, new, or holds an earlier export");
}

/* Before the lock: a folder that is not empty must carry our mark. */
static enum rc check_target(const char *out, struct err *err)
{
    struct stat st;
    struct fs_list list = {0}, folders = {0};
    if (stat(out, &st) != 0 && errno == ENOENT)
        return RC_OK;
    if (stat(out, &st) != 0)
        return err_errno(err, RC_USAGE, errno, "cannot use \"%s\"", out);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, RC_USAGE, "\"%s\" is not a folder", out);
    enum rc rc = fs_list(out, &list, err);
    if (!rc && list.n && !jsonl_folders_has(&list, ".renorm")) {
        rc = jsonl_folders(out, &folders, err);
        bool bare = list.n == 1 && strcmp(list.names[0], "lost+found") == 0;
        if (rc == RC_END)
            rc = bare ? RC_OK : not_ours(out, list.names[0], err);
    }
    fs_list_release(&folders);
    fs_list_release(&list);
    return rc == RC_END ? RC_OK : rc;
}

static bool is_part(const char *name)
{
    size_t digits = strncmp(name, "part-", 5) == 0 ? strspn(name + 5, "0123456789") : 0;
    return digits && strcmp(name + 5 + digits, ".jsonl.zst") == 0;
}

static enum rc check_folder(const char *out, const char *folder, struct err *err)
{
    char path[FS_PATH];
    struct fs_list list = {0};
    fs_path(path, "%s/%s", out, folder);
    enum rc rc = fs_list(path, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        if (!is_part(list.names[i]))
            rc = not_ours(path, list.names[i], err);
    }
    fs_list_release(&list);
    return rc == RC_END ? RC_OK : rc;
}

static bool swapped(const struct jsonl_state *st, const char *name)
{
    for (size_t i = 0; i < st->nswaps; i++) {
        if (str_is(st->swaps[i].dir, name))
            return true;
    }
    return false;
}

/* Every entry must be one of a finished run, or of one that was being shown. */
static enum rc check_entries(const struct jsonl *s, struct err *err)
{
    static const char *const OWN[] = {".renorm", "manifest.json", "manifest.json.new",
                                      "lost+found"};
    struct fs_list list = {0}, folders = {0};
    enum rc rc = jsonl_folders(s->out, &folders, err);
    rc = rc == RC_END ? RC_OK : rc;
    if (!rc)
        rc = fs_list(s->out, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        const char *name = list.names[i];
        bool own = false;
        for (size_t k = 0; k < sizeof OWN / sizeof OWN[0]; k++)
            own = own || strcmp(name, OWN[k]) == 0;
        if (own)
            continue;
        if (jsonl_folders_has(&folders, name) || swapped(&s->state, name)) {
            rc = check_folder(s->out, name, err);
        } else {
            rc = not_ours(s->out, name, err);
        }
    }
    fs_list_release(&folders);
    fs_list_release(&list);
    return rc;
}

static enum rc under_way(struct jsonl *s, const char *path, struct err *err)
{
    struct buf who;
    buf_init(&who, BUF_NO_LIMIT);
    struct err ignored;
    (void)!fs_read(path, &who, &ignored);
    (void)err_set(err, RC_TRANSIENT, "an export to \"%s\" is under way (%.*s)", s->out,
                  STR_FMT(who.len ? buf_view(&who) : STR("another process")));
    buf_release(&who);
    return err_hint(err, "wait for it to end, or stop it");
}

/* For people only: a full disk must not keep a run from being looked at. */
static void sign_lock(int fd)
{
    char host[256] = "";
    struct buf text;
    buf_init(&text, 512);
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        memcpy(host, "?", 2);
    buf_addf(&text, "pid %ld on %s since ", (long)getpid(), host);
    times_add_stamp(&text, env_real.now_us(env_real.ctx));
    if (text.rc == RC_OK && ftruncate(fd, 0) == 0)
        (void)!pwrite(fd, text.p, text.len, 0);
    buf_release(&text);
}

static enum rc take_lock(struct jsonl *s, struct err *err)
{
    char path[FS_PATH];
    fs_path(path, "%s/.renorm", s->out);
    enum rc rc = fs_mkdirs(path, err);
    if (rc)
        return rc;
    fs_path(path, "%s/.renorm/lock", s->out);
    s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock_fd < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot open \"%s\"", path);
    if (flock(s->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return under_way(s, path, err);
        return err_errno(err, RC_TRANSIENT, errno, "cannot lock \"%s\"", path);
    }
    /* flock keeps others out; this one can be asked about without taking it */
    struct flock told = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    (void)fcntl(s->lock_fd, F_OFD_SETLK, &told);
    sign_lock(s->lock_fd);
    return RC_OK;
}

/* There is no run any more. */
static enum rc forget(struct jsonl *s, struct err *err)
{
    s->run[0] = '\0';
    s->generation = 0;
    jsonl_state_release(&s->state);
    return jsonl_state_init(&s->state, s->schema, err);
}

/* Makes `run-*` unreadable in one step, then takes its time. */
static enum rc abandon(struct jsonl *s, struct err *err)
{
    char gone[FS_PATH];
    fs_path(gone, "%s/.renorm/gone", s->out);
    enum rc rc = fs_remove(gone, err);
    if (!rc && rename(s->run, gone) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot rename \"%s\"", s->run);
    if (!rc)
        rc = fs_remove(gone, err);
    return rc ? rc : forget(s, err);
}

/* Finds the run; removes what a crash left of others. */
static enum rc find_run(struct jsonl *s, struct err *err)
{
    char dir[FS_PATH], path[FS_PATH];
    struct fs_list list = {0};
    fs_path(dir, "%s/.renorm", s->out);
    enum rc rc = fs_list(dir, &list, err);
    for (size_t i = list.n; i > 0 && !rc; i--) {
        const char *name = list.names[i - 1];
        fs_path(path, "%s/%s", dir, name);
        if (strcmp(name, "lock") == 0)
            continue;
        if (strncmp(name, "run-", 4) == 0 && !s->run[0]) {
            fs_path(s->run, "%s", path);
        } else {
            rc = fs_remove(path, err);
        }
    }
    fs_list_release(&list);
    return rc;
}

static enum rc read_logs(struct jsonl *s, struct err *err)
{
    char path[FS_PATH];
    struct fs_list list = {0};
    enum rc rc = fs_list(s->run, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        unsigned generation = 0, worker = 0;
        if (sscanf(list.names[i], "log-%u-%u", &generation, &worker) != 2)
            continue;
        fs_path(path, "%s/%s", s->run, list.names[i]);
        rc = jsonl_log_read(path, jsonl_state_apply, &s->state, err);
        if (generation > s->generation)
            s->generation = generation;
    }
    fs_list_release(&list);
    return rc;
}

static enum rc make_run(struct jsonl *s, const struct run_info *info, struct err *err)
{
    char dir[FS_PATH], path[FS_PATH];
    fs_path(dir, "%s/.renorm/fresh", s->out);
    fs_path(path, "%s/run.json", dir);
    fs_path(s->run, "%s/.renorm/run-%016" PRId64, s->out, info->now_us);
    enum rc rc = fs_remove(dir, err);
    if (!rc)
        rc = fs_mkdirs(dir, err);
    if (!rc)
        rc = fs_replace(path, buf_view(&s->identity), err);
    if (!rc)
        rc = fs_swap(dir, s->run, err);
    return rc;
}

static enum rc refuse(const struct jsonl *s, struct err *err)
{
    (void)err_context(err, "\"%s\" holds an unfinished run and cannot be resumed", s->out);
    return err_hint(err, "--restart abandons what that run has done");
}

/*
 * The ledger has been read, with `rc`. A publish that was begun is completed in any case, by
 * the run itself if it is the same. RC_USAGE: it is another run, and must stay.
 */
static enum rc decide(struct jsonl *s, const struct run_info *info, bool differs,
                      bool resumable, enum rc rc, struct err *err)
{
    bool shown = s->state.phase >= JSONL_PUBLISHING;
    bool over = s->state.phase == JSONL_PUBLISHED;
    if (rc)
        return info->restart ? abandon(s, err) : rc;
    if (shown && (differs || info->restart || over)) {
        rc = jsonl_publish_rest(s, err);
        return rc ? rc : forget(s, err);
    }
    if (!shown && (info->restart || !resumable))
        return abandon(s, err);
    return differs ? RC_USAGE : RC_OK;
}

/* What to do with the run that was found; afterwards s->run is empty if it is gone. */
static enum rc judge(struct jsonl *s, const struct run_info *info, struct jsonl_identity *old,
                     struct err *err)
{
    char path[FS_PATH];
    struct buf stored;
    buf_init(&stored, BUF_NO_LIMIT);
    fs_path(path, "%s/run.json", s->run);
    enum rc rc = fs_read(path, &stored, err);
    enum rc same = RC_OK;
    if (!rc)
        same = jsonl_identity_compare(buf_view(&stored), buf_view(&s->identity), old, err);
    if (rc == RC_END)
        same = err_set(err, RC_SINK, "\"%s\" is missing", path);
    if (same == RC_SINK) {
        rc = info->restart ? abandon(s, err) : refuse(s, err);
    } else if (!rc) {
        struct err why = *err;
        rc = read_logs(s, err);
        rc = decide(s, info, same != RC_OK, old->resumable, rc, err);
        if (rc == RC_USAGE && same) {
            *err = why;
            rc = refuse(s, err);
        }
        if (!rc && s->run[0]) {
            buf_clear(&s->identity);
            buf_add_str(&s->identity, buf_view(&stored));
            rc = buf_check(&s->identity, err);
        }
    }
    buf_release(&stored);
    return rc;
}

/* The folders of all streams, durable before the first file is. */
static enum rc make_folders(struct jsonl *s, struct err *err)
{
    static const char *const PARENTS[] = {"new", "candidates", "."};
    char path[FS_PATH];
    enum rc rc = RC_OK;
    for (uint32_t i = 0; i < jsonl_streams(s->schema) && !rc; i++) {
        jsonl_dir(s, i, path);
        rc = fs_mkdirs(path, err);
    }
    fs_path(path, "%s/candidates", s->run);
    if (!rc)
        rc = fs_mkdirs(path, err);
    for (size_t i = 0; i < sizeof PARENTS / sizeof PARENTS[0] && !rc; i++) {
        fs_path(path, "%s/%s", s->run, PARENTS[i]);
        rc = fs_sync_dir(path, err);
    }
    return rc;
}

static enum rc start_log(struct jsonl *s, struct err *err)
{
    char path[FS_PATH];
    s->generation++;
    fs_path(path, "%s/log-%06u-0000", s->run, s->generation);
    return jsonl_log_create(&s->log, path, 0666, err);
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
    struct jsonl_identity id = {info->now_us, info->segments, info->resumable};
    enum rc rc = jsonl_state_init(&s->state, s->schema, err);
    jsonl_identity_write(&s->identity, info);
    if (!rc)
        rc = buf_check(&s->identity, err);
    if (!rc)
        rc = check_target(s->out, err);
    if (!rc)
        rc = take_lock(s, err);
    if (!rc)
        rc = find_run(s, err);
    struct jsonl_identity old = id;
    if (!rc && s->run[0])
        rc = judge(s, info, &old, err);
    bool resumed = s->run[0];
    if (!rc)
        rc = check_entries(s, err);
    if (!rc && !resumed)
        rc = make_run(s, info, err);
    if (!rc)
        rc = start_log(s, err);
    s->next_file = s->state.last_file;
    if (!rc && s->state.phase < JSONL_PUBLISHING)
        rc = make_folders(s, err);
    if (!rc && s->state.phase < JSONL_PUBLISHING)
        rc = jsonl_recover(s, err);
    return rc ? rc : fill_state(s, resumed, resumed ? &old : &id, state, err);
}
