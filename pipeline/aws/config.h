/* SPDX-License-Identifier: MIT */
/*
 * The shared AWS files (config and credentials): sections, keys, one level of nesting. Both
 * files are read into one list; looking up decides which wins. The texts hold secrets, so
 * they live in buffers that are wiped.
 * https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 */
#ifndef AWS_CONFIG_H
#define AWS_CONFIG_H

#include "pipeline/aws/vars.h"
#include "pipeline/base/buf.h"

enum aws_section { AWS_PROFILE, AWS_SSO_SESSION, AWS_SERVICES, AWS_OTHER_SECTION };

struct aws_setting {
    enum aws_section kind;
    bool from_credentials; /* of the credentials file, which wins */
    struct str section;    /* the profile's, session's or services' name */
    struct str parent;     /* the key a nested one stands under, or empty */
    struct str key, value;
    int line;
    int section_line; /* where its section begins */
};

struct aws_config {
    struct buf config_text, credentials_text;
    struct buf config_path, credentials_path; /* where they were looked for */
    struct aws_setting *settings;
    size_t n, cap;
};

void aws_config_init(struct aws_config *c);

/* Wipes. */
void aws_config_release(struct aws_config *c);

/*
 * Reads the files that AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name, or those in
 * ~/.aws; absent ones are empty. A line that is none is an error with file and line.
 */
enum rc aws_config_load(struct aws_config *c, const struct vars *vars,
                        struct err *err) MUST_CHECK;

/* Adds the settings of a text, which must stay in place. `path` is for messages. */
enum rc aws_config_parse(struct aws_config *c, struct str text, bool credentials,
                         const char *path, struct err *err) MUST_CHECK;

bool aws_config_has(const struct aws_config *c, enum aws_section kind, struct str name);

/* The last one in the credentials file, else the last one in the config file; n = 0: none.
 * Keys compare without case. Borrowed. */
struct str aws_config_get(const struct aws_config *c, enum aws_section kind, struct str name,
                          const char *key);

/* The same for `parent = \n  key = value`. */
struct str aws_config_nested(const struct aws_config *c, enum aws_section kind, struct str name,
                             const char *parent, const char *key);

/* As aws_config_get, from one of the two files only. */
struct str aws_config_get_from(const struct aws_config *c, bool credentials, struct str profile,
                               const char *key);

#endif
