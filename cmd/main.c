/* SPDX-License-Identifier: MIT */
/* Picks the command from the table and turns its result into an exit status. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/ending.h"
#include "cmd/exit.h"
#include "cmd/manual.h"
#include "cmd/print/tell.h"
#include "cmd/secret_args.h"
#include "cmd/signals.h"
#include "cmd/version.h"
#include "pipeline/model/read/reader.h"

/*
 * A standard descriptor that is closed would become that of the next file opened, and a sheet
 * would be printed into it. It is made one that cannot be read or written.
 */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

/*
 * What could not be printed counts where it is all there is; a run that has done its work is not
 * undone by it, so there it is only told.
 */
static enum rc flushed(enum rc rc, bool counts, struct err *err)
{
    static const char WHY[] = "standard output could not be written";
    bool bad = fflush(stdout) != 0;
    if (!bad && !ferror(stdout))
        return rc;
    if (!rc && counts)
        return err_set(err, RC_TRANSIENT, "%s", WHY);
    tell_warning("%s", WHY);
    return rc;
}

static int print(struct buf *text)
{
    struct err err = {0};
    enum rc rc = buf_check(text, &err);
    if (!rc)
        (void)fwrite(text->p, 1, text->len, stdout);
    buf_release(text);
    rc = flushed(rc, true, &err);
    return exit_tell(rc, &err);
}

static int help(const struct command_row *c)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    options_help(c, &text);
    return print(&text);
}

/* The build calls `renorm --manual` and `renorm --completion` to make its files. */
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

static int print_version(void)
{
    struct buf text;
    buf_init(&text, 4096);
    buf_addf(&text, "renorm %s\n", version());
    return print(&text);
}

/* Commands whose work stands when the sheet about it could not be printed. */
static bool works(const struct command_row *c, const struct options *o)
{
    return (c->bit == CMD_EXPORT || c->bit == CMD_BACKFILL) && !o->dry_run;
}

static enum rc no_command(const struct options *o, struct ending *out, struct err *err)
{
    enum { MOST = 32 };
    const char *names[MOST] = {"--help", "--version", "--manual", "--completion"};
    size_t n = 4;
    (void)o;
    for (size_t i = 0; i < option_command_count && n < MOST; i++)
        names[n++] = option_commands[i].name;
    const char *near = name_nearest(str_of(out->command), names, n);
    (void)err_set(err, RC_USAGE, "no command \"%s\"", out->command);
    if (near)
        return err_hint(err, "did you mean \"renorm %s\"?", near);
    return err_hint(err, "\"renorm --help\" lists them");
}

static bool secret_seen; /* a password was among the words */

/* argv is what follows the command's name. */
static int command(const struct command_row *c, int argc, char **argv)
{
    struct options o;
    struct ending out;
    struct err err = {0};
    options_defaults(&o);
    enum rc rc = options_parse(&o, c, argc, argv, &err);
    if (!rc && o.help && c->help)
        return help(c);
    if (c->main == no_command)
        rc = RC_OK; /* its own error says more than one about its options */
    ending_init(&out, c->name, c->bit, &o);
    if (secret_seen) {
        tell_warning("others could see the password on the command line for an instant; "
                     "PGPASSWORD or ~/.pgpass hide it");
    }
    if (!rc)
        rc = ending_begin(&out, &err);
    if (!rc)
        rc = c->main(&o, &out, &err);
    rc = flushed(rc, !works(c, &o), &err);
    (void)secret_args_hide(err.msg); /* it may quote a word */
    return ending_end(&out, rc, &err);
}

static int run(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return argc < 2 ? (void)help(NULL), EXIT_USAGE : help(NULL);
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    if (strcmp(argv[1], "--manual") == 0 || strcmp(argv[1], "--completion") == 0)
        return generated(argv[1]);
    struct command_row unknown = {.name = argv[1], .bit = CMD_ALL, .main = no_command};
    const struct command_row *c = options_command(argv[1]);
    if (!c)
        (void)secret_args_hide(argv[1]); /* it is repeated as the command's name */
    return command(c ? c : &unknown, argc - 2, argv + 2);
}

/* A sink may keep a file open for each table: the soft limit is for those who did not ask. */
static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    occupy_standard_descriptors();
    signals_ignore_pipe();
    raise_file_limit();
    char **args = secret_args_take(argc, argv, &secret_seen);
    if (!args)
        return exit_tell(err_nomem(&err), &err);
    int status = run(argc, args);
    secret_args_free(args);
    return status;
}
