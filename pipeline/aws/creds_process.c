/* SPDX-License-Identifier: MIT */
/*
 * A program that prints credentials. Its command line is cut into words as a shell would cut
 * it (quotes, backslashes), but no shell runs: nothing is expanded. What it prints is secret
 * and lives in a wiped buffer; what it says on standard error goes into the message.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html
 */
#include "pipeline/aws/creds_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/aws/creds_json.h"

extern char **environ;

enum { MAX_OUTPUT = 256 * 1024, MAX_COMPLAINT = 400, SLICE_MS = 200 };

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

/* RC_CANCEL if the operator does not want to wait for the end of it. */
static enum rc collect(const struct aws_settings *s, int *out_fd, struct buf *out, int *err_fd,
                       struct buf *complaint, struct err *err)
{
    while (*out_fd >= 0 || *err_fd >= 0) {
        if (http_go_on(&s->http, err) != RC_OK)
            return err->rc;
        struct pollfd fds[2] = {{.fd = *out_fd, .events = POLLIN},
                                {.fd = *err_fd, .events = POLLIN}};
        if (poll(fds, 2, SLICE_MS) < 0 && errno != EINTR)
            break;
        if (fds[0].revents && !drain(*out_fd, out))
            close_fd(out_fd);
        if (fds[1].revents && !drain(*err_fd, complaint))
            close_fd(err_fd);
    }
    return RC_OK;
}

static enum rc spawn(char **words, const int out[2], const int complaint[2], pid_t *pid,
                     struct err *err)
{
    posix_spawn_file_actions_t actions;
    const char *program = words[0] ? words[0] : "";
    if (posix_spawn_file_actions_init(&actions) != 0)
        return err_nomem(err);
    int code = posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (!code)
        code = posix_spawn_file_actions_adddup2(&actions, complaint[1], STDERR_FILENO);
    for (int i = 0; i < 2 && !code; i++) {
        code = posix_spawn_file_actions_addclose(&actions, out[i]);
        if (!code)
            code = posix_spawn_file_actions_addclose(&actions, complaint[i]);
    }
    if (!code)
        code = posix_spawnp(pid, program, &actions, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (code)
        return err_errno(err, RC_AUTH, code, "credential_process: cannot run \"%s\"", program);
    return RC_OK;
}

static enum rc wait_for(pid_t pid, const char *program, struct buf *complaint, struct err *err)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return RC_OK;
    struct str said = buf_view(complaint);
    while (said.n > 0 && strchr(" \r\n", said.p[said.n - 1]))
        said.n--;
    return err_set(err, RC_AUTH, "credential_process: \"%s\" ended with %s %d: %.*s", program,
                   WIFEXITED(status) ? "status" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
                   (int)(said.n < MAX_COMPLAINT ? said.n : MAX_COMPLAINT),
                   said.n ? said.p : "");
}

static enum rc run(const struct aws_settings *s, char **words, struct buf *out, struct err *err)
{
    int std_out[2] = {-1, -1}, std_err[2] = {-1, -1};
    pid_t pid = -1;
    struct buf complaint;
    buf_init(&complaint, MAX_OUTPUT);
    enum rc rc = RC_OK;
    if (pipe(std_out) != 0 || pipe(std_err) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "credential_process: pipe");
    if (!rc)
        rc = spawn(words, std_out, std_err, &pid, err);
    close_fd(&std_out[1]);
    close_fd(&std_err[1]);
    if (!rc) {
        struct err ignored = {0};
        rc = collect(s, &std_out[0], out, &std_err[0], &complaint, err);
        if (rc)
            (void)kill(pid, SIGTERM);
        enum rc end = wait_for(pid, words[0], &complaint, rc ? &ignored : err);
        rc = rc ? rc : end;
    }
    close_fd(&std_out[0]);
    close_fd(&std_err[0]);
    buf_release(&complaint);
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
