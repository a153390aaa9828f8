/* SPDX-License-Identifier: MIT */
/*
 * Delays grow and shrink between 20 ms and 5 s: a throttled key keeps its own pace. Throttles that
 * come within one delay are one: they were under way when the first was answered.
 */
#include "sinks/dynamodb/hold.h"

#include <stddef.h>

static const int64_t FIRST_US = 20000, LAST_US = 5000000;

static struct hold *find(struct holds *h, uint64_t partition)
{
    for (uint32_t i = 0; i < h->n; i++) {
        if (h->v[i].partition == partition)
            return &h->v[i];
    }
    return NULL;
}

static struct hold *add(struct holds *h, uint64_t partition)
{
    struct hold *place = &h->v[0];
    if (h->n < HOLD_MAX) {
        place = &h->v[h->n++];
    } else {
        for (uint32_t i = 1; i < h->n; i++)
            place = h->v[i].delay_us < place->delay_us ? &h->v[i] : place;
    }
    *place = (struct hold){.partition = partition};
    return place;
}

bool holds_take(struct holds *h, uint64_t partition, int64_t now_us)
{
    struct hold *one = h->n ? find(h, partition) : NULL;
    if (!one)
        return true;
    if (one->busy || one->next_us > now_us)
        return false;
    one->busy = true;
    return true;
}

void holds_end(struct holds *h, uint64_t partition)
{
    struct hold *one = h->n ? find(h, partition) : NULL;
    if (one)
        one->busy = false;
}

int64_t holds_due(const struct holds *h, int64_t now_us)
{
    int64_t due = INT64_MAX;
    for (uint32_t i = 0; i < h->n; i++) {
        int64_t at = h->v[i].next_us;
        if (!h->v[i].busy && at > now_us && at < due)
            due = at;
    }
    return due;
}

bool holds_allow(struct holds *h, uint64_t partition, int64_t now_us, int64_t *at_us)
{
    struct hold *one = h->n ? find(h, partition) : NULL;
    if (!one)
        return true;
    if (one->next_us > now_us) {
        *at_us = one->next_us;
        return false;
    }
    one->next_us = now_us + one->delay_us;
    return true;
}

void holds_throttled(struct holds *h, uint64_t partition, int64_t now_us)
{
    struct hold *one = find(h, partition);
    if (!one)
        one = add(h, partition);
    if (!one->delay_us || now_us - one->grown_us >= one->delay_us) {
        one->delay_us = one->delay_us ? one->delay_us * 2 : FIRST_US;
        one->grown_us = now_us;
    }
    if (one->delay_us > LAST_US)
        one->delay_us = LAST_US;
    one->next_us = now_us + one->delay_us;
}

void holds_succeeded(struct holds *h, uint64_t partition)
{
    struct hold *one = h->n ? find(h, partition) : NULL;
    if (!one)
        return;
    one->delay_us -= one->delay_us / 4;
    if (one->delay_us < FIRST_US / 4)
        *one = h->v[--h->n];
}
