/* SPDX-License-Identifier: MIT */
/* The model as text, with the evidence beside each decision. */
#ifndef INFER_MODEL_WRITER_H
#define INFER_MODEL_WRITER_H

#include "pipeline/infer/design.h"

void model_writer_print(struct infer_design *d, struct str name, struct buf *out);

#endif
