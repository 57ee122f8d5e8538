/* SPDX-License-Identifier: MIT */
/* Option structs of callers built with other versions of the headers. */
#ifndef TW_BASE_OPTIONS_H
#define TW_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copy a struct with a leading struct_size; NULL gives zeros. Fields unknown to the caller become
 * 0. @return false if fields unknown to us are not 0.
 */
bool tw_options_copy(void *own, size_t size, const void *given);

#endif
