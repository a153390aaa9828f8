/* SPDX-License-Identifier: MIT */
/* Which attributes are the key of the table, where the source does not say. */
#ifndef INFER_TABLE_KEY_H
#define INFER_TABLE_KEY_H

#include "pipeline/infer/design.h"

/* Fills key and nkey of the design; leaves them if the source said. None may be found. */
void table_key_find(struct infer_design *d);

#endif
