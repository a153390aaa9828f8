/* SPDX-License-Identifier: MIT */
/*
 * A state that is one JSON object says its version in a member. An older object is taken up to the
 * newest version step by step, in memory. Whoever holds the lock of the state then replaces it in
 * one step, so that a crash leaves the old one or the new one; who only looks leaves it alone. A
 * newer object is refused with the renorm that it needs.
 *
 * A new version is a row in the table of steps of its kind, and the number of the newest one.
 */
#ifndef SINKS_STORE_UPGRADE_H
#define SINKS_STORE_UPGRADE_H

#include <yyjson.h>

#include "pipeline/base/buf.h"

struct upgrade_step {
    uint32_t from, to;
    /* Changes the object; version and renorm are set by others. False: out of memory. NULL: all
       else stays as it is. */
    bool (*take)(yyjson_mut_doc *doc);
};

/* What can be upgraded. */
struct upgrade_kind {
    const char *member; /* holds the version */
    const char *by;     /* holds the renorm that wrote it, from version 2 on; a text */
    uint32_t unsaid;    /* the version of an object without that member; 0: it is not ours */
    uint32_t newest;
    const struct upgrade_step *steps;
    size_t nsteps;
};

/*
 * Brings the object in `text` to the newest version, written by `renorm`. *was: the version it had;
 * the text of the newest is left as it is. `place` names it in messages. RC_NONE: it is no such
 * object. RC_USAGE: no step leads from its version to ours.
 */
enum rc upgrade_text(const struct upgrade_kind *kind, struct buf *text, const char *place,
                     const char *renorm, uint32_t *was, struct err *err) MUST_CHECK;

#endif
