/* SPDX-License-Identifier: MIT */
/* What goes to standard error. */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include <string.h>
#include <unistd.h>

/*
 * "tcpwhy: FILE: what, and what to do" in one line. Names of files are hostile as those in captures
 * are: what moves a terminal's cursor or turns its text around is written out.
 */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A whole line, from a signal's handler. */
static inline void complain_at_once(const char *line)
{
    size_t len = strlen(line);
    ssize_t n;

    while (len > 0 && (n = write(STDERR_FILENO, line, len)) > 0) {
        line += n;
        len -= (size_t)n;
    }
}

#endif
