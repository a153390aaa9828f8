/* SPDX-License-Identifier: MIT */
/*
 * Base64 of RFC 4648 with the standard alphabet and padding, read strictly: whole groups of
 * four, no blanks, no bits set beyond the last byte. One text per value, so that equal bytes
 * have equal texts.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "pipeline/base/buf.h"
#include "pipeline/base/str.h"

/* Room base64_decode needs for a text of n bytes. */
static inline size_t base64_room(size_t n)
{
    return n / 4 * 3;
}

/*
 * Writes at most base64_room(text.n) bytes to out and their number to *n. False if the text
 * is not base64; *bad then is the offset of the first byte that cannot stand there.
 */
bool base64_decode(struct str text, unsigned char *out, size_t *n, size_t *bad);

/* Appends the text of the bytes. */
void base64_add(struct buf *b, struct str bytes);

#endif
