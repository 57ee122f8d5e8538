/* SPDX-License-Identifier: MIT */
/*
 * Numbers of members of the public enumerations, for arrays inside of the library. Programs ask
 * functions, since a later library may know more.
 */
#ifndef TW_BASE_COUNTS_H
#define TW_BASE_COUNTS_H

#include <tcpwhy/compare.h>
#include <tcpwhy/facts.h>
#include <tcpwhy/failures.h>
#include <tcpwhy/graph.h>
#include <tcpwhy/segment.h>
#include <tcpwhy/tables.h>
#include <tcpwhy/types.h>

#define TW_N_CAUSES   (TCPWHY_NEXT_HOP + 1) /* the member that stands last */
#define TW_N_CHANGES  (TCPWHY_CHANGE_UNKNOWN + 1)
#define TW_N_CLASSES  (TCPWHY_CLASS_RST + 1)
#define TW_N_FAILURES (TCPWHY_FAILURE_REQUEST_UNANSWERED + 1)
#define TW_N_GRAPHS   (TCPWHY_GRAPH_CWND + 1)
#define TW_N_SILENCES (TCPWHY_SILENCE_FAST_OPEN + 1)
#define TW_N_TABLES   (TCPWHY_TABLE_FAILURES + 1)

#endif
