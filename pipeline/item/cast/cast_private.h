/* SPDX-License-Identifier: MIT */
/* One cast under way, and the functions that rows of the type table are made of. */
#ifndef ITEM_CAST_CAST_PRIVATE_H
#define ITEM_CAST_CAST_PRIVATE_H

#include "pipeline/item/cast/cast.h"

struct casting {
    const struct cast *cast;
    const struct val *v;
    struct arena *arena;
    struct datum *out;
    unsigned *used;
    struct fault *why;
};

/* "VALUE does not fit TYPE" with the value's kind and first bytes. `hint` may be NULL. */
enum rc cast_misfit(struct casting *c, const char *hint);

/* The lossy rule may be used (and is noted as used), or the cast fails with `what`. */
enum rc cast_lossy(struct casting *c, unsigned rule, const char *what) MUST_CHECK;

/* The text without NUL bytes, if it has any and the column allows that. */
enum rc cast_no_nul(struct casting *c, struct str text, struct str *out) MUST_CHECK;

/* The casts of the types; cast_integer of every type that has a range. */
enum rc cast_text(struct casting *c) MUST_CHECK;
enum rc cast_integer(struct casting *c) MUST_CHECK;
enum rc cast_numeric(struct casting *c) MUST_CHECK;
enum rc cast_double(struct casting *c) MUST_CHECK;
enum rc cast_boolean(struct casting *c) MUST_CHECK;
enum rc cast_bytea(struct casting *c) MUST_CHECK;
enum rc cast_date(struct casting *c) MUST_CHECK;
enum rc cast_timestamp(struct casting *c) MUST_CHECK;
enum rc cast_timestamptz(struct casting *c) MUST_CHECK;
enum rc cast_uuid(struct casting *c) MUST_CHECK;
enum rc cast_jsonb(struct casting *c) MUST_CHECK;
enum rc cast_array(struct casting *c) MUST_CHECK;

/* Spellings of the types that a part of a key template can have, as column_type.h's `spells`. */
bool cast_spells_integer(enum col_type type, uint32_t pad, struct str text);
bool cast_spells_numeric(enum col_type type, uint32_t pad, struct str text);
bool cast_spells_boolean(enum col_type type, uint32_t pad, struct str text);
bool cast_spells_date(enum col_type type, uint32_t pad, struct str text);
bool cast_spells_timestamp(enum col_type type, uint32_t pad, struct str text);
bool cast_spells_timestamptz(enum col_type type, uint32_t pad, struct str text);
bool cast_spells_uuid(enum col_type type, uint32_t pad, struct str text);

/* Forms in JSON, as column_type.h's `json`. */
void cast_json_text(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_as_is(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_integer(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_double(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_boolean(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_bytea(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_date(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_timestamp(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_timestamptz(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_uuid(struct buf *b, enum col_type type, const struct datum *d);
void cast_json_array(struct buf *b, enum col_type type, const struct datum *d);

/* What cells say of a key's text, as column_type.h's `covers`. */
size_t cast_covers_integer(enum col_type type, const struct datum *d, struct str text);
size_t cast_covers_numeric(enum col_type type, const struct datum *d, struct str text);
size_t cast_covers_date(enum col_type type, const struct datum *d, struct str text);
size_t cast_covers_timestamp(enum col_type type, const struct datum *d, struct str text);
size_t cast_covers_timestamptz(enum col_type type, const struct datum *d, struct str text);
size_t cast_covers_uuid(enum col_type type, const struct datum *d, struct str text);
size_t cast_covers_json(enum col_type type, const struct datum *d, struct str text);
size_t cast_covers_array(enum col_type type, const struct datum *d, struct str text);

#endif
