/* SPDX-License-Identifier: MIT */
#include "sinks/dynamodb/fill/journaled_writer.h"

#include "pipeline/source/table/scan.h"

enum { MAX_TRIES = 5 };

void journaled_writer_shared(struct write_shared *w, const struct fill_setup *setup)
{
    const struct dynamodb_table *table = scan_facts(setup->source).table;
    writer_shared_init(w);
    w->ddb = scan_ddb(setup->source);
    w->reads = scan_budget(setup->source);
    w->writes = setup->writes;
    w->table = table->name;
    w->facts = table;
    w->pk = table->schema.keys[0].name;
    w->env = setup->env;
}

enum rc journaled_writer_open(struct journaled_writer *s,
                              const struct journaled_writer_config *config, struct err *err)
{
    const struct fill_setup *setup = config->setup;
    enum rc rc = journal_open(setup->state, config->index, &s->journal, err);
    struct writer_config writer = {.shared = config->shared,
                                   .loop = scan_reader_loop(config->reader),
                                   .journal = s->journal,
                                   .in_flight = setup->in_flight,
                                   .max_tries = MAX_TRIES,
                                   .in_order = config->in_order,
                                   .ops = config->ops,
                                   .ctx = config->ctx};
    return rc ? rc : writer_new(&writer, &s->writer, err);
}

void journaled_writer_close(struct journaled_writer *s)
{
    writer_free(s->writer);
    journal_close(s->journal);
}

void journaled_writer_fail(struct journaled_writer *s, const struct err *err)
{
    if (!s->err.rc)
        s->err = *err;
}

enum rc journaled_writer_step(struct journaled_writer *s, enum task_phase phase, bool more,
                              enum task_state *state, struct err *err)
{
    bool stop = journaled_writer_stops(phase);
    enum rc rc = writer_step(s->writer, stop, err);
    if (!rc && s->err.rc) {
        *err = s->err;
        rc = err->rc;
    }
    bool busy = writer_pending(s->writer) > 0 || (more && !stop);
    *state = busy ? TASK_BUSY : TASK_IDLE;
    /* Whoever failed is not called again: what is known of its writes is kept, even if the disk
       may be what failed. */
    bool last = rc ? phase == TASK_FAILED : !busy && phase != TASK_READING;
    struct err late = {0};
    enum rc flushed = last ? journal_flush(s->journal, &late) : RC_OK;
    if (!rc && flushed) {
        *err = late;
        rc = flushed;
    }
    return rc;
}

size_t journaled_writer_fds(const struct journaled_writer *s, struct pollfd *fds, size_t cap)
{
    if (!cap || !journal_busy(s->journal))
        return 0;
    fds[0] = (struct pollfd){.fd = journal_fd(s->journal), .events = POLLIN};
    return 1;
}
