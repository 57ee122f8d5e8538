/* SPDX-License-Identifier: MIT */
/* Table of the ledger: time by cause and connection. */
#include "tables/put.h"

#define COLUMNS(X)                                                                                 \
    X(text, REQUIRED, capture_id, row->capture->id, "see captures")                                \
    X(int, REQUIRED, stream, s->stream, "see connections")                                         \
    X(cause, REQUIRED, cause, e->cause, "one of 'tcpwhy causes'")                                  \
    X(party, REQUIRED, party, e->party, "owner: client, server, path or none")                     \
    X(text, REQUIRED, sender, e->from == TCPWHY_SERVER ? "server" : "client",                      \
      "side whose data waited")                                                                    \
    X(confidence, REQUIRED, confidence, e->confidence, "certain, likely or ambiguous")             \
    X(rival, NULLABLE, rival, e->rival, "alternative cause, unless certain")                       \
    X(ms, REQUIRED, cost_ms, e->ns, "adds up to duration_ms over a connection")                    \
    X(int, REQUIRED, intervals, e->count, "number of separate intervals")                          \
    X(time, NULLABLE, first_utc_ns, tw_utc_ns(row->report, e->first_ns), "start of the first one")

static void put_row(const struct tw_row *row, struct tw_put *put)
{
    const struct tw_stream_row *s = tw_row_stream(row);
    const struct tcpwhy_ledger_entry *e = &s->ledger[row->j];

    COLUMNS(TW_PUT)
}

static size_t count(const struct tw_row *row)
{
    return tw_row_stream(row)->n_ledger;
}

static const struct tw_column columns[] = { COLUMNS(TW_COLUMN) };

const struct tw_table tw_table_ledger = {
    .name = "ledger",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .of_streams = true,
    .count = count,
    .put = put_row,
};
