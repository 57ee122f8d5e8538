/* SPDX-License-Identifier: MIT */
/*
 * One direction lived through again at its sender, event by event: each ACK that it heard and each
 * segment that it sent, in the order of its own time. What its TCP held in its variables is worked
 * out by the rules of the RFCs and of Linux; what cannot be known from outside stays an interval.
 */
#ifndef TW_EXPLAIN_MODEL_REPLAY_H
#define TW_EXPLAIN_MODEL_REPLAY_H

#include "explain/model/ca_state.h"
#include "explain/model/cwnd.h"
#include "explain/model/rto.h"
#include "explain/model/send_clock.h"
#include "log/log.h"

/* Parameters of a sender, which hold all its life and show by its end. */
struct tw_replay_known {
    struct tw_interval rto_floor_ns;
    enum tw_restart restart;
    bool tells_congestion;
    enum tw_congestion congestion; /* TW_N_CONGESTIONS: another */
};

/* Where the sender is, and what is known of its segments. */
struct tw_replay_scene {
    const struct tw_log *log;
    enum tcpwhy_side from;
    tcpwhy_ns way_ns;  /* one way between the vantage and the sender */
    int64_t mss_bytes; /* payload of a full segment; 0: as the log shows */
    struct tw_scratch *scratch;
    const struct tw_replay_known *known; /* NULL: nothing */
};

/* The sender's state after an event. Bytes and nanoseconds; TW_UNBOUNDED where not known. */
struct tw_replay_state {
    tcpwhy_ns at_ns; /* at the sender */
    const struct tw_record *record;
    bool sent;   /* it sent that; else it heard it */
    bool resent; /* ... again */
    bool lost;   /* with this ACK it deems something lost */
    int64_t una, next;
    int64_t edge; /* the receive window's right edge; INT64_MAX: not known */
    int64_t flight_bytes, pipe_bytes;
    int64_t mss_bytes;
    enum tw_ca ca;
    struct tw_interval cwnd_bytes, ssthresh_bytes;
    struct tw_interval srtt_ns, rttvar_ns, rtt_min_ns, rto_ns;
    int64_t rto_likely_ns; /* 0: not known */
};

/* What it sent between two ACKs. */
struct tw_replay_burst {
    tcpwhy_ns last_ns; /* when the newest of it left; unknown: there is none */
    bool clocked;      /* an ACK let it go */
};

struct tw_replay {
    struct tw_replay_scene scene;
    uint32_t next_sent, next_heard; /* records */
    uint32_t next_ahead;            /* of the ACKs that the sender may have heard already ... */
    int64_t acked_ahead;            /* ... the highest */
    tcpwhy_ns error_ns;             /* of the times at the sender; 0: it is here */
    struct tw_pipe pipe;
    struct tw_ca_state ca;
    struct tw_rtt rtt;
    struct tw_rto rto;
    struct tw_cwnd cwnd;
    struct tw_interval initial; /* the initial window, in segments */
    struct tw_replay_burst burst;
    tcpwhy_ns heard_ns; /* when the newest ACK came that brought something; unknown */
    tcpwhy_ns sent_ns;  /* when the newest data left; unknown */
    int64_t edge;
    struct tw_send_clock clock;
    uint32_t tsval;     /* of the newest segment that it sent ... */
    tcpwhy_ns tsval_ns; /* ... and when; unknown: none had one */
    bool ecn, first_flight;
    struct tw_replay_state state;
};

/* Live through the whole connection to find them. */
void tw_replay_learn(const struct tw_replay_scene *scene, struct tw_replay_known *out);

void tw_replay_begin(struct tw_replay *replay, const struct tw_replay_scene *scene);
/* The state after the next event; NULL at the end. Valid until the next call. */
const struct tw_replay_state *tw_replay_next(struct tw_replay *replay);

#endif
