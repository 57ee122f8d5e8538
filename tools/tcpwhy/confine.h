/* SPDX-License-Identifier: MIT */
/* What a command line asks for is all that its command is left. */
#ifndef CONFINE_H
#define CONFINE_H

#include "args.h"
#include "sandbox.h"

/* Lock the process in with the files that are named, the filter and the output. */
void confine(const struct args *args);

#endif
