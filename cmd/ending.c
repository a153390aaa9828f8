/* SPDX-License-Identifier: MIT */
/* The head of the summary is the same for all commands; what they did stands behind it. */
#include "cmd/ending.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmd/exit.h"
#include "cmd/print/summary_file.h"
#include "cmd/print/tell.h"
#include "cmd/secret_args.h"
#include "cmd/version.h"
#include "pipeline/base/env.h"

enum { MAX_TEXT = 64 << 20 };

static const char LAST_SUCCESS[] = "renorm_last_success_timestamp_seconds";

/* A word of the command line, without the password that may be in it: returns owned, or NULL. */
static char *hidden(const char *word)
{
    char *copy = word ? strdup(word) : NULL;
    if (copy)
        (void)secret_args_hide(copy);
    return copy;
}

/* How many of the words are sources; the one that follows them is the sink, if there is one. */
static size_t count_sources(const struct ending *out)
{
    size_t n = out->o->nwords;
    if (out->bit == CMD_STATUS || out->bit == CMD_PUBLISH || !n)
        return 0;
    if (n == 1)
        return 1; /* of an export without a sink, too */
    return (out->bit == CMD_EXPORT || out->bit == CMD_VERIFY) && !out->o->backfill ? n - 1 : n;
}

/* NULL: there is none. A backfill writes to the table that it reads. */
static const char *sink_word(const struct ending *out)
{
    size_t sources = count_sources(out);
    if (sources < out->o->nwords)
        return out->o->words[sources];
    return out->bit == CMD_BACKFILL && out->o->nwords ? out->o->words[0] : NULL;
}

/* The file is there, and is the one that the word names. */
static bool is_same_file(const char *path, const char *word)
{
    struct stat a, b;
    return path && word && stat(path, &a) == 0 && stat(word, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The option of a file that would be written over what the command reads; NULL: neither is. */
static const char *over_input(const struct options *o)
{
    const char *const inputs[] = {o->model, o->mask_key_file};
    for (size_t i = 0; i < 2; i++) {
        if (is_same_file(o->summary, inputs[i]))
            return "summary";
        if (is_same_file(o->metrics, inputs[i]))
            return "metrics";
    }
    for (size_t i = 0; i < o->nwords; i++) {
        if (is_same_file(o->summary, o->words[i]))
            return "summary";
        if (is_same_file(o->metrics, o->words[i]))
            return "metrics";
    }
    return NULL;
}

/* Files of several jobs lie in one folder: the same gauges must not have the same labels. */
static void label_sink(struct ending *out)
{
    char *sink = hidden(sink_word(out));
    metrics_label(&out->metrics, "sink", str_of(sink));
    free(sink);
}

void ending_init(struct ending *out, const char *command, unsigned bit, const struct options *o)
{
    *out = (struct ending){.command = command,
                           .o = o,
                           .bit = bit,
                           .start_us = env_real.now_us(NULL),
                           .start_mono_us = env_real.mono_us(NULL)};
    buf_init(&out->members, MAX_TEXT);
    metrics_init(&out->metrics);
    metrics_label(&out->metrics, "command", str_of(command));
    label_sink(out);
    out->over = over_input(o);
    tell_as_json(strcmp(o->log, "json") == 0);
}

void ending_inferred(struct ending *out, const char *path)
{
    (void)snprintf(out->inferred, sizeof out->inferred, "%s", path);
}

void ending_model(struct ending *out, struct str hash)
{
    if (hash.n >= sizeof out->model_hash)
        return;
    memcpy(out->model_hash, hash.p ? hash.p : "", hash.n);
    out->model_hash[hash.n] = '\0';
}

static void add_stamp(struct buf *out, int64_t us)
{
    char stamp[TELL_STAMP_SIZE];
    tell_stamp(stamp, us);
    buf_addf(out, "\"%s\"", stamp);
}

static void add_text(struct buf *out, const char *text)
{
    if (text && *text) {
        tell_json_string(out, str_of(text));
    } else {
        buf_puts(out, "null");
    }
}

static void add_word(struct buf *out, const char *word)
{
    char *text = hidden(word);
    add_text(out, text);
    free(text);
}

static void add_places(const struct ending *out, struct buf *text)
{
    const struct options *o = out->o;
    size_t sources = count_sources(out);
    buf_puts(text, ",\"model\":{\"path\":");
    add_text(text, out->inferred[0] ? out->inferred : o->model);
    buf_puts(text, ",\"hash\":");
    add_text(text, out->model_hash);
    buf_puts(text, "},\"source\":[");
    for (size_t i = 0; i < sources; i++) {
        buf_puts(text, i ? "," : "");
        add_word(text, o->words[i]);
    }
    buf_puts(text, "],\"sink\":");
    add_word(text, sink_word(out));
}

static void add_head(const struct ending *out, struct buf *text)
{
    buf_puts(text, "{\"command\":");
    add_text(text, out->command);
    buf_puts(text, ",\"version\":");
    add_text(text, version());
    buf_puts(text, ",\"started\":");
    add_stamp(text, out->start_us);
}

static enum rc write_running(const struct ending *out, struct err *err)
{
    struct buf text;
    buf_init(&text, MAX_TEXT);
    add_head(out, &text);
    buf_puts(&text, ",\"ended\":null,\"exit_status\":null,\"error\":null");
    add_places(out, &text);
    buf_puts(&text, ",\"ok\":false}\n");
    enum rc rc = summary_file_write(out->o->summary, &text, err);
    buf_release(&text);
    return rc;
}

static void tell_start(const struct ending *out)
{
    struct buf event;
    if (!tell_is_json() || out->o->quiet)
        return;
    tell_event_begin(&event, "start");
    buf_puts(&event, ",\"command\":");
    add_text(&event, out->command);
    buf_puts(&event, ",\"version\":");
    add_text(&event, version());
    add_places(out, &event);
    tell_event_end(&event);
}

enum rc ending_begin(struct ending *out, struct err *err)
{
    const struct options *o = out->o;
    if (strcmp(o->log, "text") != 0 && strcmp(o->log, "json") != 0)
        return err_set(err, RC_USAGE, "--log is text or json, not \"%s\"", o->log);
    if (o->summary && o->metrics && strcmp(o->summary, o->metrics) == 0)
        return err_set(err, RC_USAGE, "--summary and --metrics name one file");
    if (out->over) {
        (void)err_set(err, RC_USAGE, "--%s names a file that the command reads", out->over);
        return err_hint(err, "nothing is written over it: give a name of its own");
    }
    enum rc rc = summary_file_check("summary", o->summary, err);
    if (!rc)
        rc = summary_file_check("metrics", o->metrics, err);
    if (!rc && o->summary && !summary_file_is_stream(o->summary))
        rc = write_running(out, err);
    if (!rc)
        tell_start(out);
    return rc;
}

static enum rc write_ended(const struct ending *out, enum rc rc, struct err *err)
{
    struct buf text;
    buf_init(&text, MAX_TEXT);
    add_head(out, &text);
    buf_puts(&text, ",\"ended\":");
    add_stamp(&text, env_real.now_us(NULL));
    buf_addf(&text, ",\"exit_status\":%d,\"error\":", exit_status(rc));
    add_text(&text, rc ? err->msg : NULL);
    add_places(out, &text);
    buf_add_str(&text, buf_view(&out->members));
    buf_addf(&text, ",\"ok\":%s}\n", exit_status(rc) ? "false" : "true");
    text.rc = text.rc ? text.rc : out->members.rc;
    rc = summary_file_end(out->o->summary, &text, rc, err);
    buf_release(&text);
    return rc;
}

static void tell_end(const struct ending *out, int status)
{
    struct buf event;
    if (!tell_is_json() || out->o->quiet)
        return;
    int64_t us = env_real.mono_us(NULL) - out->start_mono_us;
    tell_event_begin(&event, "end");
    buf_addf(&event, ",\"exit_status\":%d,\"seconds\":%.3f", status, (double)us / 1e6);
    tell_event_end(&event);
}

/* When the command last went well, as the file that is about to be replaced says. */
static bool earlier_success(const struct ending *out, double *seconds)
{
    struct buf old;
    char piece[4096];
    size_t n = 0;
    FILE *f = summary_file_is_stream(out->o->metrics) ? NULL : fopen(out->o->metrics, "re");
    buf_init(&old, MAX_TEXT);
    while (f && (n = fread(piece, 1, sizeof piece, f)) > 0)
        buf_add(&old, piece, n);
    if (f)
        (void)fclose(f);
    bool found = metrics_find(buf_view(&old), LAST_SUCCESS, str_of(out->command), seconds);
    buf_release(&old);
    return found;
}

static enum rc write_metrics(struct ending *out, enum rc rc, struct err *err)
{
    struct metrics *m = &out->metrics;
    double start = (double)out->start_us / 1e6, end = (double)env_real.now_us(NULL) / 1e6;
    double success = end;
    bool known = !exit_status(rc) || earlier_success(out, &success);
    metrics_one(m, "renorm_start_time_seconds", "when the last call began", start);
    metrics_one(m, "renorm_end_time_seconds", "when the last call ended", end);
    metrics_one(m, "renorm_duration_seconds", "how long the last call took",
                (double)(env_real.mono_us(NULL) - out->start_mono_us) / 1e6);
    metrics_one(m, "renorm_exit_status", "how the last call ended", exit_status(rc));
    if (known)
        metrics_one(m, LAST_SUCCESS, "when a call last ended with status 0", success);
    metrics_begin(m, "renorm_info", "the version of the last call");
    metrics_add(m, "version", str_of(version()), 1);
    return summary_file_end(out->o->metrics, &m->text, rc, err);
}

int ending_end(struct ending *out, enum rc rc, struct err *err)
{
    if (out->o->summary && !out->over)
        rc = write_ended(out, rc, err);
    if (out->o->metrics && !out->over)
        rc = write_metrics(out, rc, err);
    int status = exit_tell(rc, err);
    tell_end(out, status);
    metrics_release(&out->metrics);
    buf_release(&out->members);
    return status;
}
