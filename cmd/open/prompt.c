/* SPDX-License-Identifier: MIT */
/* The controlling terminal is opened for the question alone; its echo is back afterwards. */
#include "cmd/open/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static enum rc read_line(int fd, struct buf *answer, struct err *err)
{
    char c = 0;
    ssize_t n;
    while ((n = read(fd, &c, 1)) == 1 && c != '\n' && c != '\r')
        buf_putc(answer, c);
    if (n < 0 && errno == EINTR)
        return err_set(err, RC_CANCEL, "interrupted");
    if (n < 0)
        return err_errno(err, RC_AUTH, errno, "cannot read from the terminal");
    return buf_check(answer, err);
}

enum rc prompt_terminal(const char *prompt, struct buf *answer, struct err *err)
{
    struct termios shown, hidden;
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || tcgetattr(fd, &shown) != 0) {
        if (fd >= 0)
            (void)close(fd);
        return RC_NONE;
    }
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    (void)tcsetattr(fd, TCSAFLUSH, &hidden);
    enum rc rc = write(fd, prompt, strlen(prompt)) < 0
                     ? err_errno(err, RC_AUTH, errno, "cannot write to the terminal")
                     : read_line(fd, answer, err);
    (void)tcsetattr(fd, TCSANOW, &shown);
    (void)!write(fd, "\n", 1);
    (void)close(fd);
    return rc;
}
