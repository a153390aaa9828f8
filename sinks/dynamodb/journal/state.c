/* SPDX-License-Identifier: MIT */
/*
 * The folder belongs to one table for good. A pass is chosen under the lock and written down,
 * with its generation counted, before anything is sent in its name: so no two processes ever
 * write to the same log.
 */
#include "sinks/dynamodb/journal/state.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/dynamodb/journal/state_file.h"
#include "sinks/store/file_lock.h"
#include "sinks/store/fs_at.h"

static bool ours(const char *name)
{
    static const char *const OWN[] = {"lock",       "log",          "state.json.new",
                                      "lost+found", "listed.jsonl", "listed.jsonl.new"};
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) {
        if (strcmp(name, OWN[i]) == 0)
            return true;
    }
    return false;
}

/* Before anything is made: a folder that holds other things without our file is not ours. */
static enum rc check_folder(const char *dir, bool *there, struct err *err)
{
    struct stat st;
    struct fs_list list = {0};
    *there = stat(dir, &st) == 0;
    if (!*there && errno == ENOENT)
        return RC_OK;
    if (!*there)
        return err_errno(err, RC_USAGE, errno, "cannot use '%s'", dir);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, RC_USAGE, "'%s' is not a folder", dir);
    enum rc rc = fs_list(dir, &list, err);
    const char *strange = NULL;
    bool named = false;
    for (size_t i = 0; i < list.n; i++) {
        named = named || strcmp(list.names[i], "state.json") == 0;
        if (!strange && !ours(list.names[i]))
            strange = list.names[i];
    }
    if (!rc && strange && !named) {
        (void)err_set(err, RC_USAGE, "'%s/%s' was not written by renorm", dir, strange);
        rc = err_hint(err, "give a folder that is empty, new, or a backfill's state");
    }
    fs_list_release(&list);
    return rc;
}

static enum rc nothing_to_undo(const char *dir, const char *why, struct err *err)
{
    (void)err_set(err, RC_USAGE, "nothing to undo in '%s': %s", dir, why);
    return err_hint(err, "name the state folder of the backfill that is to be undone");
}

static enum rc make_private(const char *path, struct err *err)
{
    if (fs_at_mkdir(path, 0700) != 0 && errno != EEXIST)
        return err_errno(err, RC_TRANSIENT, errno, "cannot make the folder '%s'", path);
    return RC_OK;
}

/* Is there something of another kind under that name, such as a link? `path` becomes its own. */
static bool is_other(char path[FS_PATH], const char *dir, const char *name, bool folder)
{
    struct stat st;
    fs_path(path, STATE_OWN "%s", dir, name);
    return fs_at_stat(path, &st) == 0 && !(folder ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode));
}

/* In the folder of logs there are files alone. */
static bool has_other_logs(char path[FS_PATH], const char *dir)
{
    struct fs_list list = {0};
    struct err ignored;
    char name[FS_PATH];
    bool strange = false;
    fs_path(path, STATE_OWN "log", dir);
    if (fs_list(path, &list, &ignored))
        return false;
    for (size_t i = 0; i < list.n && !strange; i++) {
        fs_path(name, "log/%s", list.names[i]);
        strange = is_other(path, dir, name, false);
    }
    fs_list_release(&list);
    return strange;
}

/* The user's name for the folder may be a link; what lies in it is ours and is none. */
static enum rc check_own(const char *dir, struct err *err)
{
    static const char *const FILES[] = {"lock", "state.json", "state.json.new", "listed.jsonl",
                                        "listed.jsonl.new"};
    char path[FS_PATH];
    bool strange = false;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0] && !strange; i++)
        strange = is_other(path, dir, FILES[i], false);
    if (!strange)
        strange = is_other(path, dir, "log", true) || has_other_logs(path, dir);
    if (!strange)
        return RC_OK;
    (void)err_set(err, RC_USAGE, "'%s/%s' was not written by renorm", dir,
                  strstr(path, OWN_PLACE_MARK) + strlen(OWN_PLACE_MARK));
    return err_hint(err, "give a folder that is empty, new, or a backfill's state");
}

/* The parents as the user's umask says, the folder and its logs for its owner alone. */
static enum rc make_folders(const char *dir, struct err *err)
{
    char path[FS_PATH];
    enum rc rc = RC_OK;
    fs_path(path, "%s", dir);
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = '\0';
    char *slash = strrchr(path, '/');
    if (slash && slash != path) {
        *slash = '\0';
        rc = fs_mkdirs(path, err);
        *slash = '/';
    }
    if (!rc)
        rc = make_private(path, err);
    fs_path(path, STATE_OWN "log", dir);
    if (!rc)
        rc = make_private(path, err);
    if (!rc)
        rc = fs_sync_dir(dir, err);
    fs_path(path, "%s/..", dir);
    return rc ? rc : fs_sync_dir(path, err);
}

static enum rc under_way(const struct state *s, const char *path, struct err *err)
{
    struct buf who;
    buf_init(&who, BUF_NO_LIMIT);
    file_lock_who(path, &who);
    (void)err_set(err, RC_TRANSIENT, "a backfill with the state '%s' is under way (%s)", s->dir,
                  buf_cstr(&who));
    buf_release(&who);
    return err_hint(err, "wait for it to end, or stop it");
}

static enum rc take_lock(struct state *s, struct err *err)
{
    char path[FS_PATH], text[64];
    fs_path(path, STATE_OWN "lock", s->dir);
    (void)snprintf(text, sizeof text, "pid %ld", (long)getpid());
    enum rc rc = file_lock_take(path, 0600, str_of(text), &s->lock, err);
    return rc == RC_AGAIN ? under_way(s, path, err) : rc;
}

static void start(struct state *s, const char *dir)
{
    *s = (struct state){.lock = -1};
    arena_init(&s->arena, 0);
    fs_path(s->dir, "%s", dir);
}

static enum rc load(struct state *s, struct err *err)
{
    char path[FS_PATH];
    struct buf text;
    buf_init(&text, 64 << 20);
    fs_path(path, STATE_OWN "state.json", s->dir);
    enum rc rc = fs_read(path, &text, err);
    fs_path(path, "%s/state.json", s->dir); /* for messages */
    if (!rc)
        rc = state_file_read(s, &text, path, err);
    buf_release(&text);
    return rc;
}

static enum rc check_table(struct state *s, struct str table, struct err *err)
{
    if (!s->table.n) {
        s->table = arena_dup(&s->arena, table);
        return s->table.p ? RC_OK : err_nomem(err);
    }
    if (str_eq(s->table, table))
        return RC_OK;
    (void)err_set(err, RC_USAGE, "the state '%s' belongs to another table: '%.*s', not '%.*s'",
                  s->dir, STR_FMT(s->table), STR_FMT(table));
    return err_hint(err, "give every table a --state of its own; a table that was deleted and "
                         "made again is another one");
}

static enum rc add_pass(struct state *s, const struct state_wish *wish, struct err *err)
{
    struct pass_info *p = state_file_push(s);
    if (!p)
        return err_nomem(err);
    bool undo = wish->kind == PASS_UNDO;
    p->kind = wish->kind;
    p->segments = undo ? STATE_UNDO_SEGMENTS : wish->segments;
    p->now_us = wish->now_us;
    p->model = arena_dup(&s->arena, undo ? STR("") : wish->model);
    return p->model.p ? RC_OK : err_nomem(err);
}

/* What stands in the way of the wish; only ever the last pass is unfinished. */
static enum rc refuse(const struct state *s, const struct pass_info *last, struct err *err)
{
    if (last->kind == PASS_UNDO) {
        (void)err_set(err, RC_USAGE, "the state '%s' holds an unfinished undo", s->dir);
        return err_hint(err, "go on with --undo, or abandon it with --restart");
    }
    (void)err_set(err, RC_USAGE, "the state '%s' holds an unfinished backfill by another model",
                  s->dir);
    return err_hint(err,
                    "go on with that model, put back what it wrote with --undo, or abandon "
                    "it with --restart (what it wrote stays, and can still be undone)");
}

static bool any_to_undo(const struct state *s)
{
    for (uint32_t i = 0; s->passes && i < s->n; i++) {
        if (s->passes[i].kind == PASS_FILL && !s->passes[i].undone)
            return true;
    }
    return false;
}

/* A backfill that is to be undone need not be finished first. */
static enum rc choose(struct state *s, const struct state_wish *wish, struct err *err)
{
    struct pass_info *last = s->passes && s->n ? &s->passes[s->n - 1] : NULL;
    bool open = last && !last->finished && !last->abandoned;
    bool same = open && last->kind == wish->kind && str_eq(last->model, wish->model);
    if (open && wish->kind == PASS_UNDO && last->kind == PASS_UNDO)
        same = true;
    if (same && !wish->restart)
        return RC_OK;
    if (wish->kind == PASS_UNDO && !any_to_undo(s)) {
        return nothing_to_undo(s->dir, s->n ? "all of it is undone" : "nothing was written",
                               err);
    }
    if (open && !wish->restart && wish->kind != PASS_UNDO)
        return refuse(s, last, err);
    if (open)
        last->abandoned = true;
    return add_pass(s, wish, err);
}

/* Writes state.json anew. */
static enum rc save(struct state *s, struct err *err)
{
    char path[FS_PATH];
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    state_file_write(s, &text);
    enum rc rc = buf_check(&text, err);
    fs_path(path, STATE_OWN "state.json", s->dir);
    if (!rc)
        rc = fs_replace(path, buf_view(&text), err);
    buf_release(&text);
    return rc;
}

enum rc state_open(struct state *s, const struct state_wish *wish, struct err *err)
{
    bool there = false;
    start(s, wish->dir);
    s->renorm = wish->renorm;
    enum rc rc = check_folder(s->dir, &there, err);
    if (!rc && !there && wish->kind == PASS_UNDO)
        rc = nothing_to_undo(s->dir, "there is no such folder", err);
    if (!rc)
        rc = check_own(s->dir, err);
    if (!rc)
        rc = make_folders(s->dir, err);
    if (!rc)
        rc = take_lock(s, err);
    if (!rc) {
        rc = load(s, err);
        rc = rc == RC_NONE ? RC_OK : rc;
    }
    if (!rc)
        rc = check_table(s, wish->table, err);
    if (!rc)
        rc = choose(s, wish, err);
    if (!rc) {
        state_pass(s)->generations++;
        rc = save(s, err);
    }
    if (rc)
        state_close(s);
    return rc;
}

enum rc state_look(struct state *s, const char *dir, struct err *err)
{
    start(s, dir);
    enum rc rc = load(s, err);
    if (rc)
        state_close(s);
    return rc;
}

bool state_busy(const char *dir, long *pid)
{
    char path[FS_PATH];
    fs_path(path, STATE_OWN "lock", dir);
    return file_lock_held(path, pid);
}

struct pass_info *state_pass(struct state *s)
{
    return &s->passes[s->n - 1];
}

enum rc state_finish(struct state *s, struct err *err)
{
    struct pass_info *pass = state_pass(s);
    pass->finished = true;
    for (uint32_t i = 0; i < s->n && pass->kind == PASS_UNDO; i++) {
        if (s->passes[i].kind == PASS_FILL)
            s->passes[i].undone = true;
    }
    return save(s, err);
}

void state_log_path(const struct state *s, uint32_t pass, uint32_t generation, uint32_t worker,
                    char out[FS_PATH])
{
    fs_path(out, STATE_OWN "log/%04u-%04u-%03u.log", s->dir, pass, generation, worker);
}

void state_close(struct state *s)
{
    if (s->lock >= 0)
        close(s->lock);
    s->lock = -1;
    arena_release(&s->arena);
    s->passes = NULL;
    s->n = s->cap = 0;
    s->table = (struct str){0};
}
