/* SPDX-License-Identifier: MIT */
/*
 * A program that prints credentials. Its command line is cut into words as a shell would cut
 * it (quotes, backslashes), but no shell runs: nothing is expanded. What it prints is secret
 * and lives in a wiped buffer; what it says on standard error goes into the message. It gets no
 * secrets of ours, no descriptors, and neither time nor room without end.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html
 */
#define _GNU_SOURCE
#include "pipeline/aws/creds/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/aws/creds/creds_json.h"

enum {
    MAX_OUTPUT = 256 * 1024,
    MAX_COMPLAINT = 400,
    MAX_SECONDS = 60,
    SLICE_MS = 200,
    NAP_MS = 5,
    GRACE_MS = 2000
};

/* One character of a word, as the quoting before it says. */
struct splitter {
    struct str s;
    size_t at;
    char quote; /* '\'', '"' or 0 */
    bool in_word;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Handles the character at s->at; true if it ends the word. */
static bool step(struct splitter *s, struct buf *out)
{
    char c = s->s.p[s->at++];
    if (s->quote == 0 && is_blank(c))
        return s->in_word;
    s->in_word = true;
    if (c == s->quote) {
        s->quote = 0;
    } else if (s->quote == 0 && (c == '\'' || c == '"')) {
        s->quote = c;
    } else if (c == '\\' && s->quote != '\'' && s->at < s->s.n) {
        buf_putc(out, s->s.p[s->at++]);
    } else {
        buf_putc(out, c);
    }
    return false;
}

enum rc creds_process_split(struct str command, struct buf *text, char **words, size_t max,
                            struct err *err)
{
    size_t n = 0, starts[CREDS_PROCESS_WORDS];
    struct splitter s = {.s = command};
    while (s.at < command.n && n + 1 < max && n < CREDS_PROCESS_WORDS) {
        s.in_word = false;
        size_t start = text->len;
        while (s.at < command.n && !step(&s, text)) {
        }
        if (s.in_word) {
            starts[n++] = start;
            buf_putc(text, '\0');
        }
    }
    if (s.quote || s.at < command.n) {
        return err_set(err, RC_USAGE, "credential_process: %s",
                       s.quote ? "a quote is not closed" : "too many words");
    }
    if (n == 0)
        return err_set(err, RC_USAGE, "credential_process: no program is named");
    for (size_t i = 0; i < n; i++)
        words[i] = text->p + starts[i];
    words[n] = NULL;
    return buf_check(text, err);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* False at the end of the stream. */
static bool drain(int fd, struct buf *to)
{
    char chunk[4096];
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0)
        return errno == EINTR;
    buf_add(to, chunk, (size_t)n);
    volatile char *wipe = chunk;
    for (ssize_t i = 0; i < n; i++)
        wipe[i] = 0;
    return n > 0;
}

/* A program under way. */
struct child {
    pid_t pid;
    int out, complaint; /* what it prints and says is read here; -1: closed */
    struct buf *printed, said;
    int64_t until_us;
    int status;
};

/* An error if there is no more reason to wait for it. */
static enum rc check_time(const struct aws_settings *s, const struct child *c, struct err *err)
{
    if (http_go_on(&s->http, err))
        return err->rc;
    if (c->printed->rc) {
        return err_set(err, RC_AUTH, "credential_process: it prints more than %d bytes",
                       MAX_OUTPUT);
    }
    if (s->env->mono_us(s->env->ctx) < c->until_us)
        return RC_OK;
    return err_set(err, RC_AUTH, "credential_process: it has not ended after %d seconds",
                   MAX_SECONDS);
}

static enum rc collect(const struct aws_settings *s, struct child *c, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && (c->out >= 0 || c->complaint >= 0)) {
        struct pollfd fds[2] = {{.fd = c->out, .events = POLLIN},
                                {.fd = c->complaint, .events = POLLIN}};
        if (poll(fds, 2, SLICE_MS) < 0 && errno != EINTR)
            break;
        if (fds[0].revents && !drain(c->out, c->printed))
            close_fd(&c->out);
        if (fds[1].revents && !drain(c->complaint, &c->said))
            close_fd(&c->complaint);
        rc = check_time(s, c, err);
    }
    return rc;
}

/* True if it has ended. */
static bool ended(struct child *c)
{
    pid_t got = waitpid(c->pid, &c->status, WNOHANG);
    return got == c->pid || (got < 0 && errno != EINTR);
}

static void nap(void)
{
    (void)poll(NULL, 0, NAP_MS);
}

/* It is asked to end, and made to if it does not. */
static void put_down(struct child *c)
{
    (void)kill(c->pid, SIGTERM);
    for (int ms = 0; ms < GRACE_MS; ms += NAP_MS) {
        if (ended(c))
            return;
        nap();
    }
    (void)kill(c->pid, SIGKILL);
    while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR) {
    }
}

/* The environment without the secrets that are renorm's own. Returns owned, or NULL. */
static char **public_environment(void)
{
    static const struct str SECRETS[] = {{"RENORM_MASK_KEY=", 16}, {"PGPASSWORD=", 11}};
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **out = calloc(n + 1, sizeof(char *));
    for (size_t i = 0; out && i < n; i++) {
        bool secret = false;
        for (size_t k = 0; k < sizeof SECRETS / sizeof *SECRETS; k++)
            secret |= str_starts(str_of(environ[i]), SECRETS[k]);
        if (!secret)
            out[kept++] = environ[i];
    }
    return out;
}

/* Standard input may be the items: only a terminal is left to the child, for it may ask there. */
static int lay_descriptors(posix_spawn_file_actions_t *a, int out, int complaint)
{
    int code = 0;
    if (!isatty(STDIN_FILENO))
        code = posix_spawn_file_actions_addopen(a, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!code)
        code = posix_spawn_file_actions_adddup2(a, out, STDOUT_FILENO);
    if (!code)
        code = posix_spawn_file_actions_adddup2(a, complaint, STDERR_FILENO);
    return code ? code : posix_spawn_file_actions_addclosefrom_np(a, STDERR_FILENO + 1);
}

static enum rc spawn(char **words, int out, int complaint, pid_t *pid, struct err *err)
{
    posix_spawn_file_actions_t actions;
    const char *program = words[0] ? words[0] : "";
    char **environment = public_environment();
    if (!environment || posix_spawn_file_actions_init(&actions) != 0) {
        free(environment);
        return err_nomem(err);
    }
    int code = lay_descriptors(&actions, out, complaint);
    if (!code)
        code = posix_spawnp(pid, program, &actions, NULL, words, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (code)
        return err_errno(err, RC_AUTH, code, "credential_process: cannot run \"%s\"", program);
    return RC_OK;
}

static enum rc check_status(const struct child *c, const char *program, struct err *err)
{
    if (WIFEXITED(c->status) && WEXITSTATUS(c->status) == 0)
        return RC_OK;
    struct str said = buf_view(&c->said);
    while (said.n > 0 && strchr(" \r\n", said.p[said.n - 1]))
        said.n--;
    return err_set(err, RC_AUTH, "credential_process: \"%s\" ended with %s %d: %.*s", program,
                   WIFEXITED(c->status) ? "status" : "signal",
                   WIFEXITED(c->status) ? WEXITSTATUS(c->status) : WTERMSIG(c->status),
                   (int)(said.n < MAX_COMPLAINT ? said.n : MAX_COMPLAINT),
                   said.n ? said.p : "");
}

/* From the start to the end; a child that closed its output may still be at work. */
static enum rc attend(const struct aws_settings *s, struct child *c, const char *program,
                      struct err *err)
{
    enum rc rc = collect(s, c, err);
    bool over = false;
    while (!rc && !over) {
        over = ended(c);
        if (!over)
            nap();
        rc = over ? RC_OK : check_time(s, c, err);
    }
    if (!over)
        put_down(c);
    return rc ? rc : check_status(c, program, err);
}

static enum rc run(const struct aws_settings *s, char **words, struct buf *out, struct err *err)
{
    int std_out[2] = {-1, -1}, std_err[2] = {-1, -1};
    struct child c = {.pid = -1, .printed = out};
    enum rc rc = RC_OK;
    buf_init(&c.said, MAX_OUTPUT);
    if (pipe(std_out) != 0 || pipe(std_err) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "credential_process: pipe");
    if (!rc)
        rc = spawn(words, std_out[1], std_err[1], &c.pid, err);
    close_fd(&std_out[1]);
    close_fd(&std_err[1]);
    c.out = std_out[0];
    c.complaint = std_err[0];
    c.until_us = s->env->mono_us(s->env->ctx) + (int64_t)MAX_SECONDS * 1000000;
    if (!rc)
        rc = attend(s, &c, words[0], err);
    close_fd(&c.out);
    close_fd(&c.complaint);
    buf_release(&c.said);
    return rc ? rc : buf_check(out, err);
}

enum rc creds_process_get(const struct aws_settings *s, struct str command, struct creds *out,
                          struct err *err)
{
    struct buf text, printed;
    char *words[CREDS_PROCESS_WORDS + 1] = {NULL};
    buf_init(&text, MAX_OUTPUT);
    buf_init(&printed, MAX_OUTPUT);
    /* moving the buffer while it grows would leave copies of secrets behind */
    enum rc rc = buf_grow(&printed, MAX_OUTPUT) ? RC_OK : err_nomem(err);
    if (!rc)
        rc = creds_process_split(command, &text, words, CREDS_PROCESS_WORDS + 1, err);
    if (!rc)
        rc = run(s, words, &printed, err);
    if (!rc) {
        rc = creds_json_read(buf_view(&printed), &creds_names_process, "credential_process",
                             out, err);
    }
    buf_wipe(&printed);
    buf_release(&text);
    return rc;
}
