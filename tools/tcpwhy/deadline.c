/* SPDX-License-Identifier: MIT */
/* Knows the timer, and that a handler of signals may do little. */
#include "deadline.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "command.h"
#include "complain.h"
#include "replacement.h"

static void end(int signal_number)
{
    (void)signal_number;
    if (replacement_unfinished)
        unlink(replacement_unfinished);
    complain_at_once("tcpwhy: took longer than --timeout: give it more, or less to read\n");
    _exit(EXIT_CANNOT);
}

void deadline_begin(tcpwhy_ns after_ns)
{
    struct itimerval timer = { .it_value = { .tv_sec = after_ns / 1000000000,
                                             .tv_usec = after_ns % 1000000000 / 1000 } };

    if (after_ns == 0)
        return;
    signal(SIGALRM, end);
    setitimer(ITIMER_REAL, &timer, NULL);
}
