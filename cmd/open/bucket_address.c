/* SPDX-License-Identifier: MIT */
/* Takes an address in S3 apart, and adds the options of the command line. */
#include "cmd/open/bucket_address.h"

#include "cmd/open/path_address.h"
#include "cmd/open/prompt.h"
#include "cmd/open/table_address.h"
#include "cmd/print/tell.h"
#include "pipeline/source/s3/s3_source.h"

/* What the address says comes before what the options say. */
static const char *first(const char *address, const char *option)
{
    return address ? address : option;
}

enum rc bucket_address_source(struct job *job, const char *const *words, size_t n,
                              const struct options *o, struct err *err)
{
    (void)n; /* always 1: see `alone` of struct driver */
    struct s3_source_options opts = {.transfers = (uint32_t)o->transfers, .stop = job->stop};
    struct s3_address *a = &opts.origin.address;
    enum rc rc = s3_address_read(words[0], &job->texts, a, err);
    if (rc)
        return rc;
    opts.origin.aws = (struct aws_options){.region = first(a->region, o->region),
                                           .endpoint = first(a->endpoint, o->endpoint),
                                           .profile = first(a->profile, o->profile),
                                           .ask = prompt_terminal,
                                           .tell = table_address_tell,
                                           .stop = job->stop};
    opts.origin.requester_pays = o->requester_pays;
    opts.origin.owner = o->bucket_owner;
    opts.origin.trouble = table_address_trouble;
    opts.origin.env = &env_real;
    opts.origin.vars = &vars_real;
    rc = path_address_form(o, &opts.form, err);
    if (!rc)
        rc = table_address_give_up(o, &opts.origin.give_up_us, err);
    if (!rc)
        rc = s3_source_open(&opts, &job->source, err);
    if (!rc && job->source->notice.n && !o->quiet)
        tell_warning("%.*s", STR_FMT(job->source->notice));
    return rc;
}
