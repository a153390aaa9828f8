/* SPDX-License-Identifier: MIT */
/*
 * Delays grow and shrink between 20 ms and 5 s: a throttled key keeps its own pace. Throttles that
 * come within one delay are one: they were under way when the first was answered.
 */
#include "sinks/dynamodb/throttle/key.h"

#include <stddef.h>

static const int64_t FIRST_US = 20000, LAST_US = 5000000;

static struct throttle_key *find(struct throttle_keys *h, uint64_t partition)
{
    for (uint32_t i = 0; i < h->n; i++) {
        if (h->v[i].partition == partition)
            return &h->v[i];
    }
    return NULL;
}

static struct throttle_key *add(struct throttle_keys *h, uint64_t partition)
{
    struct throttle_key *place = &h->v[0];
    if (h->n < HOLD_MAX) {
        place = &h->v[h->n++];
    } else {
        for (uint32_t i = 1; i < h->n; i++)
            place = h->v[i].delay_us < place->delay_us ? &h->v[i] : place;
    }
    *place = (struct throttle_key){.partition = partition};
    return place;
}

bool throttle_key_take(struct throttle_keys *h, uint64_t partition, int64_t now_us)
{
    struct throttle_key *one = h->n ? find(h, partition) : NULL;
    if (!one)
        return true;
    if (one->busy || one->next_us > now_us)
        return false;
    one->busy = true;
    return true;
}

void throttle_key_end(struct throttle_keys *h, uint64_t partition)
{
    struct throttle_key *one = h->n ? find(h, partition) : NULL;
    if (one)
        one->busy = false;
}

int64_t throttle_key_due(const struct throttle_keys *h, int64_t now_us)
{
    int64_t due = INT64_MAX;
    for (uint32_t i = 0; i < h->n; i++) {
        int64_t at = h->v[i].next_us;
        if (!h->v[i].busy && at > now_us && at < due)
            due = at;
    }
    return due;
}

bool throttle_key_allow(struct throttle_keys *h, uint64_t partition, int64_t now_us,
                        int64_t *at_us)
{
    struct throttle_key *one = h->n ? find(h, partition) : NULL;
    if (!one)
        return true;
    if (one->next_us > now_us) {
        *at_us = one->next_us;
        return false;
    }
    one->next_us = now_us + one->delay_us;
    return true;
}

void throttle_key_throttled(struct throttle_keys *h, uint64_t partition, int64_t now_us)
{
    struct throttle_key *one = find(h, partition);
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

void throttle_key_succeeded(struct throttle_keys *h, uint64_t partition)
{
    struct throttle_key *one = h->n ? find(h, partition) : NULL;
    if (!one)
        return;
    one->delay_us -= one->delay_us / 4;
    if (one->delay_us < FIRST_US / 4)
        *one = h->v[--h->n];
}
