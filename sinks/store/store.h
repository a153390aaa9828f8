/* SPDX-License-Identifier: MIT */
/*
 * Where a sink keeps its objects: a folder, later a bucket. The verbs are those that S3 can do,
 * too: finish an object, create one if there is none, list, remove, and change the manifest if
 * it is still the one that was read. A rename, an append or a lock is the folder's own affair.
 *
 * A run is born when its first object is created, and is over when it is removed. Its objects are
 * in two rooms: STORE_NEW holds what the next manifest will show, STORE_RUN all else. What was
 * begun and not finished by a process that died is removed by the one that follows, by name.
 *
 * How a bucket fits: begin starts a multipart upload, finish completes it with If-None-Match, a
 * record of a log is an object that is created if absent, the manifest is put with If-Match.
 */
#ifndef SINKS_STORE_STORE_H
#define SINKS_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pipeline/base/bytes.h"
#include "sinks/store/fs.h"

enum { STORE_RUN_NAME = 64, STORE_TAG = 80 };

enum store_room {
    STORE_SHOWN, /* what the manifest speaks of; read only */
    STORE_NEW,   /* what the next manifest will speak of */
    STORE_RUN,   /* what belongs to the run and ends with it */
    STORE_RUNS   /* the runs, "run-" and a number; other names are left from removed ones */
};

/* Names are relative, with "/" between their parts; the empty one is the whole room. */
struct store_key {
    enum store_room room;
    const char *name;
};

/* One version of the manifest (S3: its ETag); empty: there is none. */
struct store_version {
    char tag[STORE_TAG];
};

struct store;
struct store_object;
struct store_log;

/* An object that is being written, by one thread. */
struct store_object_ops {
    enum rc (*write)(struct store_object *o, struct str bytes, struct err *err);
    /*
     * What was written before survives a crash (see keeps_synced).
     * thread: any, while another thread writes on.
     */
    enum rc (*sync)(struct store_object *o, struct err *err);
    /*
     * The object is whole and durable; nothing is written to it any more. Repeatable, also after
     * a failure whose outcome is not known.
     */
    enum rc (*finish)(struct store_object *o, struct err *err);
    /* Frees it. What was never finished is as after a crash. */
    void (*close)(struct store_object *o);
};

struct store_object {
    const struct store_object_ops *ops;
};

/* Records under a name, numbered in the order in which they were added. */
struct store_log_ops {
    /* Creates the next record. RC_OK: it has happened. After a failure none can be added. */
    enum rc (*add)(struct store_log *log, struct str record, struct err *err);
    void (*close)(struct store_log *log);
};

struct store_log {
    const struct store_log_ops *ops;
};

typedef enum rc store_each(void *ctx, struct str record, struct err *err);

/* What a new manifest takes the place of, and what it shows. */
struct store_swap {
    struct store_version from;
    struct str manifest;
    const char *const *folders; /* of STORE_NEW; empty ones are shown, too */
    size_t nfolders;
};

struct store_ops {
    /* How people know it: a path, an address. thread: any */
    void (*place)(const struct store *s, struct store_key key, char out[FS_PATH]);

    /* The bytes of a finished object, or of one that was synced. RC_NONE: there is none. */
    enum rc (*open)(struct store *s, struct store_key key, struct bytes **out, struct err *err);

    /* What lies directly below the name, sorted by bytes; none is an empty list. */
    enum rc (*list)(struct store *s, struct store_key key, struct fs_list *out,
                    struct err *err);

    /*
     * Removes the object, or all that lies below the name; none is fine. A run is no run after
     * the first step.
     */
    enum rc (*remove)(struct store *s, struct store_key key, struct err *err);

    /* Makes the object in one step. *made is false if there is one of that name. */
    enum rc (*create)(struct store *s, struct store_key key, struct str text, bool *made,
                      struct err *err);

    /* Puts a text in the place of an object's in one step: there is the old one or the new one. */
    enum rc (*replace)(struct store *s, struct store_key key, struct str text, struct err *err);

    /*
     * Begins an object; if one of that name is finished, this or its finish fails. `secret`: for
     * its owner alone. thread: any
     */
    enum rc (*begin)(struct store *s, struct store_key key, bool secret,
                     struct store_object **out, struct err *err);

    /* A log of the run that does not exist yet. thread: any */
    enum rc (*log)(struct store *s, const char *name, struct store_log **out, struct err *err);

    /*
     * Calls `each` for the log's records in order, until one fails. RC_NONE: no such log.
     * RC_SINK: records are missing or damaged, as no crash leaves them.
     */
    enum rc (*log_read)(struct store *s, const char *name, store_each *each, void *ctx,
                        struct err *err);

    /* Appends the manifest. RC_NONE: there is none. */
    enum rc (*manifest)(struct store *s, struct buf *text, struct store_version *version,
                        struct err *err);

    /*
     * Keeps what `swap` needs with the run and appends a plan, one JSON value. Once the plan is
     * in the run's ledger, swapping can be repeated by anyone until it is done.
     */
    enum rc (*swap_plan)(struct store *s, const struct store_swap *what, struct buf *plan,
                         struct err *err);

    /*
     * Shows the manifest, its objects, and nothing that only the former one spoke of. *won is
     * false, and nothing has changed, if the manifest was no longer the version to be replaced.
     */
    enum rc (*swap)(struct store *s, struct str plan, bool *won, struct err *err);

    /* RC_USAGE: there is something that nobody may replace. `plan`: of a swap under way, or "". */
    enum rc (*check)(struct store *s, struct str plan, struct err *err);

    /* Says below which names objects will be begun. */
    enum rc (*expect)(struct store *s, const struct store_key *keys, size_t n, struct err *err);

    /* A local folder for what is needed while the process lives. */
    void (*scratch)(const struct store *s, char out[FS_PATH]);

    /* Whether a process is known to work in it right now, and which (0: unknown). */
    bool (*busy)(struct store *s, long *pid);

    void (*close)(struct store *s);
};

struct store {
    const struct store_ops *ops;
    /*
     * What was synced of an unfinished object can be opened after a crash, at least so long. Where
     * it is false only finished objects last, so whoever commits finishes them first.
     */
    bool keeps_synced;
    /* New objects lie beside those that are shown: their names must differ from all others. */
    bool in_place;
    char run[STORE_RUN_NAME]; /* whose rooms STORE_NEW and STORE_RUN are; empty: none yet */
    /* For tests: called at named points of the protocol; may end the process. */
    void (*point)(void *ctx, const char *name);
    void *point_ctx;
};

/* Opens the store at an address for a sink, which then is the only one at work there. */
typedef enum rc store_opener(const char *address, void *ctx, struct store **out,
                             struct err *err);

static inline struct store_key store_key(enum store_room room, const char *name)
{
    return (struct store_key){room, name};
}

/*
 * Is this a manifest of ours? An older one is taken up in memory, for the next export writes its own.
 * RC_USAGE: it is something else, or a newer renorm wrote it.
 */
enum rc store_manifest_check(struct buf *text, const char *place, struct err *err) MUST_CHECK;

/* Closes what may be NULL. */
void store_close(struct store *s);
void store_object_close(struct store_object *o);
void store_log_close(struct store_log *log);

void store_point(const struct store *s, const char *name);

/* Appends the whole object. RC_NONE: there is none. */
enum rc store_read(struct store *s, struct store_key key, struct buf *out,
                   struct err *err) MUST_CHECK;

#endif
