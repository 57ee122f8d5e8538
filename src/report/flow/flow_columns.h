/* SPDX-License-Identifier: MIT */
/*
 * The columns of a flow graph: of one stream its two ends, of several a column for each host, in
 * the order in which they first send.
 */
#ifndef TW_REPORT_FLOW_FLOW_COLUMNS_H
#define TW_REPORT_FLOW_FLOW_COLUMNS_H

#include "base/array.h"
#include "report/flow/flow_row.h"

struct tw_flow_host {
    struct tcpwhy_endpoint address; /* without a port where several streams are shown */
    const char *name;               /* the server's, of the first stream that has one, or NULL */
    bool other_names;               /* further streams have others */
};

struct tw_flow_columns {
    tw_array *host;    /* struct tw_flow_host */
    uint32_t (*of)[2]; /* of each source: its client's column, its server's */
    bool together;     /* frames of several streams are shown */
    uint32_t others;   /* hosts that found no room and share the last column; 0: none */
};

/* At most that many columns, 2 or more. */
void tw_flow_columns_build(const struct tw_flow_source *source, uint32_t n,
                           const struct tw_flow *flow, uint32_t max, struct tw_flow_columns *out);
void tw_flow_columns_clear(struct tw_flow_columns *columns);

/* The number of hosts, counting each of those that share a column. */
uint32_t tw_flow_columns_hosts(const struct tw_flow_columns *columns);

/* "10.9.0.2:8080", "10.9.0.2", "12 more hosts" */
char *tw_flow_column_name(const struct tw_flow_columns *columns, uint32_t i, char *text);
/* "www.example.com"; NULL: none, or streams know it by several. */
const char *tw_flow_column_server(const struct tw_flow_columns *columns, uint32_t i);

#endif
