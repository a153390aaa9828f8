/* SPDX-License-Identifier: MIT */
/*
 * Writes the items of a shop as DynamoDB JSON lines: one customer in five items, the others
 * orders with lines. The same arguments give the same bytes. About 550 bytes an item.
 * Usage: gen ITEMS [FIRST]
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static const char *const NAMES[] = {"Ada",  "Blaise", "Chen",  "Dolores",
                                    "Emre", "Fatima", "Goran", "Hana"};
static const char *const CITIES[] = {"Bern", "Lagos", "Lima",  "Oslo",
                                     "Pune", "Quito", "Turin", "Osaka"};
static const char *const STATES[] = {"NEW", "PAID", "SHIPPED", "RETURNED"};

static void customer(uint64_t id, uint64_t *r)
{
    uint64_t a = next(r), b = next(r);
    (void)printf("{\"Item\":{\"PK\":{\"S\":\"CUSTOMER#%08" PRIu64
                 "\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"},"
                 "\"CustomerId\":{\"S\":\"%08" PRIu64 "\"},\"Name\":{\"S\":\"%s %s-%" PRIu64
                 "\"},"
                 "\"Email\":{\"S\":\"c%" PRIu64 "@example.com\"},",
                 id, id, NAMES[a % 8], NAMES[b % 8], a % 100000, id);
    (void)printf("\"Address\":{\"M\":{\"City\":{\"S\":\"%s\"},\"Zip\":{\"S\":\"%05" PRIu64
                 "\"},\"Street\":{\"S\":\"%" PRIu64
                 " Market Street\"}}},\"Tags\":{\"SS\":[\"t%" PRIu64 "\",\"u%" PRIu64 "\"]},",
                 CITIES[b % 8], a % 99999, b % 900, a % 50, b % 50);
    (void)printf("\"Active\":{\"BOOL\":%s},\"Credit\":{\"N\":\"%" PRIu64 ".%02" PRIu64 "\"},"
                 "\"CreatedAt\":{\"S\":\"20%02" PRIu64 "-%02" PRIu64 "-%02" PRIu64
                 "T10:%02" PRIu64 ":00Z\"},"
                 "\"GSI1PK\":{\"S\":\"CITY#%s\"},\"GSI1SK\":{\"S\":\"CUSTOMER#%08" PRIu64
                 "\"}}}\n",
                 a & 1 ? "true" : "false", b % 10000, 1 + a % 99, 10 + a % 16, 1 + a % 12,
                 1 + b % 28, a % 60, CITIES[b % 8], id);
}

static void order(uint64_t customer_id, uint64_t id, uint64_t *r)
{
    uint64_t a = next(r), b = next(r), lines = 1 + a % 5;
    (void)printf("{\"Item\":{\"PK\":{\"S\":\"CUSTOMER#%08" PRIu64
                 "\"},\"SK\":{\"S\":\"#ORDER#%09" PRIu64 "\"},"
                 "\"Type\":{\"S\":\"Order\"},\"OrderId\":{\"S\":\"%09" PRIu64
                 "\"},\"Status\":{\"S\":\"%s\"},"
                 "\"Total\":{\"N\":\"%" PRIu64 ".%02" PRIu64 "\"},"
                 "\"PlacedAt\":{\"S\":\"2025-%02" PRIu64 "-%02" PRIu64 "T%02" PRIu64
                 ":%02" PRIu64 ":11.%03" PRIu64 "Z\"},",
                 customer_id, id, id, STATES[a % 4], b % 100000, 1 + a % 99, 1 + a % 12,
                 1 + b % 28, a % 24, b % 60, 1 + a % 999);
    (void)printf("\"Lines\":{\"L\":[");
    for (uint64_t i = 0; i < lines; i++) {
        uint64_t c = next(r);
        (void)printf("%s{\"M\":{\"Sku\":{\"S\":\"SKU-%06" PRIu64 "\"},\"Qty\":{\"N\":\"%" PRIu64
                     "\"},\"Price\":{\"N\":\"%" PRIu64 ".%" PRIu64 "\"}}}",
                     i ? "," : "", c % 1000000, 1 + c % 9, c % 1000, 1 + c % 9);
    }
    (void)printf("]},\"GSI1PK\":{\"S\":\"STATUS#%s\"},\"GSI1SK\":{\"S\":\"%09" PRIu64 "\"},"
                 "\"Note\":{\"S\":\"order %" PRIu64
                 " of the demonstration shop, packed by %s\"}}}\n",
                 STATES[a % 4], id, id, NAMES[b % 8]);
}

int main(int argc, char **argv)
{
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    for (uint64_t i = first; i < first + n; i++) {
        uint64_t r = i * 0xD1342543DE82EF95u + 1;
        if (i % 5 == 0) {
            customer(i / 5, &r);
        } else {
            order(i / 5, i, &r);
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
