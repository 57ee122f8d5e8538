/* SPDX-License-Identifier: MIT */
/* The members of all public structs: a table that tools/dev/layout.py generates from the headers.
 */
#ifndef TW_BASE_LAYOUT_H
#define TW_BASE_LAYOUT_H

#include <tcpwhy/layout.h>

extern const struct tcpwhy_member tw_layout[];
extern const size_t tw_layout_count;

#endif
