/* SPDX-License-Identifier: MIT */
/*
 * Named bytes in memory that outlive the stores opened on them, as a bucket outlives a process,
 * and that can begin to fail at any change.
 */
#ifndef HARNESS_BUCKET_H
#define HARNESS_BUCKET_H

#include <pthread.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/bytes.h"

struct bucket_object {
    char *name, *bytes;
    size_t n;
};

struct bucket {
    pthread_mutex_t mu; /* guards what follows */
    struct bucket_object *objects;
    size_t n;
    unsigned steps;   /* changes that were asked for since a store was opened */
    unsigned die_at;  /* the change from which on everything fails; 0: never */
    bool lost_answer; /* that change is made all the same */
};

void bucket_init(struct bucket *b);
void bucket_release(struct bucket *b);

/* The names of all objects, one a line. Returns owned text. */
char *bucket_names(struct bucket *b);

/* Puts an object there, whatever was there before. */
void bucket_set(struct bucket *b, const char *name, struct str bytes);

/* A copy of an object's bytes, owned by the caller; NULL: there is none. */
struct bytes *bucket_open(struct bucket *b, const char *name);

/* RC_TRANSIENT once everything fails. */
enum rc bucket_alive(struct bucket *b, struct err *err) MUST_CHECK;

/* What follows is for those who hold b->mu. */

/* Counts a change; whether it is to be made. *rc is what the asker is told. */
bool bucket_step(struct bucket *b, enum rc *rc, struct err *err);
struct bucket_object *bucket_find(struct bucket *b, const char *name);
void bucket_put(struct bucket *b, const char *name, struct str bytes);
void bucket_drop(struct bucket *b, struct bucket_object *o);

#endif
