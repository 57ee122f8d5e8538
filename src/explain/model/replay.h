/* SPDX-License-Identifier: MIT */
/*
 * Replay of one direction at its sender, event by event: each ACK it heard and each segment it
 * sent, in the sender's own order. TCP's variables follow from the rules of the RFCs and of Linux;
 * what cannot be known from outside stays an interval.
 */
#ifndef TW_EXPLAIN_MODEL_REPLAY_H
#define TW_EXPLAIN_MODEL_REPLAY_H

#include "explain/model/ca_state.h"
#include "explain/model/cwnd.h"
#include "explain/model/rto.h"
#include "explain/model/send_clock.h"
#include "log/log.h"

/* A sender's parameters: constant for its life, and known by the end of it. */
struct tw_replay_known {
    struct tw_interval rto_floor_ns;
    enum tw_restart restart;
    bool tells_congestion;
    enum tw_congestion congestion; /* TW_N_CONGESTIONS: none of these */
};

/* The sender's distance, and the known facts about its segments. */
struct tw_replay_scene {
    const struct tw_log *log;
    enum tcpwhy_side from;
    tcpwhy_ns way_ns;  /* one-way delay between the vantage and the sender */
    int64_t mss_bytes; /* payload of a full segment; 0: as the log shows */
    struct tw_scratch *scratch;
    const struct tw_replay_known *known; /* NULL: nothing */
};

/* The sender's state after an event. Bytes and nanoseconds; TW_UNBOUNDED where not known. */
struct tw_replay_state {
    tcpwhy_ns at_ns; /* at the sender */
    const struct tw_record *record;
    bool sent;   /* sent by it; else heard */
    bool resent; /* ... as a retransmission */
    bool lost;   /* this ACK makes it detect a loss */
    int64_t una, next;
    int64_t edge; /* the receive window's right edge; INT64_MAX: not known */
    int64_t flight_bytes, pipe_bytes;
    int64_t mss_bytes;
    enum tw_ca ca;
    struct tw_interval cwnd_bytes, ssthresh_bytes;
    struct tw_interval srtt_ns, rttvar_ns, rtt_min_ns, rto_ns;
    int64_t rto_likely_ns; /* 0: not known */
};

/* Data sent between two ACKs. */
struct tw_replay_burst {
    tcpwhy_ns last_ns; /* when the newest of it left; unknown: none */
    bool clocked;      /* an ACK released it */
};

struct tw_replay {
    struct tw_replay_scene scene;
    uint32_t next_sent, next_heard; /* records */
    uint32_t next_ahead;            /* of ACKs that the sender may have heard already ... */
    int64_t acked_ahead;            /* ... the highest */
    tcpwhy_ns error_ns;             /* error of times at the sender; 0: the vantage is there */
    struct tw_pipe pipe;
    struct tw_ca_state ca;
    struct tw_rtt rtt;
    struct tw_rto rto;
    struct tw_cwnd cwnd;
    struct tw_interval initial; /* the initial window, in segments */
    struct tw_replay_burst burst;
    tcpwhy_ns heard_ns; /* when the newest ACK with news came; or unknown */
    tcpwhy_ns sent_ns;  /* when the newest data left; unknown */
    int64_t edge;
    struct tw_send_clock clock;
    uint32_t tsval;     /* of the newest segment that it sent ... */
    tcpwhy_ns tsval_ns; /* ... and when; unknown: none had TSval */
    bool ecn, first_flight;
    struct tw_replay_state state;
};

/* Replay the whole connection to find them. */
void tw_replay_learn(const struct tw_replay_scene *scene, struct tw_replay_known *out);

/* Learn, then visit the state after each event. The scene's known is not read. */
void tw_replay_visit(const struct tw_replay_scene *scene,
                     void (*visit)(void *user, const struct tw_replay_state *state), void *user);

void tw_replay_begin(struct tw_replay *replay, const struct tw_replay_scene *scene);
/* The state after the next event; NULL at the end. Valid until the next call. */
const struct tw_replay_state *tw_replay_next(struct tw_replay *replay);

#endif
