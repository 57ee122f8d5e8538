/* SPDX-License-Identifier: MIT */
/* The table of the ledger: where each millisecond of each connection went. */
#include "tables/put.h"

#define COLUMNS(X)                                                                                 \
    X(text, REQUIRED, capture_id, row->capture->id, "the capture, see captures")                   \
    X(int, REQUIRED, stream, s->stream, "the connection, see connections")                         \
    X(cause, REQUIRED, cause, e->cause, "one of 'tcpwhy causes'")                                  \
    X(party, REQUIRED, party, e->party, "whose it is: client, server, path or none")               \
    X(text, REQUIRED, sender, e->from == TCPWHY_SERVER ? "server" : "client", "whose data waited") \
    X(confidence, REQUIRED, confidence, e->confidence, "certain, likely or ambiguous")             \
    X(rival, NULLABLE, rival, e->rival, "what else it could be, unless certain")                   \
    X(ms, REQUIRED, cost_ms, e->ns,                                                                \
      "time it took; over a connection they add up to its duration_ms")                            \
    X(int, REQUIRED, intervals, e->count, "how many separate ones")                                \
    X(time, NULLABLE, first_utc_ns, tw_utc_ns(row->report, e->first_ns),                           \
      "when the first of them began")

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
