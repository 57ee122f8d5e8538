/* SPDX-License-Identifier: MIT */
/* Groups files into captures, some of which were rotated: the library decides which, from their
 * times. */
#ifndef BATCH_CHAINS_H
#define BATCH_CHAINS_H

#include "batch.h"

/* Take the files (struct file), give jobs (struct job). */
GPtrArray *chains_of(GPtrArray *files, enum tcpwhy_chaining how);

#endif
