/* SPDX-License-Identifier: MIT */
/*
 * Manifests are small (one line per data file), so they are parsed with yyjson. Keys come from
 * outside: only the last part of a data file's key is used, and only if it is a plain name.
 */
#include "pipeline/source/files/find/export_manifest.h"

#include <openssl/evp.h>
#include <yyjson.h>

#include "pipeline/base/map.h"
#include "pipeline/source/files/format/chars.h"

static struct str text_of(yyjson_val *object, const char *name)
{
    yyjson_val *v = yyjson_obj_get(object, name);
    return str_make(yyjson_get_str(v), yyjson_get_len(v) * yyjson_is_str(v));
}

static bool count_of(yyjson_val *object, const char *name, uint64_t *out)
{
    yyjson_val *v = yyjson_obj_get(object, name);
    *out = yyjson_get_uint(v);
    return yyjson_is_uint(v);
}

static enum rc copy(struct arena *a, struct str from, struct str *to, struct err *err)
{
    *to = arena_dup(a, from);
    return to->p ? RC_OK : err_nomem(err);
}

static enum rc kind_is_ours(yyjson_val *root, const char *name, struct err *err)
{
    struct str format = text_of(root, "outputFormat");
    if (format.n && !str_is(format, "DYNAMODB_JSON")) {
        (void)err_set(err, RC_USAGE, "\"%s\": the export's format is \"%.*s\"", name,
                      STR_FMT(format));
        return err_hint(err, "export the table again with the format DynamoDB JSON");
    }
    struct str type = text_of(root, "exportType");
    if (str_is(type, "INCREMENTAL_EXPORT") || text_of(root, "outputView").n) {
        (void)err_set(err, RC_USAGE, "\"%s\": an incremental export holds changes, not items",
                      name);
        return err_hint(err, "give a full export of the table");
    }
    return RC_OK;
}

static enum rc read_summary(yyjson_val *root, const char *name, struct arena *a,
                            struct export_manifest *out, struct err *err)
{
    enum rc rc = kind_is_ours(root, name, err);
    if (!rc && !count_of(root, "itemCount", &out->items)) {
        rc = err_set(err, RC_SOURCE, "\"%s\" has no \"itemCount\": not an export's summary",
                     name);
    }
    if (!rc)
        rc = copy(a, text_of(root, "exportArn"), &out->export_arn, err);
    if (!rc)
        rc = copy(a, text_of(root, "tableArn"), &out->table_arn, err);
    if (!rc)
        rc = copy(a, text_of(root, "tableId"), &out->table_id, err);
    if (!rc)
        rc = copy(a, text_of(root, "exportTime"), &out->time, err);
    return rc;
}

enum rc export_manifest_summary(struct str text, const char *name, struct arena *a,
                                struct export_manifest *out, struct err *err)
{
    *out = (struct export_manifest){0};
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    enum rc rc;
    if (doc && yyjson_is_obj(yyjson_doc_get_root(doc))) {
        rc = read_summary(yyjson_doc_get_root(doc), name, a, out, err);
    } else {
        rc = err_set(err, RC_SOURCE, "\"%s\" is not a JSON object: damaged or cut short", name);
    }
    yyjson_doc_free(doc);
    return rc;
}

static bool export_manifest_md5(struct str text, unsigned char md5[16])
{
    unsigned char out[18];
    if (text.n != 24 || !str_ends(text, STR("==")) || memchr(text.p, '=', 22))
        return false;
    if (EVP_DecodeBlock(out, (const unsigned char *)text.p, 24) != (int)sizeof out)
        return false;
    memcpy(md5, out, 16);
    return true;
}

bool export_manifest_md5_matches(struct str text, struct str of)
{
    unsigned char want[16], have[EVP_MAX_MD_SIZE];
    while (text.n && char_blank(text.p[text.n - 1]))
        text.n--;
    if (!export_manifest_md5(text, want))
        return false;
    return EVP_Digest(of.p, of.n, have, NULL, EVP_md5(), NULL) == 1 &&
           memcmp(want, have, sizeof want) == 0;
}

/* The last part of a key, if it is a name that can only lie inside its folder. */
static struct str plain_name(struct str key)
{
    size_t start = key.n;
    while (start > 0 && key.p[start - 1] != '/')
        start--;
    struct str name = str_from(key, start);
    if (name.n == 0 || name.p[0] == '.' || memchr(name.p, '\0', name.n))
        return (struct str){0};
    return name;
}

static enum rc read_file(yyjson_val *v, struct arena *a, struct export_manifest_file *out,
                         struct err *err)
{
    if (!count_of(v, "itemCount", &out->items))
        return err_set(err, RC_SOURCE, "no \"itemCount\"");
    if (!export_manifest_md5(text_of(v, "md5Checksum"), out->md5))
        return err_set(err, RC_SOURCE, "no \"md5Checksum\" of 24 base64 characters");
    enum rc rc = copy(a, text_of(v, "dataFileS3Key"), &out->key, err);
    if (rc)
        return rc;
    out->name = plain_name(out->key);
    return out->name.n ? RC_OK
                       : err_set(err, RC_SOURCE, "no \"dataFileS3Key\" that names a file");
}

static enum rc read_line(struct str line, struct arena *a, struct export_manifest *out,
                         struct err *err)
{
    yyjson_doc *doc = yyjson_read(line.p, line.n, 0);
    enum rc rc = RC_OK;
    if (doc) {
        rc = read_file(yyjson_doc_get_root(doc), a, &out->files[out->nfiles], err);
    } else {
        rc = err_set(err, RC_SOURCE, "not JSON: damaged or cut short");
    }
    yyjson_doc_free(doc);
    out->nfiles += !rc;
    return rc;
}

static bool is_blank(struct str line)
{
    size_t i = 0;
    while (i < line.n && char_blank(line.p[i]))
        i++;
    return i == line.n;
}

static enum rc adds_up(const struct export_manifest *m, const char *name, struct err *err)
{
    uint64_t sum = 0;
    enum rc rc = RC_OK;
    struct map seen;
    map_init(&seen);
    for (size_t i = 0; i < m->nfiles && !rc; i++) {
        sum += m->files[i].items;
        if (map_get(&seen, m->files[i].name) != MAP_NONE) {
            rc = err_set(err, RC_SOURCE, "\"%s\" lists \"%.*s\" twice", name,
                         STR_FMT(m->files[i].name));
        } else if (map_put(&seen, m->files[i].name, (uint32_t)i)) {
            rc = err_nomem(err);
        }
    }
    if (!rc && sum != m->items) {
        rc =
            err_set(err, RC_SOURCE, "\"%s\" lists files with %llu items, the summary says %llu",
                    name, (unsigned long long)sum, (unsigned long long)m->items);
        (void)err_hint(err, "copy the export again");
    }
    map_release(&seen);
    return rc;
}

enum rc export_manifest_files(struct str text, const char *name, struct arena *a,
                              struct export_manifest *out, struct err *err)
{
    size_t lines = 1;
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    out->nfiles = 0;
    out->files = arena_array(a, lines, sizeof *out->files);
    if (!out->files)
        return err_nomem(err);
    size_t number = 0;
    while (text.n) {
        const char *nl = memchr(text.p, '\n', text.n);
        struct str line = str_make(text.p, nl ? (size_t)(nl - text.p) : text.n);
        text = str_from(text, nl ? line.n + 1 : line.n);
        number++;
        if (is_blank(line))
            continue;
        if (read_line(line, a, out, err))
            return err_context(err, "\"%s\" line %zu", name, number);
    }
    return adds_up(out, name, err);
}
