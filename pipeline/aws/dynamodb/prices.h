/* SPDX-License-Identifier: MIT */
/* What capacity costs, in US dollars. Whoever prints a price prints prices_date with it. */
#ifndef AWS_DYNAMODB_PRICES_H
#define AWS_DYNAMODB_PRICES_H

#include "pipeline/aws/dynamodb/describe.h"

struct price {
    double on_demand, on_demand_rare; /* a request unit; rare: Standard-IA tables */
    double provisioned;               /* a unit of capacity for an hour */
};

extern const struct price prices_read, prices_write;
extern const char prices_date[];

/* Returns what so many request units of this table cost. */
double prices_on_demand(const struct price *p, const struct dynamodb_table *t, double units);

/* Returns what a capacity of `rate` units a second costs when it is kept for so long. */
double prices_provisioned(const struct price *p, double rate, double seconds);

#endif
