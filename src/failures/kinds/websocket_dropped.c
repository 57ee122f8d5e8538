/* SPDX-License-Identifier: MIT */
/*
 * A WebSocket whose TCP connection ends without a Close frame of either side: both programs see
 * code 1006 (RFC 6455, 7.1.5). Mostly a proxy that found it idle.
 */
#include "failures/kind.h"

/* Nothing that looks for idle connections is quicker. */
#define LEAST_IDLE TCPWHY_S(1)

/* The last data of either side. */
static uint32_t last_data(const struct tw_cut *cut)
{
    const uint32_t *data = cut->data;

    if (data[0] == TW_NO_RECORD || data[1] == TW_NO_RECORD)
        return data[0] == TW_NO_RECORD ? data[1] : data[0];
    return data[0] > data[1] ? data[0] : data[1];
}

static uint32_t end_of(const struct tw_cut *cut, enum tcpwhy_side side)
{
    return cut->fin[side] < cut->rst[side] ? cut->fin[side] : cut->rst[side];
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;
    enum tcpwhy_side by =
        end_of(cut, TCPWHY_SERVER) < end_of(cut, TCPWHY_CLIENT) ? TCPWHY_SERVER : TCPWHY_CLIENT;
    uint32_t end = end_of(cut, by), last = last_data(cut);

    if (!facts || !facts->websocket || facts->websocket_closed || end == TW_NO_RECORD ||
        last >= end || tw_cut_between(cut, last, end) < LEAST_IDLE)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_WEBSOCKET_DROPPED, TCPWHY_FAILED_IDLE,
                     TCPWHY_SEEN_END_OF_FILE);
    out->who = by == TCPWHY_CLIENT ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
    out->time_ns = cut->log->record[end].time_ns;
    tw_failure_waited(out, cut, last, end);
    return true;
}

const struct tw_failure_detector tw_failure_websocket_dropped = {
    .kind = TCPWHY_FAILURE_WEBSOCKET_DROPPED,
    .find = find,
};
