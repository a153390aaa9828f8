/* SPDX-License-Identifier: MIT */
/*
 * The two manifests of a DynamoDB export to S3: the summary (one object) and the list of data
 * files (one object a line). Pure: text in, checked values out.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
 */
#ifndef SOURCE_MANIFEST_H
#define SOURCE_MANIFEST_H

#include <stdint.h>

#include "pipeline/base/arena.h"
#include "pipeline/base/err.h"

struct manifest_file {
    struct str key;  /* dataFileS3Key, from the bucket's root */
    struct str name; /* its last part: a plain file name */
    uint64_t items;
    unsigned char md5[16]; /* of the packed bytes */
};

struct manifest {
    struct str export_arn, table_arn, table_id, time;
    uint64_t items;
    struct manifest_file *files; /* in the manifest's order */
    size_t nfiles;
};

/*
 * Strings live in `a`. RC_USAGE: an export of a kind that is not read (Ion, incremental);
 * RC_SOURCE: not a manifest. `name` is for the messages.
 */
enum rc manifest_summary(struct str text, const char *name, struct arena *a,
                         struct manifest *out, struct err *err) MUST_CHECK;

/* After manifest_summary: the list; its item counts must add up to the summary's. */
enum rc manifest_files(struct str text, const char *name, struct arena *a, struct manifest *out,
                       struct err *err) MUST_CHECK;

/* True if text (24 base64 characters, white space around them) is the MD5 of `of`. */
bool manifest_md5_matches(struct str text, struct str of);

/* 24 base64 characters to 16 bytes. */
bool manifest_md5(struct str text, unsigned char md5[16]);

#endif
