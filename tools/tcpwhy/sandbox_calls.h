/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_CALLS_H
#define SANDBOX_CALLS_H

#include <stdbool.h>

/* From now on, refuse what no command needs; the network stays open to one that asks names. */
void sandbox_refuse_calls(bool asks_names);

/* Was tcpwhy built with libseccomp, and has the kernel filters? */
bool sandbox_calls_work(void);

#endif
