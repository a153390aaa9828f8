/* SPDX-License-Identifier: MIT */
/*
 * From what the operator named (files, folders, an export, standard input) to the list of
 * inputs: found, looked at, checked against manifests, in a fixed order.
 */
#ifndef SOURCE_INPUTS_H
#define SOURCE_INPUTS_H

#include "pipeline/base/arena.h"
#include "pipeline/source/inflate.h"

struct inputs {
    struct arena arena; /* paths and descriptions */
    struct input *list;
    struct inflate **opened; /* of pipes only: already looked into; owned */
    size_t n, cap;
    const atomic_bool *stop;   /* see struct input */
    const char *export_arn;    /* of the one export, or NULL */
    size_t left_out;           /* files in folders that are not read */
    const char *left_out_name; /* the first of them, or NULL */
};

void inputs_init(struct inputs *ins);
void inputs_release(struct inputs *ins);

/* Adds a file, "-", or all that a folder holds. */
enum rc inputs_add(struct inputs *ins, const char *path, struct err *err) MUST_CHECK;

/* Counts a file that is not read. */
enum rc inputs_leave_out(struct inputs *ins, const char *path, struct err *err) MUST_CHECK;

/* Adds one file, from a manifest if `listed` is not NULL. For the finders of folders. */
struct manifest_file;
enum rc inputs_add_file(struct inputs *ins, const char *path,
                        const struct manifest_file *listed, struct err *err) MUST_CHECK;

#endif
