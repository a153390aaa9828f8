/* SPDX-License-Identifier: MIT */
/*
 * Exports are moved and renamed, so data files are looked for by name in "data" beside the
 * manifests, wherever their keys say they once were. The checksums beside the manifests are
 * compared where they were kept.
 */
#include "pipeline/source/files/find/export_folder.h"

#include <errno.h>

#include "pipeline/base/map.h"
#include "pipeline/source/files/find/export_manifest.h"

enum { MANIFEST_MAX = 512 << 20 };

static enum rc check_md5(const struct origin *o, const char *folder, const char *name,
                         struct str text, struct err *err)
{
    struct buf path, sum;
    buf_init(&path, BUF_NO_LIMIT);
    buf_init(&sum, MANIFEST_MAX);
    buf_addf(&path, "%s/%s.md5", folder, name);
    enum rc rc = origin_read(o, buf_cstr(&path), &sum, err);
    if (!rc && !export_manifest_md5_matches(buf_view(&sum), text)) {
        rc = err_set(err, RC_SOURCE, "\"%s/%s.json\" does not match \"%s.md5\" beside it",
                     folder, name, name);
        (void)err_hint(err, "copy the export again");
    }
    buf_release(&path);
    buf_release(&sum);
    return rc == RC_NONE ? RC_OK : rc;
}

/* Reads a manifest and compares it with the checksum beside it. */
static enum rc read_manifest(const struct origin *o, const char *folder, const char *name,
                             struct buf *path, struct buf *text, struct err *err)
{
    buf_addf(path, "%s/%s.json", folder, name);
    enum rc rc = origin_read(o, buf_cstr(path), text, err);
    if (rc == RC_NONE) {
        rc = err_set(err, RC_SOURCE, "\"%s\" is missing", buf_cstr(path));
        (void)err_hint(err, "copy the export again");
    }
    return rc ? rc : check_md5(o, folder, name, buf_view(text), err);
}

static enum rc read_manifests(const struct origin *o, const char *folder, struct arena *a,
                              struct export_manifest *m, struct err *err)
{
    struct buf paths[2], texts[2];
    for (int i = 0; i < 2; i++) {
        buf_init(&paths[i], BUF_NO_LIMIT);
        buf_init(&texts[i], MANIFEST_MAX);
    }
    enum rc rc = read_manifest(o, folder, "manifest-summary", &paths[0], &texts[0], err);
    if (!rc)
        rc = export_manifest_summary(buf_view(&texts[0]), buf_cstr(&paths[0]), a, m, err);
    if (!rc)
        rc = read_manifest(o, folder, "manifest-files", &paths[1], &texts[1], err);
    if (!rc)
        rc = export_manifest_files(buf_view(&texts[1]), buf_cstr(&paths[1]), a, m, err);
    for (int i = 0; i < 2; i++) {
        buf_release(&paths[i]);
        buf_release(&texts[i]);
    }
    return rc;
}

struct listed {
    const char *data;
    struct map names;
};

/* A file in "data" that no manifest lists is not part of the export. ctx is a struct listed. */
static enum rc refuse_extra(void *ctx, const char *path, struct err *err)
{
    const struct listed *l = ctx;
    struct str name = str_from(str_of(path), strlen(l->data) + 1);
    if (map_get(&l->names, name) != MAP_NONE)
        return RC_OK;
    (void)err_set(err, RC_SOURCE, "\"%s\" is not listed in the export's manifest", path);
    return err_hint(err, "move it away, or copy the export again");
}

static enum rc no_extra(const struct origin *o, const struct export_manifest *m,
                        const char *data, struct err *err)
{
    struct listed l = {.data = data};
    struct bytes_facts facts;
    map_init(&l.names);
    enum rc rc = o->ops->look(o, data, &facts, err);
    for (size_t i = 0; i < m->nfiles && !rc; i++) {
        if (map_put(&l.names, m->files[i].name, (uint32_t)i))
            rc = err_nomem(err);
    }
    if (!rc)
        rc = o->ops->walk(o, data, refuse_extra, &l, err);
    if (rc == RC_AUTH)
        rc = RC_OK; /* who may read the objects of a bucket need not be allowed to list them */
    if (rc == RC_USAGE)
        rc = err->rc = RC_SOURCE; /* the operator named an export, not this folder */
    map_release(&l.names);
    return rc == RC_NONE ? RC_OK : rc; /* an export of no items has no such folder */
}

static enum rc add_listed(struct inputs *ins, const struct export_manifest_file *f,
                          const char *data, struct err *err)
{
    struct buf path;
    struct bytes_facts facts;
    buf_init(&path, BUF_NO_LIMIT);
    buf_addf(&path, "%s/%.*s", data, STR_FMT(f->name));
    enum rc rc = buf_check(&path, err);
    if (!rc)
        rc = ins->origin->ops->look(ins->origin, buf_cstr(&path), &facts, err);
    if (rc == RC_NONE) {
        rc = err_errno(err, RC_SOURCE, ENOENT, "\"%s\" is listed in the export's manifest",
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

/* Tells the origin which data files are read, in which order. */
static enum rc foretell(struct inputs *ins, const struct export_manifest *m, const char *data,
                        struct err *err)
{
    const char **names = arena_array(&ins->arena, m->nfiles, sizeof *names);
    struct buf path;
    enum rc rc = names ? RC_OK : err_nomem(err);
    buf_init(&path, BUF_NO_LIMIT);
    for (size_t i = 0; names && i < m->nfiles && !rc; i++) {
        buf_clear(&path);
        buf_addf(&path, "%s/%.*s", data, STR_FMT(m->files[i].name));
        names[i] = path.rc ? NULL : arena_cstr(&ins->arena, buf_view(&path));
        rc = names[i] ? RC_OK : err_nomem(err);
    }
    if (!rc)
        origin_foretell(ins->origin, names, m->nfiles);
    buf_release(&path);
    return rc;
}

enum rc export_add(struct inputs *ins, const char *folder, struct err *err)
{
    struct export_manifest m = {0};
    struct buf data;
    buf_init(&data, BUF_NO_LIMIT);
    buf_addf(&data, "%s/data", folder);
    enum rc rc = buf_check(&data, err);
    if (!rc)
        rc = read_manifests(ins->origin, folder, &ins->arena, &m, err);
    if (!rc && ins->origin->ops->foretell)
        rc = foretell(ins, &m, buf_cstr(&data), err);
    for (size_t i = 0; i < m.nfiles && !rc; i++)
        rc = add_listed(ins, &m.files[i], buf_cstr(&data), err);
    if (!rc)
        rc = no_extra(ins->origin, &m, buf_cstr(&data), err);
    if (!rc) {
        ins->export_arn = m.export_arn.p;
        ins->export_time = m.time;
    }
    origin_foretell(ins->origin, NULL, 0);
    buf_release(&data);
    return rc;
}
