/* SPDX-License-Identifier: MIT */
/* Tables that exist only as copies: attributes that depend on an id which no item has for its key. */
#ifndef INFER_EXTRACTS_H
#define INFER_EXTRACTS_H

#include "pipeline/infer/design.h"

void extracts_find(struct infer_design *d);

#endif
