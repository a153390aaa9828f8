/* SPDX-License-Identifier: MIT */
/*
 * If as many places are ready as must lie between two writes of one, the one that wrote longest ago
 * always may: there is no standstill unless somebody is awaited.
 */
#include "sinks/dynamodb/writer/turns.h"

uint32_t turns_next(const struct turns *r)
{
    uint32_t live = 0, first = r->n;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct turns_place *p = &r->v[i];
        live += p->state != TURNS_IDLE;
        if (p->state == TURNS_READY && (first == r->n || p->last < r->v[first].last))
            first = i;
    }
    uint32_t apart = live < TURNS_APART ? live : TURNS_APART;
    if (first < r->n && r->v[first].last && r->writes + 1 - r->v[first].last < apart)
        return r->n;
    return first;
}

void turns_wrote(struct turns *r, uint32_t place)
{
    r->v[place].last = ++r->writes;
}
