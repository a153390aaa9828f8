/* SPDX-License-Identifier: MIT */
/* Writing the ledger's records; jsonl_state_apply reads them. */
#ifndef SINKS_JSONL_LEDGER_RECORD_H
#define SINKS_JSONL_LEDGER_RECORD_H

#include "sinks/jsonl/ledger/replay.h"

/* Begins "{"; each of the following adds one member; jsonl_record_end closes it. */
void jsonl_record_begin(struct buf *b);
void jsonl_record_marks(struct buf *b, const struct mark *marks, size_t n, uint32_t ncounters);
void jsonl_record_files(struct buf *b, const struct jsonl_file *files, size_t n);
void jsonl_record_drops(struct buf *b, const uint32_t *ids, size_t n);
void jsonl_record_reasons(struct buf *b, const struct reasons *reasons);
void jsonl_record_extras(struct buf *b, const struct extras *extras);
void jsonl_record_plan(struct buf *b, struct str plan);
void jsonl_record_held(struct buf *b, const struct jsonl_held *held);
void jsonl_record_number(struct buf *b, const char *text, uint64_t value);
void jsonl_record_end(struct buf *b);

/* Appends "base64" quoted. */
void jsonl_record_base64(struct buf *b, struct str bytes);

/* Appends "text" quoted; bytes that are no UTF-8 become U+FFFD. */
void jsonl_record_text(struct buf *b, struct str s);

/* Appends lower-case hex, quoted. */
void jsonl_record_hex(struct buf *b, const unsigned char *p, size_t n);

#endif
