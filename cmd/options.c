/* SPDX-License-Identifier: MIT */
/* Parsing by the table: --name VALUE, --name=VALUE, -x VALUE; words in between; "--" ends. */
#include "cmd/options.h"

#include <string.h>
#include <unistd.h>

#include "sinks/pg_sink.h"

void options_defaults(struct options *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *o = (struct options){.workers = cores > 0 ? (uint64_t)cores : 1,
                          .commit_mb = 16,
                          .commit_seconds = 10,
                          .max_rejects = "0",
                          .max_unrouted = "0",
                          .log = "text",
                          .level = 3,
                          .part_mb = 256,
                          .open_parts = 16,
                          .mode = "replace",
                          .orphans = "keep",
                          .keep_runs = PG_KEEP_RUNS,
                          .in_flight = 64,
                          .give_up = "900",
                          .max_age = "24"};
}

const struct command_row *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    }
    return NULL;
}

static const struct option_row *find(struct str name)
{
    for (size_t i = 0; i < option_count; i++) {
        if (str_is(name, option_table[i].name))
            return &option_table[i];
    }
    return NULL;
}

static const struct option_row *find_letter(char c)
{
    for (size_t i = 0; i < option_count; i++) {
        if (c && option_table[i].letter == c)
            return &option_table[i];
    }
    return NULL;
}

static enum rc set(struct options *o, const struct option_row *row, const char *value,
                   struct err *err)
{
    char *field = (char *)o + row->offset;
    if (row->kind == OPT_FLAG) {
        *(bool *)field = true;
        return RC_OK;
    }
    if (row->kind == OPT_TEXT) {
        *(const char **)(void *)field = value;
        return RC_OK;
    }
    unsigned long long n = 0;
    if (!str_uint(str_of(value), &n) || n < row->min || n > row->max) {
        return err_set(err, RC_USAGE, "--%s takes a number from %llu to %llu, not \"%s\"",
                       row->name, (unsigned long long)row->min, (unsigned long long)row->max,
                       value);
    }
    *(uint64_t *)(void *)field = n;
    return RC_OK;
}

static enum rc unknown(const struct command_row *c, const char *word, struct err *err)
{
    (void)err_set(err, RC_USAGE, "no option \"%s\"", word);
    return err_hint(err, "\"renorm %s --help\" lists them", c->name);
}

/* One option word; *used is how many words of argv it took. */
static enum rc option(struct options *o, const struct command_row *c, char **argv, int left,
                      int *used, struct err *err)
{
    const char *word = argv[0];
    bool is_long = word[1] == '-';
    const char *equals = is_long ? strchr(word, '=') : NULL;
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    const struct option_row *row = is_long        ? find(str_make(word + 2, n - 2))
                                   : word[2] == 0 ? find_letter(word[1])
                                                  : NULL;
    *used = 1;
    if (!row)
        return unknown(c, word, err);
    if (!(row->commands & (unsigned)c->bit))
        return err_set(err, RC_USAGE, "\"renorm %s\" has no option --%s", c->name, row->name);
    if (row->kind == OPT_FLAG) {
        if (equals)
            return err_set(err, RC_USAGE, "--%s takes no value", row->name);
        return set(o, row, NULL, err);
    }
    if (equals)
        return set(o, row, equals + 1, err);
    if (left < 2)
        return err_set(err, RC_USAGE, "--%s needs %s", row->name, row->arg);
    *used = 2;
    return set(o, row, argv[1], err);
}

enum rc options_parse(struct options *o, const struct command_row *c, int argc, char **argv,
                      struct err *err)
{
    bool only_words = false;
    for (int i = 0; i < argc;) {
        const char *word = argv[i];
        int used = 1;
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (only_words || word[0] != '-' || word[1] == '\0') {
            if (o->nwords == MAX_WORDS) {
                return err_set(err, RC_USAGE, "more than %d arguments\nhint: name a folder",
                               MAX_WORDS);
            }
            o->words[o->nwords++] = word;
        } else {
            enum rc rc = option(o, c, argv + i, argc - i, &used, err);
            if (rc != RC_OK)
                return rc;
        }
        i += used;
    }
    return RC_OK;
}

static void help_row(const struct option_row *row, struct buf *out)
{
    char left[64];
    (void)snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
                   row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
                   row->arg ? " " : "", row->arg ? row->arg : "");
    buf_addf(out, "  %-32s", left);
    if (strlen(left) > 31)
        buf_addf(out, "\n%34s", "");
    size_t column = 34;
    for (const char *p = row->help; *p;) {
        size_t n = strcspn(p, " ");
        if (column + n > 90) {
            buf_addf(out, "\n%34s", "");
            column = 34;
        } else if (p != row->help) {
            buf_putc(out, ' ');
        }
        buf_add(out, p, n);
        column += n + 1;
        p += n + (p[n] == ' ');
    }
    buf_putc(out, '\n');
}

static void help_all(struct buf *out)
{
    buf_puts(out,
             "renorm takes DynamoDB single-table designs apart into relational tables.\n\n");
    for (size_t i = 0; i < command_count; i++) {
        buf_addf(out, "  renorm %-9s%s\n      %s\n", command_table[i].name,
                 command_table[i].synopsis, command_table[i].help);
    }
    buf_puts(out, "\n\"renorm COMMAND --help\" lists the options of a command; \"man renorm\" "
                  "has it all.\n");
}

void options_help(const struct command_row *c, struct buf *out)
{
    if (!c) {
        help_all(out);
        return;
    }
    buf_addf(out, "renorm %s %s\n\n%s\n", c->name, c->synopsis, c->help);
    const char *group = NULL;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (!(row->commands & (unsigned)c->bit))
            continue;
        if (row->group != group)
            buf_addf(out, "\n%s:\n", row->group);
        group = row->group;
        help_row(row, out);
    }
}
