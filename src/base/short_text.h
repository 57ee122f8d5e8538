/* SPDX-License-Identifier: MIT */
/*
 * A short text by value. It lives until the end of the expression in which it was made (C11,
 * 6.2.4): pass on its text there, and keep the struct where it is needed for longer.
 */
#ifndef TW_BASE_SHORT_TEXT_H
#define TW_BASE_SHORT_TEXT_H

#include <tcpwhy/types.h>

/* Holds a number with its unit, an endpoint, the name of a class. */
#define TW_SHORT_TEXT 64

struct tw_short_text {
    char text[TW_SHORT_TEXT];
};

_Static_assert(TCPWHY_ENDPOINT_TEXT <= TW_SHORT_TEXT, "an endpoint fits");

/* "10.9.0.2:8080"; the same without its port. "" of none. */
struct tw_short_text tw_endpoint(const struct tcpwhy_endpoint *endpoint);
struct tw_short_text tw_host(const struct tcpwhy_endpoint *endpoint);

#endif
