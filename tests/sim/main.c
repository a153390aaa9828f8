/* SPDX-License-Identifier: MIT */
/* The misbehaving DynamoDB: options, then serve, dump or check the books. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/sim/load.h"
#include "tests/sim/mem.h"
#include "tests/sim/opt.h"
#include "tests/sim/serve.h"
#include "tests/sim/sim.h"

static enum rc dump(struct sim *s, struct err *err)
{
    uint64_t pooled = s->table.n;
    uint64_t count = pooled;
    if (s->opt.canned) {
        pooled = 0;
        for (size_t i = 0; i < s->canned.n; i++)
            pooled += s->canned.pool[i].items;
        count = s->canned.total_items;
    }
    size_t all = s->table.n;
    s->table.n = (size_t)pooled;
    enum rc rc = load_dump(&s->table, s->opt.dump, count, err);
    s->table.n = all;
    return rc;
}

static enum rc run(const struct opt *o, struct err *err)
{
    if (o->check_books) {
        struct books_limit limit = {o->rate, o->slack, o->page_units, o->check_op};
        return books_check(o->check_books, &limit, err);
    }
    struct sim *s = mem_zeroed(sizeof *s);
    enum rc rc = sim_init(s, o, err);
    if (!rc)
        rc = o->dump ? dump(s, err) : serve(s, err);
    sim_release(s);
    free(s);
    return rc;
}

int main(int argc, char **argv)
{
    struct opt o;
    struct err err = {0};
    enum rc rc = opt_parse(&o, argc, argv, &err);
    if (!rc && o.help) {
        (void)puts("sim: a DynamoDB that misbehaves on request");
        opt_help();
        return 0;
    }
    if (!rc)
        rc = run(&o, &err);
    if (rc)
        (void)fprintf(stderr, "sim: %s\n", err.msg);
    return !rc ? 0 : rc == RC_USAGE ? 2 : 1;
}
