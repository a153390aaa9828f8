/* SPDX-License-Identifier: MIT */
/* Turns options of the command line into those of the file source and the JSON lines sink. */
#include "cmd/open/path_address.h"

#include "cmd/print/backfill_status.h"
#include "cmd/print/export_status.h"
#include "cmd/print/tell.h"
#include "pipeline/source/files/files.h"
#include "sinks/jsonl/jsonl.h"
#include "sinks/jsonl/rows_of_folder.h"
#include "sinks/jsonl/show_held.h"

enum rc path_address_input(const char *word, bool *yes, struct err *err)
{
    (void)err;
    *yes = str_is(str_of(word), "-");
    return RC_OK;
}

enum rc path_address_accepts(const char *word, bool *yes, struct err *err)
{
    (void)word;
    (void)err;
    *yes = true;
    return RC_OK;
}

enum rc path_address_form(const struct options *o, enum decoder_parse *out, struct err *err)
{
    struct str form = str_of(o->form ? o->form : "");
    *out = str_is(form, "plain")      ? DECODER_PLAIN
           : str_is(form, "dynamodb") ? DECODER_TYPED
                                      : DECODER_TEXT;
    if (!form.n || *out != DECODER_TEXT)
        return RC_OK;
    return err_set(err, RC_USAGE, "--form is \"plain\" or \"dynamodb\", not \"%s\"", o->form);
}

enum rc path_address_source(struct job *job, const char *const *words, size_t n,
                            const struct options *o, struct err *err)
{
    struct files_options opts = {.paths = words, .npaths = n, .stop = job->stop};
    enum rc rc = path_address_form(o, &opts.form, err);
    if (!rc)
        rc = files_open(&opts, &job->source, err);
    if (!rc && job->source->notice.n && !o->quiet)
        tell_warning("%.*s", STR_FMT(job->source->notice));
    return rc;
}

enum rc path_address_sink(const char *word, const struct options *o, struct sink **out,
                          struct err *err)
{
    struct jsonl_options opts = {.out = word,
                                 .level = (int)o->level,
                                 .part_mb = (uint32_t)o->part_mb,
                                 .open_parts = (uint32_t)o->open_parts,
                                 .commit_mb = (uint32_t)o->commit_mb};
    return jsonl_open(&opts, out, err);
}

enum rc path_address_rows(const char *word, const struct options *o,
                          const struct schema *schema, struct rows_reader **out,
                          struct err *err)
{
    (void)o;
    return jsonl_rows_open(word, schema, out, err);
}

enum rc path_address_status(const char *word, const struct options *o, struct buf *out,
                            struct err *err)
{
    enum rc rc = backfill_status(word, o->json, out, err);
    return rc == RC_NONE ? export_status(word, o->json, out, err) : rc;
}

enum rc path_address_publish(const char *word, const struct options *o, struct buf *out,
                             struct err *err)
{
    (void)o;
    return jsonl_show_held(word, out, err);
}
