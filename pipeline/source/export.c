/* SPDX-License-Identifier: MIT */
/*
 * Exports are moved and renamed, so data files are looked for by name in "data" beside the
 * manifests, wherever their keys say they once were. The checksums beside the manifests are
 * compared where they were kept.
 */
#include "pipeline/source/export.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/base/map.h"
#include "pipeline/source/manifest.h"

enum { MANIFEST_MAX = 512 << 20, CHUNK = 64 << 10 };

/* Reads a whole file. *there: it exists. */
static enum rc read_file(const char *path, struct buf *out, bool *there, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *there = fd >= 0;
    if (fd < 0 && errno == ENOENT)
        return RC_OK;
    if (fd < 0)
        return err_errno(err, RC_SOURCE, errno, "cannot open \"%s\"", path);
    ssize_t n = 1;
    int code = 0;
    while (n != 0 && code == 0 && buf_room(out, CHUNK)) {
        n = read(fd, out->p + out->len, CHUNK);
        if (n > 0) {
            out->len += (size_t)n;
        } else if (n < 0 && errno != EINTR) {
            code = errno;
        }
    }
    (void)close(fd);
    if (code)
        return err_errno(err, RC_SOURCE, code, "cannot read \"%s\"", path);
    return buf_check(out, err);
}

static enum rc check_md5(const char *folder, const char *name, struct str text, struct err *err)
{
    struct buf path, sum;
    bool there = false;
    buf_init(&path, BUF_NO_LIMIT);
    buf_init(&sum, MANIFEST_MAX);
    buf_addf(&path, "%s/%s.md5", folder, name);
    enum rc rc = read_file(buf_cstr(&path), &sum, &there, err);
    if (!rc && there && !manifest_md5_matches(buf_view(&sum), text)) {
        rc = err_set(err, RC_SOURCE, "\"%s/%s.json\" does not match \"%s.md5\" beside it",
                     folder, name, name);
        (void)err_hint(err, "copy the export again");
    }
    buf_release(&path);
    buf_release(&sum);
    return rc;
}

/* Reads a manifest and compares it with the checksum beside it. */
static enum rc read_manifest(const char *folder, const char *name, struct buf *path,
                             struct buf *text, struct err *err)
{
    bool there = false;
    buf_addf(path, "%s/%s.json", folder, name);
    enum rc rc = read_file(buf_cstr(path), text, &there, err);
    if (!rc && !there) {
        rc = err_set(err, RC_SOURCE, "\"%s\" is missing", buf_cstr(path));
        (void)err_hint(err, "copy the export again");
    }
    return rc ? rc : check_md5(folder, name, buf_view(text), err);
}

static enum rc read_manifests(const char *folder, struct arena *a, struct manifest *m,
                              struct err *err)
{
    struct buf paths[2], texts[2];
    for (int i = 0; i < 2; i++) {
        buf_init(&paths[i], BUF_NO_LIMIT);
        buf_init(&texts[i], MANIFEST_MAX);
    }
    enum rc rc = read_manifest(folder, "manifest-summary", &paths[0], &texts[0], err);
    if (!rc)
        rc = manifest_summary(buf_view(&texts[0]), buf_cstr(&paths[0]), a, m, err);
    if (!rc)
        rc = read_manifest(folder, "manifest-files", &paths[1], &texts[1], err);
    if (!rc)
        rc = manifest_files(buf_view(&texts[1]), buf_cstr(&paths[1]), a, m, err);
    for (int i = 0; i < 2; i++) {
        buf_release(&paths[i]);
        buf_release(&texts[i]);
    }
    return rc;
}

static int not_hidden(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* A file in "data" that no manifest lists is not part of the export. */
static enum rc no_extra(const struct manifest *m, const char *data, struct err *err)
{
    struct dirent **entries = NULL;
    struct map listed;
    enum rc rc = RC_OK;
    map_init(&listed);
    for (size_t i = 0; i < m->nfiles && !rc; i++) {
        if (map_put(&listed, m->files[i].name, (uint32_t)i) != RC_OK)
            rc = err_nomem(err);
    }
    int n = rc ? 0 : scandir(data, &entries, not_hidden, alphasort);
    if (n < 0 && m->nfiles > 0)
        rc = err_errno(err, RC_SOURCE, errno, "cannot list \"%s\"", data);
    for (int i = 0; i < n; i++) {
        if (!rc && map_get(&listed, str_of(entries[i]->d_name)) == MAP_NONE) {
            rc = err_set(err, RC_SOURCE, "\"%s/%s\" is not listed in the export's manifest",
                         data, entries[i]->d_name);
            (void)err_hint(err, "move it away, or copy the export again");
        }
        free(entries[i]);
    }
    free(entries);
    map_release(&listed);
    return rc;
}

static enum rc add_listed(struct inputs *ins, const struct manifest_file *f, const char *data,
                          struct err *err)
{
    struct buf path;
    struct stat st;
    buf_init(&path, BUF_NO_LIMIT);
    buf_addf(&path, "%s/%.*s", data, STR_FMT(f->name));
    enum rc rc = buf_check(&path, err);
    if (!rc && stat(buf_cstr(&path), &st) != 0) {
        rc = err_errno(err, RC_SOURCE, errno, "\"%s\" is listed in the export's manifest",
                       buf_cstr(&path));
        (void)err_hint(err, "copy the export again");
    }
    if (!rc)
        rc = inputs_add_file(ins, buf_cstr(&path), f, err);
    if (rc == RC_USAGE)
        rc = err->rc = RC_SOURCE; /* the operator named an export, not this file */
    buf_release(&path);
    return rc;
}

enum rc export_add(struct inputs *ins, const char *folder, struct err *err)
{
    struct manifest m = {0};
    struct buf data;
    buf_init(&data, BUF_NO_LIMIT);
    buf_addf(&data, "%s/data", folder);
    enum rc rc = buf_check(&data, err);
    if (!rc)
        rc = read_manifests(folder, &ins->arena, &m, err);
    for (size_t i = 0; i < m.nfiles && !rc; i++)
        rc = add_listed(ins, &m.files[i], buf_cstr(&data), err);
    if (!rc)
        rc = no_extra(&m, buf_cstr(&data), err);
    if (!rc)
        ins->export_arn = m.export_arn.p;
    buf_release(&data);
    return rc;
}
