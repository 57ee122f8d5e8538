/* SPDX-License-Identifier: MIT */
/*
 * Facts of one connection besides its gaps: ICMP errors that quote it, changes on the path, and
 * facts of HTTP/2, SMB 2 and TLS.
 */
#ifndef TW_REPORT_ROWS_STREAM_FACTS_H
#define TW_REPORT_ROWS_STREAM_FACTS_H

#include <glib.h>

#include <tcpwhy/facts.h>

#include "base/array.h"
#include "base/text.h"
#include "report/rows/connection_result.h"

/* Facts in the making: no storage before the first. */
struct tw_fact_list {
    tw_array *facts;  /* struct tcpwhy_fact, whose texts are offsets until the end */
    tw_string *texts; /* one after the other, with their final NULs */
};

/* A fact of the connection's stream, seen first in that frame. @return the texts, to which the
 * caller appends its sentence and a NUL. */
tw_string *tw_fact_list_begin(struct tw_fact_list *list, const struct tcpwhy_fact *fact);
/* The same with a sentence that is printed. */
void tw_fact_list_add(struct tw_fact_list *list, const struct tcpwhy_fact *fact, const char *format,
                      ...) G_GNUC_PRINTF(3, 4);

void tw_stream_icmp_find(const struct tw_connection_result *result, struct tw_fact_list *list);
void tw_stream_path_find(const struct tw_connection_result *result, struct tw_fact_list *list);
void tw_stream_http2_find(const struct tw_connection_result *result, struct tw_fact_list *list);
void tw_stream_smb2_find(const struct tw_connection_result *result, struct tw_fact_list *list);
void tw_stream_tls_find(const struct tw_connection_result *result, struct tw_fact_list *list);

/* All facts of a stream in one block with their texts, for tw_free(); NULL without any. */
const struct tcpwhy_fact *tw_stream_facts(const struct tw_connection_result *result, size_t *n,
                                          size_t *bytes);
const struct tcpwhy_fact *tw_stream_facts_copy(const struct tcpwhy_fact *facts, size_t n);

#endif
