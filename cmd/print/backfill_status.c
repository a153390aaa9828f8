/* SPDX-License-Identifier: MIT */
/*
 * All is read from disk, and without the model, so entities are counted together. The rate is that
 * of the whole pass, from its start to the last record, pauses included.
 */
#include "cmd/print/backfill_status.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/base/json.h"
#include "pipeline/item/timestamp.h"
#include "sinks/dynamodb/journal/history.h"

enum { ROWS = 4096 }; /* more entities than any model has */

struct pass_view {
    const struct pass_info *info;
    bool under_way;
    long pid;
    uint32_t done; /* segments */
    uint64_t items, fates[FATES];
    size_t open;    /* writes without a known outcome */
    double seconds; /* from the start to the last record; 0: not known */
};

static int64_t newest_log(const struct state *s, uint32_t pass)
{
    char path[FS_PATH], prefix[16];
    struct fs_list list = {0};
    struct err ignored = {0};
    struct stat st;
    int64_t newest = 0;
    fs_path(path, STATE_OWN "log", s->dir);
    (void)snprintf(prefix, sizeof prefix, "%04u-", pass);
    if (fs_list(path, &list, &ignored))
        return 0;
    for (size_t i = 0; i < list.n; i++) {
        fs_path(path, STATE_OWN "log/%s", s->dir, list.names[i]);
        if (!str_starts(str_of(list.names[i]), str_of(prefix)) || stat(path, &st) != 0)
            continue;
        int64_t at = (int64_t)st.st_mtim.tv_sec * 1000000 + st.st_mtim.tv_nsec / 1000;
        newest = at > newest ? at : newest;
    }
    fs_list_release(&list);
    return newest;
}

static enum rc view(const struct state *s, const struct pass_info *pass, struct pass_view *v,
                    struct err *err)
{
    struct resume_point st;
    enum rc rc = resume_point_read(&st, s, pass, ROWS, err);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < pass->segments; i++)
        v->done += st.segments[i].done;
    for (uint32_t i = 0; i < st.rows * FATES; i++) {
        v->fates[i % FATES] += st.counts[i];
        v->items += st.counts[i];
    }
    /* Intents that a finished pass left open were followed by later ones of the same items. */
    for (size_t i = 0; i < st.nintents && !pass->finished; i++)
        v->open += st.intents[i].open;
    resume_point_release(&st);
    int64_t last = newest_log(s, pass->number);
    if (last > pass->now_us)
        v->seconds = (double)(last - pass->now_us) / 1e6;
    return RC_OK;
}

static const char *state_word(const struct pass_view *v)
{
    const struct pass_info *p = v->info;
    if (v->under_way)
        return "under-way";
    if (p->undone)
        return "undone";
    if (p->finished)
        return "finished";
    return p->abandoned ? "abandoned" : "cut-short";
}

static const char *state_text(const struct pass_view *v)
{
    const char *word = state_word(v);
    if (strcmp(word, "cut-short") == 0)
        return "cut short, can be resumed";
    return strcmp(word, "under-way") == 0 ? "under way" : word;
}

static double rate(const struct pass_view *v)
{
    return v->seconds > 0 ? (double)v->items / v->seconds : 0;
}

static void text_pass(const struct pass_view *v, struct buf *out)
{
    const struct pass_info *p = v->info;
    buf_addf(out, "pass %u: %s, %s", p->number, p->kind == PASS_UNDO ? "undo" : "backfill",
             state_text(v));
    if (v->under_way)
        buf_addf(out, " (process %ld)", v->pid);
    if (p->model.n)
        buf_addf(out, "\n  model %.12s", p->model.p);
    buf_puts(out, "\n  started ");
    timestamp_add_stamp(out, p->now_us);
    buf_addf(out, "\n  processes so far %u\n", p->generations);
    if (p->kind == PASS_FILL)
        buf_addf(out, "  segments %u of %u done\n", v->done, p->segments);
    buf_addf(out, "  %-30s %14" PRIu64 "\n", "items", v->items);
    for (int f = 0; f < FATES; f++)
        buf_addf(out, "  %-30s %14" PRIu64 "\n", recipe_fate_names[f], v->fates[f]);
    if (v->open)
        buf_addf(out, "  %-30s %14zu\n", "writes of unknown outcome", v->open);
    if (v->seconds > 0)
        buf_addf(out, "  %.0f items/s over %.0f s\n", rate(v), v->seconds);
}

static void json_pass(const struct pass_view *v, struct buf *out)
{
    const struct pass_info *p = v->info;
    buf_addf(out, "{\"pass\":%u,\"kind\":\"%s\",\"state\":\"%s\",\"model_hash\":", p->number,
             p->kind == PASS_UNDO ? "undo" : "backfill", state_word(v));
    json_add_string(out, p->model);
    buf_puts(out, ",\"started\":\"");
    timestamp_add_stamp(out, p->now_us);
    buf_addf(out,
             "\",\"processes\":%u,\"segments\":%u,\"segments_done\":%u,"
             "\"items\":{\"read\":%" PRIu64,
             p->generations, p->segments, v->done, v->items);
    for (int f = 0; f < FATES; f++)
        buf_addf(out, ",\"%s\":%" PRIu64, recipe_fate_names[f], v->fates[f]);
    buf_addf(out, "},\"open\":%zu,\"seconds\":%.1f,\"items_per_second\":%.1f}", v->open,
             v->seconds, rate(v));
}

enum rc backfill_status(const char *dir, bool json, struct buf *out, struct err *err)
{
    struct state s = {.lock = -1};
    char path[FS_PATH];
    fs_path(path, "%s/state.json", dir);
    if (access(path, F_OK) != 0)
        return RC_NONE;
    enum rc rc = state_look(&s, dir, err);
    if (rc)
        return rc;
    long pid = 0;
    bool busy = state_busy(dir, &pid);
    if (json) {
        buf_puts(out, "{\"table\":");
        json_add_string(out, s.table);
        buf_puts(out, ",\"passes\":[");
    } else {
        buf_addf(out, "%.*s\n", STR_FMT(s.table));
    }
    for (uint32_t i = 0; !rc && i < s.n; i++) {
        bool last = i + 1 == s.n;
        struct pass_view v = {.info = &s.passes[i], .under_way = busy && last, .pid = pid};
        rc = view(&s, &s.passes[i], &v, err);
        if (rc)
            break;
        buf_puts(out, json && i ? "," : "");
        json ? json_pass(&v, out) : text_pass(&v, out);
    }
    if (json)
        buf_puts(out, "]}\n");
    state_close(&s);
    return rc;
}
