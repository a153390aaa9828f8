/* SPDX-License-Identifier: MIT */
/* Picks the command from the table and turns its result into an exit status. */
#include <stdio.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/exit.h"
#include "cmd/manual.h"
#include "cmd/options.h"
#include "cmd/version.h"

static int print(struct buf *text)
{
    bool ok = text->rc == RC_OK && fwrite(text->p, 1, text->len, stdout) == text->len &&
              fflush(stdout) == 0;
    buf_release(text);
    return ok ? EXIT_ALL_WELL : EXIT_RESUMABLE;
}

static int help(const struct command_row *c)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    options_help(c, &text);
    return print(&text);
}

/* `renorm --manual`, `renorm --completion`: how the build makes its files. */
static int generated(const char *what)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    if (strcmp(what, "--manual") == 0) {
        manual_page(&text);
    } else {
        manual_completion(&text);
    }
    return print(&text);
}

static int run(int argc, char **argv)
{
    struct options o;
    struct err err = {0};
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return argc < 2 ? (void)help(NULL), EXIT_USAGE : help(NULL);
    if (strcmp(argv[1], "--version") == 0)
        return printf("renorm %s\n", version()) > 0 ? EXIT_ALL_WELL : EXIT_RESUMABLE;
    if (strcmp(argv[1], "--manual") == 0 || strcmp(argv[1], "--completion") == 0)
        return generated(argv[1]);
    const struct command_row *c = command_find(argv[1]);
    if (!c) {
        (void)err_set(&err, RC_USAGE, "no command \"%s\"\nhint: \"renorm --help\" lists them",
                      argv[1]);
        return exit_tell(RC_USAGE, &err);
    }
    options_defaults(&o);
    enum rc rc = options_parse(&o, c, argc - 2, argv + 2, &err);
    if (rc != RC_OK)
        return exit_tell(rc, &err);
    if (o.help)
        return help(c);
    return c->main(&o);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    char **args = args_take(argc, argv);
    if (!args)
        return exit_tell(err_nomem(&err), &err);
    int status = run(argc, args);
    args_free(args);
    return status;
}
