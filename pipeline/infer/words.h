/* SPDX-License-Identifier: MIT */
/* What names and words are taken to mean: the only lists of words there are. */
#ifndef INFER_WORDS_H
#define INFER_WORDS_H

#include "pipeline/infer/design.h"

/* An attribute that is called as type attributes are. */
bool words_type_like(struct str name);

/* An attribute that is called as keys of indexes are. */
bool words_index_like(struct str name);

/* A constant sort key that says no more than "the thing itself". */
bool words_root_like(struct str word);

/* A name that says that it holds an instant. */
bool words_time_like(struct str name);

/* A name whose digits are a code, not a quantity. */
bool words_code_like(struct str name);

/* A name for another thing of the same kind. */
bool words_parent_like(struct str name);

/* A name of personal data, as hints for "mask". */
bool words_personal(struct str name);

/* A text that stands for no value. */
bool words_null_like(struct str text);

/* What stands before _id, Id, _key, _ref .. in a column's name; the name itself if nothing does. */
struct str words_stem(struct str name);

/* The same word but for case, separators and a plural s. */
bool words_same(struct str a, struct str b);

/* The last words of `name` are `word`. */
bool words_ends(struct str name, struct str word);

#endif
