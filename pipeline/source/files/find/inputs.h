/* SPDX-License-Identifier: MIT */
/*
 * From what the operator named (files, folders, an export, standard input) to the list of
 * inputs: found, looked at, checked against manifests, in a fixed order.
 */
#ifndef FILES_FIND_INPUTS_H
#define FILES_FIND_INPUTS_H

#include "pipeline/base/arena.h"
#include "pipeline/source/files/inflate.h"

struct inputs {
    enum decoder_parse form;     /* of all; DECODER_TEXT: as each says */
    const struct origin *origin; /* borrowed */
    struct arena arena;          /* paths and descriptions */
    struct input *list;
    struct inflate **opened; /* of pipes only: already looked into; owned */
    size_t n, cap;
    const atomic_bool *stop;          /* see struct input */
    const char *export_arn;           /* of the one export, or NULL */
    struct str export_time;           /* its own, as its manifest writes it; may be empty */
    size_t left_out;                  /* files in folders that are not read */
    const char *left_out_name;        /* the first of them, or NULL */
    const struct source_part *part;   /* of the word that is being added */
    const struct source_part **parts; /* one for each word */
    size_t nparts, cap_parts;
    struct buf tables; /* sentences on files with several tables */
};

void inputs_init(struct inputs *ins, const struct origin *origin);
void inputs_release(struct inputs *ins);

/* Adds a file, "-", all that a folder holds, or FILE#TABLE of a Workbench file. */
enum rc inputs_add(struct inputs *ins, const char *path, struct err *err) MUST_CHECK;

/* Counts a file that is not read. */
enum rc inputs_leave_out(struct inputs *ins, const char *path, struct err *err) MUST_CHECK;

/* Adds one file, from a manifest if `listed` is not NULL. For the finders of folders. */
struct export_manifest_file;
enum rc inputs_add_file(struct inputs *ins, const char *path,
                        const struct export_manifest_file *listed, struct err *err) MUST_CHECK;

#endif
