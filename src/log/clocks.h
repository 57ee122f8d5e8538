/* SPDX-License-Identifier: MIT */
/*
 * Two capture points with different clocks. If one is early by more than the delay between them,
 * the farther point seems to see packets first, until a queue makes the delay long enough.
 */
#ifndef TW_LOG_CLOCKS_H
#define TW_LOG_CLOCKS_H

#include "log/duplicate_packets.h"

/*
 * Find packets of a side that seem to appear first at the point farther from it, assuming that the
 * nearer point sees the other side's packets first. @param late  set for both records of such a
 * packet; initially all false.
 */
void tw_clocks_compare(const struct tw_connection *connection, const struct tw_log *log,
                       const struct tw_duplicate_packets *duplicates, enum tcpwhy_side sender,
                       bool *late);

#endif
