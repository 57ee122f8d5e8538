/* SPDX-License-Identifier: MIT */
#include "explain/model/cwnd_room.h"

#include "explain/model/replay.h"

/* A sender that is to hear of room soon leaves up to this part of its window unused. Source:
 * tcp_tso_win_divisor. */
#define DEFERRED_SHARE 3

static tcpwhy_ns since(tcpwhy_ns before_ns, bool room, tcpwhy_ns at_ns)
{
    if (!room)
        return TCPWHY_NS_UNKNOWN;
    return before_ns == TCPWHY_NS_UNKNOWN ? at_ns : before_ns;
}

static void note(struct tw_cwnd_room *now, const struct tw_replay_state *st)
{
    const int64_t next = st->pipe_bytes + st->mss_bytes;
    const int64_t used = st->cwnd_bytes.lo - st->cwnd_bytes.lo / DEFERRED_SHARE;

    now->maybe_ns = since(now->maybe_ns, st->cwnd_bytes.hi >= next, st->at_ns);
    now->surely_ns = since(now->surely_ns, used >= next, st->at_ns);
    now->grows = st->cwnd_bytes.lo < st->ssthresh_bytes.hi;
}

static void build(struct tw_cwnd_rooms *rooms, const struct tw_log *log,
                  const struct tw_sender_timeline *sends, struct tw_scratch *scratch)
{
    const struct tw_replay_scene scene = {
        .log = log,
        .from = sends->from,
        .way_ns = sends->to_sender,
        .mss_bytes = sends->mss_bytes,
        .scratch = scratch,
    };
    struct tw_cwnd_room now = { TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN, true };
    const struct tw_replay_state *st;
    struct tw_replay replay;
    uint32_t n = 0;

    rooms->room = tw_scratch_get(scratch, sends->n, sizeof *rooms->room);
    tw_replay_begin(&replay, &scene);
    while ((st = tw_replay_next_windows(&replay))) {
        for (; st->sent && n < sends->n && &log->record[sends->send[n].record] <= st->record; n++)
            rooms->room[n] = now;
        note(&now, st);
    }
    for (; n < sends->n; n++)
        rooms->room[n] = now;
}

const struct tw_cwnd_room *tw_cwnd_room_of(struct tw_cwnd_rooms *rooms, const struct tw_log *log,
                                           const struct tw_sender_timeline *sends,
                                           const struct tw_send *send, struct tw_scratch *scratch)
{
    if (!rooms->room)
        build(rooms, log, sends, scratch);
    return &rooms->room[send - sends->send];
}
