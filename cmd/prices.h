/* SPDX-License-Identifier: MIT */
/* What capacity costs, in US dollars, for rehearsals; printed with their date and region. */
#ifndef CMD_PRICES_H
#define CMD_PRICES_H

#include "pipeline/aws/ddb_table.h"

struct price {
    double on_demand, on_demand_rare; /* a request unit; rare: Standard-IA tables */
    double provisioned;               /* a unit of capacity for an hour */
};

extern const struct price price_read, price_write;
extern const char price_date[];

double price_on_demand(const struct price *p, const struct ddb_table *t, double units);

/* A capacity of `rate` units a second, kept for so long. */
double price_provisioned(const struct price *p, double rate, double seconds);

#endif
