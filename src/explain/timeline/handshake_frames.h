/* SPDX-License-Identifier: MIT */
/*
 * The frames of a connection's setup: SYNs, answers, refusal.
 */
#ifndef TW_EXPLAIN_TIMELINE_HANDSHAKE_FRAMES_H
#define TW_EXPLAIN_TIMELINE_HANDSHAKE_FRAMES_H

#include "app/app.h"
#include "explain/explanation.h"
#include "log/log.h"
#include "track/track.h"

/* Landmarks of a setup; TW_NO_RECORD: missing. */
struct tw_handshake_frames {
    uint32_t last_syn, before_last; /* the client's SYNs, before any answer */
    uint32_t old;          /* the server's bare ACK before the answer, of an older connection */
    uint32_t answer;       /* the first SYN/ACK */
    uint32_t last_answer;  /* its last retransmission before the server sends anything else */
    uint32_t first_repeat; /* the first of those retransmissions */
    uint32_t deaf;    /* the client's first SYN after the answer, before it sends anything else */
    uint32_t done;    /* the client's ACK of the SYN/ACK, even of an unseen one */
    uint32_t refusal; /* RST instead of an answer */
    uint32_t again;   /* the client's next SYN after that */
    uint32_t syns, repeats; /* SYNs before any answer; SYN/ACKs after the first */
    uint32_t late_syns;     /* from deaf on */
};

/* Landmarks of the attempt that begins with the SYN in this record. */
struct tw_handshake_frames tw_handshake_frames_find(const struct tw_log *log, uint32_t from);

#endif
