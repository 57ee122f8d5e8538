/* SPDX-License-Identifier: MIT */
/*
 * The client's own time between connecting and its first request: nobody waits then, except perhaps
 * the user.
 */
#ifndef TW_REPORT_FACTS_BEFORE_ASKING_H
#define TW_REPORT_FACTS_BEFORE_ASKING_H

#include "report/report.h"
#include "report/rows/connection_result.h"

/* Read it off one connection. */
struct tw_before_asking tw_before_asking_read(const struct tw_connection_result *result);
void tw_before_asking_add(struct tw_before_asking *sum, const struct tw_before_asking *more);

/* Write a fact for each listener whose clients spent most of their time so. */
void tw_before_asking_find(struct tcpwhy_report *report);

#endif
