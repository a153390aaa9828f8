/* SPDX-License-Identifier: MIT */
/*
 * The two manifests of a DynamoDB export to S3: the summary (one object) and the list of data
 * files (one object a line). Pure: text in, checked values out.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
 */
#ifndef FILES_FIND_EXPORT_MANIFEST_H
#define FILES_FIND_EXPORT_MANIFEST_H

#include <stdint.h>

#include "pipeline/base/arena.h"
#include "pipeline/base/err.h"

struct export_manifest_file {
    struct str key;  /* dataFileS3Key, from the bucket's root */
    struct str name; /* its last part: a plain file name */
    uint64_t items;
    unsigned char md5[16]; /* of the packed bytes */
};

struct export_manifest {
    struct str export_arn, table_arn, table_id, time;
    uint64_t items;
    struct export_manifest_file *files; /* in the manifest's order */
    size_t nfiles;
};

/*
 * Strings live in `a`. RC_USAGE: an export of a kind that is not read (Ion, incremental);
 * RC_SOURCE: not a manifest. `name` is for the messages.
 */
enum rc export_manifest_summary(struct str text, const char *name, struct arena *a,
                                struct export_manifest *out, struct err *err) MUST_CHECK;

/* After export_manifest_summary: the list; its item counts must add up to the summary's. */
enum rc export_manifest_files(struct str text, const char *name, struct arena *a,
                              struct export_manifest *out, struct err *err) MUST_CHECK;

/* True if text (24 base64 characters, white space around them) is the MD5 of `of`. */
bool export_manifest_md5_matches(struct str text, struct str of);

#endif
