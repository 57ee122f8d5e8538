/* SPDX-License-Identifier: MIT */
/*
 * Was a handshake set aside for good? A listener with a full accept queue drops the ACK that ends a
 * handshake, and all data. One that keeps the request sends its SYN/ACK again (tcp_synack_retries);
 * one that answered by a SYN cookie (RFC 4987, 3.6) has kept nothing, and is never heard again.
 */
#ifndef TW_LOG_SET_ASIDE_H
#define TW_LOG_SET_ASIDE_H

#include "log/log.h"

/* @return whether the server sends nothing more after a SYN/ACK that was acknowledged, while the
 * client repeats its first data for longer than the timer of a SYN/ACK. Where these repeats arrive
 * at its host, that host has no such connection. */
bool tw_log_is_set_aside(const struct tw_log *log);

#endif
