/* SPDX-License-Identifier: MIT */
/* Error texts of public functions. */
#ifndef TW_BASE_ERRORS_H
#define TW_BASE_ERRORS_H

#include <stddef.h>

/*
 * Write "about: text" (only text when about is empty; tcpwhy_strerror() when text is NULL) into a
 * caller's buffer, cut to its length. @return the code.
 */
int tw_error_tell(char *error, size_t error_size, int code, const char *about, const char *text);

#endif
