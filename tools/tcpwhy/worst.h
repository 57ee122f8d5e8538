/* SPDX-License-Identifier: MIT */
/* The stream to draw when none is named. */
#ifndef WORST_H
#define WORST_H

#include "args.h"

/*
 * The stream of the costliest finding in the first capture, or the first stream there is; found by
 * reading it once more.
 * @return false when there is none, or the capture cannot be read.
 */
bool worst_stream(const struct args *args, const char *capture, uint32_t *stream);

#endif
