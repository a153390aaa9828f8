/* SPDX-License-Identifier: MIT */
/*
 * What may lie in `.renorm`: files and folders under the names that renorm gives them, and nothing
 * else. It is looked at before the first is touched, and a run once more before it is removed, so
 * whoever put something else there finds it again.
 */
#include <errno.h>

#include "sinks/store/folder/folder_private.h"
#include "sinks/store/fs_at.h"

enum level { LEVEL_RUNS, LEVEL_RUN, LEVEL_ROOM, LEVEL_PARTS };

static const char DIGITS[] = "0123456789-";

static enum rc not_ours(const char *path, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s\" was not written by renorm", path);
    return err_hint(err, "give a folder that is empty, new, or holds an earlier export");
}

bool folder_is_part(const char *name)
{
    size_t digits = strncmp(name, "part-", 5) == 0 ? strspn(name + 5, "0123456789") : 0;
    return digits && strcmp(name + 5 + digits, ".jsonl.zst") == 0;
}

/* The prefix, then digits, then an end that may be ".new" for a file that is not whole yet. */
static bool is_numbered(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) != 0)
        return false;
    const char *end = name + n + strspn(name + n, DIGITS);
    return *end == '\0' || strcmp(end, ".new") == 0;
}

static bool is_any(const char *name, const char *const *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, of[i]) == 0)
            return true;
    }
    return false;
}

/* As tmp_file_open calls what a crash may leave. */
static bool is_temporary(const char *name)
{
    return strncmp(name, "tmp-", 4) == 0 && strspn(name + 4, "0123456789abcdef") == 8 &&
           name[12] == '\0';
}

static bool is_our_file(enum level level, const char *name)
{
    static const char *const RUN[] = {"run.json", "run.json.new", "manifest.json",
                                      "manifest.json.new"};
    switch (level) {
    case LEVEL_RUNS:
        return strcmp(name, "lock") == 0 || is_numbered(name, "made-");
    case LEVEL_RUN:
        return is_any(name, RUN, sizeof RUN / sizeof RUN[0]) || is_numbered(name, "log-") ||
               is_temporary(name);
    case LEVEL_ROOM:
        return false;
    case LEVEL_PARTS:
        return folder_is_part(name);
    }
    return false;
}

static bool is_our_folder(enum level level, const char *name)
{
    if (level == LEVEL_RUNS) {
        return is_numbered(name, "run-") || strcmp(name, "fresh") == 0 ||
               strcmp(name, "gone") == 0;
    }
    if (level == LEVEL_RUN) {
        return strcmp(name, "new") == 0 || strcmp(name, "candidates") == 0 ||
               strcmp(name, "spill") == 0;
    }
    return level == LEVEL_ROOM;
}

static enum rc check_below(const char *path, enum level level, struct err *err);

/* `path` ends in `name`. What went away meanwhile is fine. */
static enum rc check_one(const char *path, const char *name, enum level level, struct err *err)
{
    struct stat st;
    if (fs_at_stat(path, &st) != 0) {
        return errno == ENOENT ? RC_OK
                               : err_errno(err, RC_TRANSIENT, errno, "cannot use \"%s\"", path);
    }
    if (S_ISREG(st.st_mode) && is_our_file(level, name))
        return RC_OK;
    if (S_ISDIR(st.st_mode) && is_our_folder(level, name))
        return check_below(path, level + 1, err);
    return not_ours(path, err);
}

static enum rc check_below(const char *path, enum level level, struct err *err)
{
    char entry[FS_PATH];
    struct fs_list list = {0};
    enum rc rc = fs_list(path, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        fs_path(entry, "%s/%s", path, list.names[i]);
        rc = check_one(entry, list.names[i], level, err);
    }
    fs_list_release(&list);
    return rc == RC_NONE ? RC_OK : rc;
}

enum rc folder_check_own(const char *out, struct err *err)
{
    char path[FS_PATH];
    struct stat st;
    fs_path(path, "%s/.renorm", out);
    if (fs_at_stat(path, &st) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot use \"%s\"", path);
    return S_ISDIR(st.st_mode) ? check_below(path, LEVEL_RUNS, err) : not_ours(path, err);
}

enum rc folder_check_run(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    return check_one(path, slash ? slash + 1 : path, LEVEL_RUNS, err);
}
