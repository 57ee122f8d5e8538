/* SPDX-License-Identifier: MIT */
/* A command's limit of time. */
#ifndef DEADLINE_H
#define DEADLINE_H

#include <tcpwhy/tcpwhy.h>

/* End the process after so long, wherever it is then, and say why; 0: never. */
void deadline_begin(tcpwhy_ns after_ns);

#endif
