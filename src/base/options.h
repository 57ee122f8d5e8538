/* SPDX-License-Identifier: MIT */
/* Option structs of callers built with other versions of the headers. */
#ifndef TW_BASE_OPTIONS_H
#define TW_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <tcpwhy/tcpwhy.h>

/*
 * Copy a struct with a leading struct_size; NULL gives zeros. Fields unknown to the caller become
 * 0. @return false if fields unknown to us are not 0.
 */
bool tw_options_copy(void *own, size_t size, const void *given);

/* Is the size that such a struct begins with one that a program can have set? */
bool tw_size_is_set(const void *given);

/*
 * The other way: fill a caller's struct, whose size is set, from ours as far as it goes. It keeps
 * its struct_size; what we do not know becomes 0.
 */
void tw_result_copy(void *given, const void *own, size_t size);

/* The callbacks of an analysis, all NULL when there are none. */
const struct tcpwhy_callbacks *tw_callbacks(const struct tcpwhy_options *options);

#endif
