/* SPDX-License-Identifier: MIT */
/* A command keeps access only to what its command line names. */
#ifndef CONFINE_H
#define CONFINE_H

#include "args.h"
#include "sandbox.h"

/* Lock the process in with the files that are named, the filter and the output. */
void confine(const struct args *args);

#endif
