/* SPDX-License-Identifier: MIT */
/*
 * Two points of a way, each with a clock of its own: when one is early by more than the way takes,
 * the farther point seems to see a packet first, until a queue makes the way long enough.
 */
#ifndef TW_LOG_CLOCKS_H
#define TW_LOG_CLOCKS_H

#include "log/duplicate_packets.h"

/*
 * Which packets of a side does the point farther from it seem to see first, if of the other side's
 * packets the nearer one sees each first?
 * @param late  set for both records of such a packet; all of the log's begin as false.
 */
void tw_clocks_compare(const struct tw_connection *connection, const struct tw_log *log,
                       const struct tw_duplicate_packets *duplicates, enum tcpwhy_side sender,
                       bool *late);

#endif
