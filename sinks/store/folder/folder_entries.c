/* SPDX-License-Identifier: MIT */
/*
 * What a folder may hold: a swap moves whole folders away and removes them, so nothing is
 * touched in a place where somebody else's file lies.
 */
#include <errno.h>

#include "sinks/store/folder/folder_private.h"
#include "sinks/store/folder/manifest_folders.h"
#include "sinks/store/fs_at.h"

static enum rc not_ours(const char *out, const char *name, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s/%s\" was not written by renorm", out, name);
    return err_hint(err, "give a folder that is empty, new, or holds an earlier export");
}

/* A folder that is not empty must carry our mark. */
enum rc folder_check_target(const char *out, struct err *err)
{
    struct stat st;
    struct fs_list list = {0}, folders = {0};
    if (stat(out, &st) != 0) {
        return errno == ENOENT ? RC_OK
                               : err_errno(err, RC_USAGE, errno, "cannot use \"%s\"", out);
    }
    if (!S_ISDIR(st.st_mode))
        return err_set(err, RC_USAGE, "\"%s\" is not a folder", out);
    enum rc rc = fs_list(out, &list, err);
    if (!rc && fs_list_has(&list, ".renorm")) {
        rc = folder_check_own(out, err);
    } else if (!rc && list.n) {
        rc = manifest_folders(out, &folders, err);
        bool bare = list.n == 1 && strcmp(list.names[0], "lost+found") == 0;
        if (rc == RC_NONE)
            rc = bare ? RC_OK : not_ours(out, list.names[0], err);
    }
    fs_list_release(&folders);
    fs_list_release(&list);
    return rc == RC_NONE ? RC_OK : rc;
}

/* A part is a file, and no link to one: what it leads to is not ours. */
static enum rc check_part(const char *dir, const char *name, struct err *err)
{
    char path[FS_PATH];
    struct stat st;
    if (!folder_is_part(name))
        return not_ours(dir, name, err);
    fs_path(path, "%s/%s", dir, name);
    if (fs_at_stat(path, &st) != 0) {
        return errno == ENOENT
                   ? RC_OK
                   : err_errno(err, RC_TRANSIENT, errno, "cannot look at \"%s\"", path);
    }
    return S_ISREG(st.st_mode) ? RC_OK : not_ours(dir, name, err);
}

static enum rc check_folder(const char *out, const char *folder, struct err *err)
{
    char path[FS_PATH];
    struct fs_list list = {0};
    struct stat st;
    fs_path(path, "%s/%s", out, folder);
    /* a swap would put a folder in the link's place, and what it leads to would be lost to sight */
    if (fs_at_stat(path, &st) != 0) {
        return errno == ENOENT
                   ? RC_OK
                   : err_errno(err, RC_TRANSIENT, errno, "cannot look at \"%s\"", path);
    }
    if (!S_ISDIR(st.st_mode))
        return not_ours(out, folder, err);
    enum rc rc = fs_list(path, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++)
        rc = check_part(path, list.names[i], err);
    fs_list_release(&list);
    return rc == RC_NONE ? RC_OK : rc;
}

static bool is_own(const char *name)
{
    static const char *const OWN[] = {".renorm", "manifest.json", "manifest.json.new",
                                      "lost+found"};
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) {
        if (strcmp(name, OWN[i]) == 0)
            return true;
    }
    return false;
}

static enum rc check_entry(const char *out, const char *name, const struct fs_list *folders,
                           const struct folder_plan *plan, struct err *err)
{
    if (is_own(name))
        return RC_OK;
    if (fs_list_has(folders, name) || folder_plan_has(plan, name))
        return check_folder(out, name, err);
    return not_ours(out, name, err);
}

/* Every entry must be one of a finished run, or of one that was being shown. */
enum rc folder_check(struct store *s, struct str plan, struct err *err)
{
    const char *out = folder_of(s)->out;
    struct fs_list list = {0}, folders = {0};
    struct folder_plan read = {0};
    enum rc rc = manifest_folders(out, &folders, err);
    rc = rc == RC_NONE ? RC_OK : rc;
    if (!rc)
        rc = folder_plan_read(&read, plan, err);
    if (!rc)
        rc = fs_list(out, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++)
        rc = check_entry(out, list.names[i], &folders, &read, err);
    folder_plan_release(&read);
    fs_list_release(&folders);
    fs_list_release(&list);
    return rc;
}
