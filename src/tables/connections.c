/* SPDX-License-Identifier: MIT */
/* Table of connections: endpoints, times, statistics and verdict. */
#include "render/view/names.h"
#include "tables/put.h"

#define COLUMNS(X)                                                                                 \
    X(text, REQUIRED, capture_id, row->capture->id, "see captures")                                \
    X(int, REQUIRED, stream, s->stream, "tcp.stream of tshark")                                    \
    X(endpoint, REQUIRED, client, &s->client, "address:port, an IPv6 address in brackets")         \
    X(address, REQUIRED, client_address, &s->client, "without the port")                           \
    X(int, REQUIRED, client_port, s->client.port, "")                                              \
    X(endpoint, REQUIRED, server, &s->server, "address:port: the listener")                        \
    X(address, REQUIRED, server_address, &s->server, "without the port")                           \
    X(int, REQUIRED, server_port, s->server.port, "")                                              \
    X(bool, REQUIRED, roles_inferred, s->roles_inferred,                                           \
      "no SYN in the capture: client and server are inferred")                                     \
    X(bool, REQUIRED, complete_start, s->complete_start, "the capture has its handshake")          \
    X(bool, REQUIRED, complete_end, s->complete_end, "the capture has its FIN or RST")             \
    X(text, REQUIRED, vantage, tcpwhy_vantage_name(s->vantage),                                    \
      "capture point: client, server, middle or unknown")                                          \
    X(confidence, REQUIRED, vantage_confidence, s->vantage_confidence,                             \
      "certain, likely or ambiguous")                                                              \
    X(time, NULLABLE, start_utc_ns, tw_utc_ns(row->report, s->start_ns),                           \
      "time of its first frame")                                                                   \
    X(ms, REQUIRED, duration_ms, s->duration_ns,                                                   \
      "first to last frame; its rows in ledger add up to this")                                    \
    X(int, REQUIRED, first_frame, s->first_frame, "number in the capture, from 1")                 \
    X(int, REQUIRED, last_frame, s->last_frame, "")                                                \
    X(int, REQUIRED, frames, (int64_t)s->frames, "")                                               \
    X(int, REQUIRED, bytes_to_server, (int64_t)s->bytes_to_server, "distinct payload")             \
    X(int, REQUIRED, bytes_to_client, (int64_t)s->bytes_to_client, "distinct payload")             \
    X(int, REQUIRED, retransmissions, (int64_t)s->retransmissions, "frames, including SYNs")       \
    X(int, REQUIRED, repairs_fast, s->repairs.fast,                                                \
      "fast retransmissions: duplicate ACKs, SACK or RACK")                                        \
    X(int, REQUIRED, repairs_probes, s->repairs.probes, "tail loss probes")                        \
    X(int, REQUIRED, repairs_timeouts, s->repairs.timeouts, "RTOs")                                \
    X(int, REQUIRED, repairs_after_timeouts, s->repairs.after_timeouts,                            \
      "retransmissions of the flight after an RTO")                                                \
    X(int, REQUIRED, repairs_spurious, s->repairs.spurious,                                        \
      "spurious retransmissions among all of these")                                               \
    X(us, NULLABLE, rtt_min_us, s->rtt_min_ns, "RTT, client to server and back")                   \
    X(us, NULLABLE, rtt_median_us, s->rtt_median_ns, "")                                           \
    X(us, NULLABLE, rtt_max_us, s->rtt_max_ns, "")                                                 \
    X(cause, REQUIRED, verdict_cause, s->verdict.cause, "costliest cause; none: healthy")          \
    X(party, REQUIRED, verdict_party, s->verdict.party, "client, server, path or none")            \
    X(endpoint, NULLABLE, verdict_endpoint, &s->verdict.endpoint, "side that can fix it")          \
    X(confidence, REQUIRED, verdict_confidence, s->verdict.confidence,                             \
      "certain, likely or ambiguous")                                                              \
    X(rival, NULLABLE, verdict_rival, s->verdict.rival, "alternative cause, unless certain")       \
    X(ms, NULLABLE, verdict_cost_ms, s->verdict.cost_ns, "")                                       \
    X(real, NULLABLE, verdict_share, s->verdict.share, "share of the waiting time, 0 to 1")        \
    X(int, REQUIRED, exchanges, (int64_t)s->latency.count, "completed transactions")               \
    X(ms, NULLABLE, exchange_min_ms, s->latency.min_ns, "response time, request to last byte")     \
    X(ms, NULLABLE, exchange_p50_ms, s->latency.p50_ns, "nearest-rank percentile")                 \
    X(ms, NULLABLE, exchange_p75_ms, s->latency.p75_ns, "")                                        \
    X(ms, NULLABLE, exchange_p90_ms, s->latency.p90_ns, "")                                        \
    X(ms, NULLABLE, exchange_p99_ms, s->latency.p99_ns, "")                                        \
    X(ms, NULLABLE, exchange_max_ms, s->latency.max_ns, "")                                        \
    X(int, REQUIRED, status_1xx, (int64_t)s->status.n[1], "responses with this status class")      \
    X(int, REQUIRED, status_2xx, (int64_t)s->status.n[2], "")                                      \
    X(int, REQUIRED, status_3xx, (int64_t)s->status.n[3], "")                                      \
    X(int, REQUIRED, status_4xx, (int64_t)s->status.n[4], "")                                      \
    X(int, REQUIRED, status_5xx, (int64_t)s->status.n[5], "")                                      \
    X(int, REQUIRED, status_other, (int64_t)s->status.n[0], "")                                    \
    X(text, NULLABLE, failure, tw_name_failure(s->verdict.failure),                                \
      "how it broke; null: it did not")                                                            \
    X(number, NULLABLE, client_isn, s->isn[TCPWHY_CLIENT],                                         \
      "initial sequence number; null: the capture lacks that SYN")                                 \
    X(number, NULLABLE, server_isn, s->isn[TCPWHY_SERVER], "likewise, of the SYN/ACK")             \
    X(text, NULLABLE, server_name, s->server_name,                                                 \
      "as the client calls the server (SNI, Host), else as DNS does; null: none")

static void put_row(const struct tw_row *row, struct tw_put *put)
{
    const struct tw_stream_row *s = tw_row_stream(row);

    COLUMNS(TW_PUT)
}

static size_t one(const struct tw_row *row)
{
    (void)row;
    return 1;
}

static const struct tw_column columns[] = { COLUMNS(TW_COLUMN) };

const struct tw_table tw_table_connections = {
    .name = "connections",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .of_streams = true,
    .count = one,
    .put = put_row,
};
