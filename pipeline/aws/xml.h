/* SPDX-License-Identifier: MIT */
/* The text of one element of a small XML answer: enough for STS and for S3's errors. */
#ifndef AWS_XML_H
#define AWS_XML_H

#include "pipeline/base/buf.h"

/* Appends the text of the first element of that name (prefixes ignored), entities undone;
 * false when there is none or the document is broken before it. */
bool xml_text(struct str document, const char *element, struct buf *out);

#endif
