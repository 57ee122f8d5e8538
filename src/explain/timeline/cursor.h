/* SPDX-License-Identifier: MIT */
/*
 * The cursor that walks through a connection, and its steps: from where it is to a later record.
 */
#ifndef TW_EXPLAIN_TIMELINE_CURSOR_H
#define TW_EXPLAIN_TIMELINE_CURSOR_H

#include "explain/path/utilization.h"
#include "explain/timeline/farewell.h"
#include "explain/timeline/gap_sink.h"
#include "explain/timeline/live.h"
#include "explain/timeline/server_push.h"
#include "explain/thresholds.h"
#include "explain/timeline/app_reaction.h"

/* Habits of a connection's sides, found before the walk. */
struct tw_cursor_habits {
    tcpwhy_ns prompt_ns[2];            /* tw_sender_timeline_at_once() of each side */
    struct tw_server_push server_push; /* the server's */
    uint32_t deaf_from;             /* after this record the client heard nothing; TW_NO_RECORD */
    struct tw_farewell farewell[2]; /* each side's */
    enum tw_live live[2];           /* likewise; found when first asked for */
};

/* The exchanges so far (timeline.c). */
struct tw_cursor_turns {
    bool at_will;                /* either side speaks at any time, and not as an answer */
    int64_t asked_from;          /* start of the request, if the gap waits for one */
    uint32_t asked_last;         /* the last record of the newest request; TW_NO_RECORD: none */
    uint32_t n_answers;          /* the server's answers without message boundaries, so far ... */
    tcpwhy_ns longest_answer_ns; /* ... and the longest of them */
};

/* The messages so far (message_walk.c). */
struct tw_cursor_messages {
    uint32_t asked_again;  /* times the client continued by itself after a complete message */
    uint32_t pushed;       /* times the server sent again and nobody reacted */
    uint32_t resumed;      /* times the sender resumed a message unasked */
    uint32_t short_pieces; /* consecutive pieces divided by long silences, each less than a segment
                              ... */
    int64_t piece_from;    /* ... and the start of the last one */
};

struct tw_cursor {
    struct tw_context *context;
    const struct tw_record *record; /* of the log */
    struct tw_gap_sink *sink;
    struct tw_gap gap; /* set before the walk, and for coming gaps */
    struct tw_cursor_habits habits;
    struct tw_cursor_turns turns;
    struct tw_cursor_messages messages;
    bool unsure;                     /* whether whose turn it is is unknown */
    uint32_t at;                     /* the record at which the next gap begins */
    const struct tw_round *round[2]; /* of each side's send that last ended a gap; NULL: none */
    struct tw_utilization busy[2];   /* around each side's last one asked for */
    uint32_t next[2];  /* per side, sends before this one are earlier than what is asked for next */
    tcpwhy_ns rest_ns; /* time that the rest of the previous message still needs on the path;
                          unknown: the minimum */
    tcpwhy_ns lacked_ns; /* the part of it during which the receiver still lacked data ... */
    bool lacked_hole;    /* ... before what it had */
    uint32_t question;   /* the request for what is awaited next; TW_NO_RECORD: the record at which
                            the gap begins */
    const struct tw_round *arrives; /* the round of what is awaited in an arrival; NULL: that of the
                                       record at which the gap begins */
    struct tw_app_reactions reactions;
};

static inline const struct tw_record *tw_cursor_record(const struct tw_cursor *w, uint32_t i)
{
    return &w->record[i];
}

/* Did the writer finish before this send? The last segment queued has PSH (RFC 9293, 3.9.1.2,
 * MUST-61). */
static inline bool tw_cursor_had_said_all(const struct tw_cursor *w, enum tcpwhy_side side,
                                          uint32_t index)
{
    const struct tw_send *send = w->context->sends[side].send + index;

    return index == 0 ||
           (send[-1].is & TW_SEND_PARTIAL && tw_cursor_record(w, send[-1].record)->flags & TW_PSH);
}

/* Index of the sender's first send at or after a record. Records are asked for in order. */
uint32_t tw_cursor_send_from(struct tw_cursor *cursor, enum tcpwhy_side sender, uint32_t record);

/* Did a send with a predecessor leave at once when an ACK opened room? */
bool tw_cursor_released_by_ack(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                               const struct tw_send *send);

/* One gap from the cursor to a record; send_index: the send that ends it, or -1. */
void tw_cursor_visit(struct tw_cursor *cursor, enum tw_phase phase, enum tcpwhy_side sender,
                     uint32_t to, int64_t send_index, bool final);

/*
 * The rest of a message's arrival when a gap begins at its last frame, from the records up to the
 * next one (there must be one). The receiver cannot answer before the end has arrived, and is not
 * waited for until then.
 */
void tw_cursor_visit_arrival(struct tw_cursor *cursor, uint32_t to);

/* The gap before the first frame of a message. */
void tw_cursor_visit_start(struct tw_cursor *cursor, enum tw_phase phase, enum tcpwhy_side sender,
                           uint32_t to);

/*
 * Skip the sends that belong to the burst of the last gap; most of a bulk transfer is skipped here.
 * Empty gaps are nobody's. @return the first send of no burst.
 */
uint32_t tw_cursor_pass_burst(struct tw_cursor *cursor, enum tcpwhy_side sender, uint32_t index,
                              uint32_t last);

#endif
