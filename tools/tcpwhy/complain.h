/* SPDX-License-Identifier: MIT */
/* Messages on standard error. */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include <string.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

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

/* Memory ran out: one line, and the end. */
_Noreturn void complain_of_memory(void);

/* Report memory that ran out in the library. @return the status. */
static inline int check_memory(int status)
{
    if (status == TCPWHY_ERR_MEMORY)
        complain_of_memory();
    return status;
}

/* A row that is there, which can be had unless memory ran out. */
static inline const void *check_row(const void *row)
{
    if (!row)
        complain_of_memory();
    return row;
}

/* The same of GLib, which says it in its last words. */
void complain_at_the_end(void);

#endif
