/* SPDX-License-Identifier: MIT */
/* Parsing by the table: --name VALUE, --name=VALUE, -x VALUE; words in between; "--" ends. */
#include "cmd/options.h"

#include <string.h>
#include <unistd.h>

#include "pipeline/model/read/reader.h"

void options_defaults(struct options *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *o = (struct options){0};
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        char *field = (char *)o + row->offset;
        if (row->kind == OPT_NUMBER) {
            *(uint64_t *)(void *)field = row->number;
        } else if (row->kind == OPT_TEXT) {
            *(const char **)(void *)field = row->text;
        }
    }
    o->workers = cores > 0 ? (uint64_t)cores : 1;
}

const struct command_row *options_command(const char *name)
{
    for (size_t i = 0; i < option_command_count; i++) {
        if (strcmp(option_commands[i].name, name) == 0)
            return &option_commands[i];
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

/* The option of the command that the name, without dashes, comes near to; or NULL. */
static const char *nearest(const struct command_row *c, struct str name)
{
    enum { MOST = 256 };
    const char *names[MOST];
    size_t n = 0;
    for (size_t i = 0; i < option_count && n < MOST; i++) {
        if (option_table[i].commands & (unsigned)c->bit)
            names[n++] = option_table[i].name;
    }
    return name_nearest(name, names, n);
}

static enum rc unknown(const struct command_row *c, const char *word, struct err *err)
{
    struct str name = str_of(word + strspn(word, "-"));
    const char *near = nearest(c, str_make(name.p, str_find(name, STR("="), 0)));
    (void)err_set(err, RC_USAGE, "no option \"%s\"", word);
    if (near)
        return err_hint(err, "did you mean --%s?", near);
    return err_hint(err, "\"renorm %s --help\" lists them", c->name);
}

/* The option is there, but for other commands. */
static enum rc of_others(const struct command_row *c, const struct option_row *row,
                         struct err *err)
{
    struct buf names;
    const char *near = nearest(c, str_of(row->name));
    (void)err_set(err, RC_USAGE, "\"renorm %s\" has no option --%s", c->name, row->name);
    if (near)
        return err_hint(err, "did you mean --%s?", near);
    buf_init(&names, 256);
    for (size_t i = 0; i < option_command_count; i++) {
        if (row->commands & (unsigned)option_commands[i].bit)
            buf_addf(&names, "%s%s", names.len ? ", " : "", option_commands[i].name);
    }
    (void)err_hint(err, "%s %s it", buf_cstr(&names),
                   strchr(buf_cstr(&names), ',') ? "have" : "has");
    buf_release(&names);
    return err->rc;
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
        return of_others(c, row, err);
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

static enum rc word(struct options *o, const char *text, struct err *err)
{
    if (o->nwords == MAX_WORDS) {
        return err_set(err, RC_USAGE, "more than %d arguments\nhint: name a folder", MAX_WORDS);
    }
    o->words[o->nwords++] = text;
    return RC_OK;
}

enum rc options_parse(struct options *o, const struct command_row *c, int argc, char **argv,
                      struct err *err)
{
    bool only_words = false;
    enum rc first = RC_OK;
    for (int i = 0; i < argc;) {
        int used = 1;
        struct err one = {0};
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (only_words || argv[i][0] != '-' || argv[i][1] == '\0') {
            one.rc = word(o, argv[i], &one);
        } else {
            one.rc = option(o, c, argv + i, argc - i, &used, &one);
        }
        if (one.rc && !first) {
            first = one.rc;
            *err = one;
        }
        i += used;
    }
    return first;
}

void options_help_text(const struct option_row *row, struct buf *out)
{
    const char *hole = strstr(row->help, "{}");
    if (!hole) {
        buf_puts(out, row->help);
        return;
    }
    buf_add(out, row->help, (size_t)(hole - row->help));
    if (row->kind == OPT_NUMBER) {
        buf_addf(out, "%llu", (unsigned long long)row->number);
    } else {
        buf_puts(out, row->text);
    }
    buf_puts(out, hole + 2);
}

/* Words from column 34 on, in lines of 90 at most. */
static void wrap(const char *text, struct buf *out)
{
    size_t column = 34;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, " ");
        if (column + n > 90) {
            buf_addf(out, "\n%34s", "");
            column = 34;
        } else if (p != text) {
            buf_putc(out, ' ');
        }
        buf_add(out, p, n);
        column += n + 1;
        p += n + (p[n] == ' ');
    }
}

static void help_row(const struct option_row *row, struct buf *out)
{
    char left[64];
    struct buf text;
    (void)snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
                   row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
                   row->arg ? " " : "", row->arg ? row->arg : "");
    buf_addf(out, "  %-32s", left);
    if (strlen(left) > 31)
        buf_addf(out, "\n%34s", "");
    buf_init(&text, BUF_NO_LIMIT);
    options_help_text(row, &text);
    wrap(buf_cstr(&text), out);
    buf_release(&text);
    buf_putc(out, '\n');
}

static void help_all(struct buf *out)
{
    buf_puts(out,
             "renorm takes DynamoDB single-table designs apart into relational tables.\n\n");
    for (size_t i = 0; i < option_command_count; i++) {
        buf_addf(out, "  renorm %-9s%s\n      %s\n", option_commands[i].name,
                 option_commands[i].synopsis, option_commands[i].help);
    }
    buf_puts(out, "\n  renorm --version     prints the version\n"
                  "  renorm --manual      prints the manual page: renorm --manual | man -l -\n"
                  "  renorm --completion  prints bash's completion: . <(renorm --completion)\n"
                  "\n\"renorm COMMAND --help\" lists the options of a command; \"man renorm\" "
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
