/* SPDX-License-Identifier: MIT */
/*
 * One gap with all that is known of it, to be changed in one thing and shown to the arbiter. As it
 * is made, the server sits here and sends a long answer over a path of 20 ms: a full segment,
 * not pushed, leaves at once behind an ACK that came a round trip after the segment before, of
 * which nothing was lost and which no window held.
 */
#ifndef TW_TESTS_UNIT_MADE_GAP_H
#define TW_TESTS_UNIT_MADE_GAP_H

#include "explain/attribute/arbiter.h"
#include "explain/attribute/asked.h"
#include "explain/model/gap.h"

#define CLAIM_RTT TCPWHY_MS(20)
#define CLAIM_MSS 1000

/* Its records. */
enum { FIRST_ACK, OLD_DATA, BEFORE, ACK_BEFORE, ACK, NOW, LATER, N_CLAIM_RECORDS };

struct made_gap {
    struct tw_connection connection;
    struct tw_log log;
    struct tw_record record[N_CLAIM_RECORDS];
    struct tw_send send[4];   /* the last is none, as it is made */
    struct tw_round round[3]; /* of the wait is the second */
    struct tw_recovery_episode episode;
    struct tw_context context;
    struct tw_gap gap;
    struct tw_claim claim;
};

/* The server's segment in a record, sent one RTT after the ACK of all earlier data. */
static inline struct tw_send claim_send(const struct made_gap *m, uint32_t record, uint32_t ack)
{
    return (struct tw_send) { .end = m->record[record].seq + CLAIM_MSS,
                              .record = record,
                              .len = CLAIM_MSS,
                              .is = TW_SEND_FRESH,
                              .sent_ns = m->record[record].time_ns,
                              .acked = m->record[ack].ack,
                              .edge = m->record[ack].ack + 50 * CLAIM_MSS,
                              .allowed_ns = TCPWHY_NS_UNKNOWN,
                              .ack_record = ack,
                              .moved_record = ack };
}

static inline void claim_make_records(struct made_gap *m)
{
    static const tcpwhy_ns at_ns[] = { [FIRST_ACK] = 0,
                                       [OLD_DATA] = TCPWHY_US(10),
                                       [BEFORE] = TCPWHY_US(1000),
                                       [ACK_BEFORE] = TCPWHY_US(20500),
                                       [ACK] = TCPWHY_US(21000),
                                       [NOW] = TCPWHY_US(21010),
                                       [LATER] = TCPWHY_US(22000) };

    for (int i = 0; i < N_CLAIM_RECORDS; i++)
        m->record[i] = (struct tw_record) { .time_ns = at_ns[i],
                                            .flags = TW_ACK,
                                            .from = TCPWHY_CLIENT,
                                            .seq = 101,
                                            .window_bytes = 50 * CLAIM_MSS };
    for (int i = 0; i < 3; i++) {
        struct tw_record *r = &m->record[i == 0 ? OLD_DATA : i == 1 ? BEFORE : NOW];

        r->from = TCPWHY_SERVER;
        r->seq = 1 + (19 + i) * CLAIM_MSS;
        r->ack = 101;
        r->len = CLAIM_MSS;
    }
    m->record[FIRST_ACK].ack = 1 + 9 * CLAIM_MSS;
    m->record[ACK_BEFORE].ack = 1 + 10 * CLAIM_MSS;
    m->record[ACK].ack = 1 + 11 * CLAIM_MSS;
    m->record[LATER].ack = 1 + 21 * CLAIM_MSS;
}

static inline void make_gap(struct made_gap *m)
{
    *m = (struct made_gap) { .connection.side[TCPWHY_SERVER].syn = true };
    claim_make_records(m);
    m->log = (struct tw_log) { .record = m->record, .n = N_CLAIM_RECORDS };
    m->send[0] = claim_send(m, OLD_DATA, FIRST_ACK);
    m->send[1] = claim_send(m, BEFORE, FIRST_ACK);
    m->send[2] = claim_send(m, NOW, ACK);
    for (uint32_t i = 0; i < 3; i++)
        m->round[i] = (struct tw_round) { .first = i,
                                          .last = i,
                                          .duration_ns = CLAIM_RTT,
                                          .flight_bytes = 10 * CLAIM_MSS,
                                          .most_bytes = 10 * CLAIM_MSS,
                                          .window_bytes = 50 * CLAIM_MSS,
                                          .rate = 10 * CLAIM_MSS / 20e-3,
                                          .no_next = i == 2 };
    m->context = (struct tw_context) { .connection = &m->connection, .log = &m->log };
    m->context.vantage = (struct tw_vantage) { .rtt_min_ns = CLAIM_RTT,
                                               .rtt_median_ns = CLAIM_RTT,
                                               .rtt_max_ns = CLAIM_RTT,
                                               .to_side_ns = { CLAIM_RTT / 2, 0 } };
    m->context.sends[TCPWHY_SERVER] = (struct tw_sender_timeline) { .from = TCPWHY_SERVER,
                                                                    .record = m->record,
                                                                    .send = m->send,
                                                                    .n = 3,
                                                                    .mss_bytes = CLAIM_MSS,
                                                                    .agreed_bytes = CLAIM_MSS,
                                                                    .heard = true,
                                                                    .queues_seen = true };
    m->context.rounds[TCPWHY_SERVER] = (struct tw_rounds) { .round = m->round, .n = 3 };
    m->gap = (struct tw_gap) { .context = &m->context,
                               .phase = TW_PHASE_MESSAGE,
                               .sender = TCPWHY_SERVER,
                               .from_ns = m->record[BEFORE].time_ns,
                               .to_ns = m->record[NOW].time_ns,
                               .way.due_ns = INT64_MAX,
                               .first_record = BEFORE,
                               .last_record = NOW,
                               .closed = { .record = TW_NO_RECORD, .probe = TW_NO_RECORD },
                               .send = &m->send[2],
                               .before = &m->send[1],
                               .round = &m->round[1],
                               .since_ack_ns = TCPWHY_US(10),
                               .ack_clocked = true };
}

/* The server is a way of half a round trip off, and the client here. */
static inline void make_wait_remote(struct made_gap *m)
{
    make_gap(m);
    m->context.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
}

/* Does the arbiter take the gap for that? */
static inline bool claims(struct made_gap *m, enum tcpwhy_cause cause)
{
    struct tw_asked asked = { 0 };

    m->gap.paused = tw_pause_is(&m->gap);
    tw_arbiter_decide(&m->gap, tw_asked_of(&asked, &m->gap), &m->claim);
    return m->claim.cause == cause;
}

/* Each begins with a gap of its own, `m`, made by a call. */
#define GAP_TEST(name, make) TEST_WITH(name, struct made_gap, m, make, (void)m)

#endif
