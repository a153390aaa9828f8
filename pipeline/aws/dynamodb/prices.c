/* SPDX-License-Identifier: MIT */
/*
 * These are list prices of one region, as they were at prices_date: they serve to compare, not to
 * bill. https://aws.amazon.com/dynamodb/pricing/
 */
#include "pipeline/aws/dynamodb/prices.h"

const struct price prices_read = {0.125e-6, 0.155e-6, 0.00013};
const struct price prices_write = {0.625e-6, 0.78e-6, 0.00065};
const char prices_date[] = "us-east-1, September 2026";

double prices_on_demand(const struct price *p, const struct dynamodb_table *t, double units)
{
    bool rare = str_is(t->class, "STANDARD_INFREQUENT_ACCESS");
    return units * (rare ? p->on_demand_rare : p->on_demand);
}

double prices_provisioned(const struct price *p, double rate, double seconds)
{
    return seconds / 3600 * rate * p->provisioned;
}
