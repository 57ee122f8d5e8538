/* SPDX-License-Identifier: MIT */
/*
 * Facts are added to a report with their sentences.
 */
#ifndef TW_REPORT_FACTS_ADD_FACT_H
#define TW_REPORT_FACTS_ADD_FACT_H

#include "report/report.h"

/* No more are told of one kind; the rest is in the listeners and in the table of ports. */
#define TW_FACTS_OF_A_KIND 3

/* Add a fact with its sentence, which is copied. */
void tw_add_fact(struct tcpwhy_report *report, const struct tcpwhy_fact *fact,
                 const tw_string *text);

#endif
