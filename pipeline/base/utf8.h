/* SPDX-License-Identifier: MIT */
/* UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "pipeline/base/str.h"

/* Position of the first byte that is no UTF-8, or s.n. NUL is an ordinary character. */
size_t utf8_bad(struct str s);

/* The longest prefix of at most `max` bytes that does not split a character. */
struct str utf8_cut(struct str s, size_t max);

#endif
