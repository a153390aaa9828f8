/* SPDX-License-Identifier: MIT */
/* A forecast for people, one line for each figure, with warnings about partitions and indexes. */
#ifndef CMD_PRINT_FORECAST_LINES_H
#define CMD_PRINT_FORECAST_LINES_H

#include "sinks/dynamodb/rehearsal/forecast.h"

void forecast_print(const struct forecast *f, struct buf *out);

/* Tells what the writes of one entity take of it, in dollars and time. */
void forecast_entity(const struct forecast *f, const struct rehearse_entity *e,
                     struct buf *out);

/* Tells how the values of a new partition key are spread, and warns where they are few. */
void forecast_spread(const struct forecast *f, const struct rehearse_spread *s,
                     struct buf *out);

/* Warns of indexes whose own capacity is less than the write budget. */
void forecast_indexes(const struct forecast *f, struct buf *out);

/* Warns of items that the service would refuse. */
void forecast_failures(const struct rehearse_entity *e, struct buf *out);

#endif
