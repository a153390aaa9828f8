/* SPDX-License-Identifier: MIT */
/*
 * Drops rows that repeat a key. A load with --duplicates first|last kept one row of each key, and a
 * comparison has to keep the same one of the rows it made itself.
 */
#ifndef COMPARE_DROP_DUPLICATES_H
#define COMPARE_DROP_DUPLICATES_H

#include "pipeline/compare/lost_rows.h"
#include "pipeline/compare/rows_reader.h"

/*
 * Makes a reader that gives the rows of `inner` without the lost ones. Takes `inner`, also when it
 * fails, and borrows `lost` until the reader is freed. Returns owned in *out.
 */
enum rc drop_duplicates(struct lost_rows *lost, struct rows_reader *inner,
                        struct rows_reader **out, struct err *err) MUST_CHECK;

#endif
