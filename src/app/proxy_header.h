/* SPDX-License-Identifier: MIT */
/*
 * The header that a proxy puts before what it passes on: the PROXY protocol, versions 1 and 2
 * (HAProxy, proxy-protocol.txt). A sender sends it whole, in one segment.
 */
#ifndef TW_APP_PROXY_HEADER_H
#define TW_APP_PROXY_HEADER_H

#include <stddef.h>

#include "base/bytes.h"

/* @return its length; 0: the bytes begin with none, or only with a part of one. */
size_t tw_proxy_header(struct tw_bytes first);

#endif
