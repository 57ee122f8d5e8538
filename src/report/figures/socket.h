/* SPDX-License-Identifier: MIT */
/* Sockets as they are when a capture ends. */
#ifndef TW_REPORT_FIGURES_SOCKET_H
#define TW_REPORT_FIGURES_SOCKET_H

#include "explain/model/replay.h"
#include "report/report_rows.h"

/* A connection as the host where it was captured has it at the end. */
struct tw_socket {
    const struct tw_stream_row *stream;
    const struct tw_log *log;
    enum tcpwhy_side local;
    const char *state;                              /* as ss names it */
    uint64_t sent, received, resent, acked, queued; /* bytes of payload */
    struct tw_replay_state last;                    /* of its sender */
    bool has_last;
};

/* @return false when there is no socket any more. end_ns: of the capture. */
bool tw_socket_make(const struct tw_stream_row *stream, const struct tw_log *log, tcpwhy_ns end_ns,
                    struct tw_socket *out);

#endif
