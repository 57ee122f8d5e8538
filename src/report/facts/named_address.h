/* SPDX-License-Identifier: MIT */
/*
 * Addresses that a server named in its answers, as where its data or another of its cluster is, and
 * at which nothing answers: a server behind NAT, or in a container, that names its inner one.
 */
#ifndef TW_REPORT_FACTS_NAMED_ADDRESS_H
#define TW_REPORT_FACTS_NAMED_ADDRESS_H

#include "report/report.h"

/* Tell of those to which all connections of the capture failed. */
void tw_named_address_find(struct tcpwhy_report *report);

#endif
