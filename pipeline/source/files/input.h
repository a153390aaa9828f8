/* SPDX-License-Identifier: MIT */
/*
 * One file, pipe or object that items are read from: where it is, what it looked like when the
 * run began, how it is packed and written. Filled once by the main thread, then only read.
 */
#ifndef SOURCE_FILES_INPUT_H
#define SOURCE_FILES_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pipeline/item/decoder.h"
#include "pipeline/source/files/format/format.h"
#include "pipeline/source/files/origin.h"
#include "pipeline/source/page.h"

enum packing { PACK_NONE, PACK_GZIP, PACK_ZSTD };

struct input {
    const struct origin *origin; /* borrowed */
    const char *path;            /* its name there; borrowed from the list's arena */
    struct bytes_facts facts;    /* as they were when the run began */
    enum packing packing;
    enum format format;
    enum decoder_parse form;        /* of its items; DECODER_TEXT: it holds none to tell by */
    const struct source_part *part; /* of the word that named it; NULL: standard input */
    struct str table;               /* of a Workbench file: the one that is read; empty: all */
    unsigned table_index;           /* its place in the file, from 1 */
    uint32_t skip;                  /* bytes of a byte order mark */
    const atomic_bool *stop;        /* ends waiting for a silent pipe; may be NULL; borrowed */
    /* from an export's manifest */
    bool listed;
    unsigned char md5[16];
    uint64_t items;
};

/* Notes what it is. RC_USAGE: there is none, or it is a folder. */
enum rc input_look(struct input *in, struct err *err) MUST_CHECK;

/* thread: any. Opens for reading; *out is owned by the caller. RC_CANCEL as below. */
enum rc input_open(const struct input *in, struct bytes **out, struct err *err) MUST_CHECK;

/* thread: any. RC_SOURCE if what was opened is not what it was when the run began. */
enum rc input_unchanged(const struct input *in, struct bytes *b, struct err *err) MUST_CHECK;

/* thread: any. RC_CANCEL once the operator asked to stop. */
enum rc input_stopped(const struct input *in, struct err *err) MUST_CHECK;

#endif
