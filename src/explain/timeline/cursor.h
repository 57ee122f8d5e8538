/* SPDX-License-Identifier: MIT */
/*
 * Who walks through a connection's life, and the steps: from where it stands to a later record.
 */
#ifndef TW_EXPLAIN_TIMELINE_CURSOR_H
#define TW_EXPLAIN_TIMELINE_CURSOR_H

#include "explain/path/utilization.h"
#include "explain/timeline/farewell.h"
#include "explain/timeline/gap_sink.h"
#include "explain/timeline/server_push.h"
#include "explain/thresholds.h"
#include "explain/timeline/app_reaction.h"

/* What a connection's sides do throughout it, found before the walk. */
struct tw_cursor_habits {
    tcpwhy_ns prompt_ns[2];            /* tw_sender_timeline_at_once() of each side */
    struct tw_server_push server_push; /* the server's */
    uint32_t deaf_from;             /* behind this record the client heard nothing; TW_NO_RECORD */
    struct tw_farewell farewell[2]; /* each side's */
};

/* The exchanges so far, as timeline.c walks through them. */
struct tw_cursor_turns {
    bool at_will;                /* either side speaks when it likes, and not to answer */
    int64_t asked_from;          /* where the question begins, when the wait asks */
    uint32_t n_answers;          /* of the server, which only turns tell, so far ... */
    tcpwhy_ns longest_answer_ns; /* ... and the longest that one took */
};

/* The messages so far, as message_walk.c walks through them. */
struct tw_cursor_messages {
    uint32_t asked_again;  /* so often the asker went on by itself, having said all */
    uint32_t pushed;       /* so often the server spoke again, to nobody who reacted */
    uint32_t resumed;      /* so often its sender went on with a message unasked */
    uint32_t short_pieces; /* of it, so many in a row that long silences divide, each of less than a
                              segment ... */
    int64_t piece_from;    /* ... and where the last one begins */
};

struct tw_cursor {
    struct tw_context *context;
    const struct tw_record *record; /* of the log */
    struct tw_gap_sink *sink;
    struct tw_gap gap; /* the next: what is known of it before, and of those to come */
    struct tw_cursor_habits habits;
    struct tw_cursor_turns turns;
    struct tw_cursor_messages messages;
    bool unsure;                     /* whose turn it is */
    uint32_t at;                     /* the record at which the next wait begins */
    const struct tw_round *round[2]; /* of each side's send that ended a wait last; NULL: it has
                                        none */
    struct tw_utilization busy[2];   /* around the last one of each side that was asked for */
    uint32_t next[2];  /* a send of each side: those before it are before what is asked for next */
    tcpwhy_ns rest_ns; /* of the next wait, what the path needs for the rest of the message before;
                          unknown: the shortest way */
    tcpwhy_ns
        lacked_ns;     /* of it, so long the receiver of the message before lacked some of it ... */
    bool lacked_hole;  /* ... that stood before what it had */
    uint32_t question; /* the record that asks for what is awaited next; or TW_NO_RECORD: the one
                          at which the wait begins */
    struct tw_app_reactions reactions;
};

static inline const struct tw_record *tw_cursor_record(const struct tw_cursor *w, uint32_t i)
{
    return &w->record[i];
}

/* The last segment of what is queued is pushed (RFC 9293, 3.9.1.2, MUST-61): with the send before
 * that one its writer had said all, as a rule. */
static inline bool tw_cursor_had_said_all(const struct tw_cursor *w, enum tcpwhy_side side,
                                          uint32_t index)
{
    const struct tw_send *send = w->context->sends[side].send + index;

    return index == 0 ||
           (send[-1].is & TW_SEND_PARTIAL && tw_cursor_record(w, send[-1].record)->flags & TW_PSH);
}

/* Index of the sender's first send at or after a record, which is never before the one that was
 * asked for last. */
uint32_t tw_cursor_send_from(struct tw_cursor *cursor, enum tcpwhy_side sender, uint32_t record);

/* Did a send that has one before it leave at once when an ACK moved something? */
bool tw_cursor_released_by_ack(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                               const struct tw_send *send);

/* One wait from where the walker stands to a record; send_index: the send that ends it, or -1. */
void tw_cursor_visit(struct tw_cursor *cursor, enum tw_phase phase, enum tcpwhy_side sender,
                     uint32_t to, int64_t send_index, bool final);

/*
 * What is left of a message's way when a wait begins at its last frame, as the records between that
 * one and the next tell: there must be one. As long as the receiver lacks the end it cannot answer,
 * and is not waited for.
 */
void tw_cursor_visit_arrival(struct tw_cursor *cursor, uint32_t to);

/* The wait for the first frame of a message. */
void tw_cursor_visit_start(struct tw_cursor *cursor, enum tw_phase phase, enum tcpwhy_side sender,
                           uint32_t to);

/*
 * Pass the sends from one on that follow each other in the burst of the last wait, as whose it is
 * all charged; most of a bulk transfer is passed here. Waits of no length are nobody's.
 * @return the first that is of no burst.
 */
uint32_t tw_cursor_pass_burst(struct tw_cursor *cursor, enum tcpwhy_side sender, uint32_t index,
                              uint32_t last);

#endif
