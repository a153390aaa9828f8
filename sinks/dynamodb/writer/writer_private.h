/* SPDX-License-Identifier: MIT */
/* What the files of the writer share; nobody else includes it. */
#ifndef SINKS_DYNAMODB_WRITER_WRITER_PRIVATE_H
#define SINKS_DYNAMODB_WRITER_WRITER_PRIVATE_H

#include "pipeline/item/decoder.h"
#include "sinks/dynamodb/throttle/key.h"
#include "sinks/dynamodb/writer/delay_heap.h"
#include "sinks/dynamodb/writer/writer.h"

/* A request in flight, or free for one. */
struct slot {
    struct writer *writer;
    struct write_job *job; /* NULL: free */
    struct dynamodb_request request;
    struct budget_ticket ticket;
    struct budget *budget; /* of the ticket */
    int64_t worst;
    struct slot *next_free;
};

struct job_list {
    struct write_job *first, **end;
};

struct writer {
    struct writer_config config;
    struct slot *slots;
    struct slot *free;
    uint32_t flying, pending;
    struct job_list queue;     /* journalled, in the order of their intents */
    struct delay_heap delayed; /* to be sent again, or held back, each not before its time */
    struct throttle_keys keys; /* by partition key */
    struct throttle_ranges ranges;   /* by range */
    struct throttle_indexes indexes; /* by partition of an index */
    int64_t due_us;
    struct decoder *decoder;
    struct arena arena;
    struct buf item;   /* of an answer */
    struct err failed; /* rc is set: the run must end */
};

/* Puts a job where it is sent from at due_us. */
void writer_delay(struct writer *w, struct write_job *job, int64_t due_us);

/* The same, or sooner, when it is looked at again; and its owner is told. */
void writer_slow(struct writer *w, struct write_job *job, int64_t due_us);

/* Journals the job's change anew and queues it. */
enum rc writer_queue(struct writer *w, struct write_job *job, struct err *err) MUST_CHECK;

/* The run must end; the first reason stays. */
void writer_fail(struct writer *w, const struct err *err);

/* The request's callback; ctx is the slot. */
void writer_answered(struct dynamodb_request *request, void *ctx);

static inline int64_t writer_now(const struct writer *w)
{
    const struct env *env = w->config.shared->env;
    return env->mono_us(env->ctx);
}

#endif
