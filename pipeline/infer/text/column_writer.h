/* SPDX-License-Identifier: MIT */
/* One line of "columns". */
#ifndef INFER_COLUMN_WRITER_H
#define INFER_COLUMN_WRITER_H

#include "pipeline/infer/design.h"

void column_writer_print(struct infer_design *d, const struct infer_table *t,
                         const struct infer_column *c, const char *indent, struct buf *out);

/* The path of a node below the root of its table, as "from" takes it. */
void column_writer_path(const struct infer_node *node, const struct infer_node *root,
                        struct buf *out);

/* A name as a glob that matches nothing else. */
void column_writer_quoted(struct str name, struct buf *out);

#endif
