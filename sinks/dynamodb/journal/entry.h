/* SPDX-License-Identifier: MIT */
/*
 * The entries of the journal as texts, and back. Strict: what was not written here is refused,
 * for a record whose checksum is right holds nothing else.
 */
#ifndef SINKS_DYNAMODB_JOURNAL_ENTRY_H
#define SINKS_DYNAMODB_JOURNAL_ENTRY_H

#include "pipeline/item/decoder.h"
#include "sinks/dynamodb/journal/journal.h"

enum entry_kind { ENTRY_INTENT, ENTRY_OUTCOME, ENTRY_MARK };

/* Views of the record. */
struct entry {
    enum entry_kind kind;
    uint64_t id;                 /* of the intent */
    uint32_t segment;            /* intent, mark */
    uint64_t bytes;              /* intent: size of the item, before or after */
    struct str key;              /* intent: JSON object, byte for byte as it was given */
    struct str old, new_;        /* intent: DynamoDB JSON of the targets that differ */
    bool foreign;                /* outcome: of an intent of this process and worker: */
    uint32_t generation, worker; /* else the log's own */
    enum outcome outcome;
    struct str mark; /* the whole entry, for entry_mark_read */
};

/* Each appends one entry. */
void entry_intent(struct buf *b, uint64_t id, uint32_t segment, struct str key,
                  const struct change *c);
/* of: generation and worker; NULL: the log's own. */
void entry_outcome(struct buf *b, uint64_t id, const uint32_t of[2], enum outcome what);

void entry_mark(struct buf *b, const struct journal_mark *m);

/* The first entry of `rest`, a record or what is left of one; goes on behind it. RC_END: none
 * is left. RC_SINK: it makes no sense. */
enum rc entry_next(struct str *rest, struct entry *out, struct err *err) MUST_CHECK;

/* The targets of an intent: path, old, new. Lives in `a`, may point into the record. */
enum rc entry_change(const struct entry *e, struct decoder *d, struct arena *a,
                     struct change *out, struct err *err) MUST_CHECK;

/* What a mark says. */
struct mark_taker {
    void *ctx;
    enum rc (*progress)(void *ctx, uint32_t segment, bool done, struct str resume,
                        struct err *err);
    enum rc (*count)(void *ctx, uint32_t row, enum fate fate, uint64_t n, struct err *err);
    enum rc (*listed)(void *ctx, struct str json, struct err *err);
};

/* Calls what is not NULL. */
enum rc entry_mark_read(const struct entry *e, const struct mark_taker *to,
                        struct err *err) MUST_CHECK;

#endif
