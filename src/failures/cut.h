/* SPDX-License-Identifier: MIT */
/*
 * The end of a connection and the exchanges open at that time: the input of all kinds of failures.
 */
#ifndef TW_FAILURES_CUT_H
#define TW_FAILURES_CUT_H

#include "app/app.h"
#include "explain/explanation.h"
#include "failures/failure.h"
#include "log/log.h"
#include "track/track.h"

/* No keep-alive timeout is shorter: a server that closes sooner has another reason. */
#define TW_LEAST_KEEP_ALIVE TCPWHY_MS(200)

/* A program that speaks sooner behind a FIN answers it with a farewell, as TLS has it (RFC 8446,
 * 6.1), or has not seen it. */
#define TW_SOON_BEHIND_FIN TCPWHY_MS(100)

/* Nothing that keeps connections forgets one sooner. */
#define TW_LEAST_IDLE TCPWHY_S(1)

struct tw_cut {
    const struct tw_connection *connection;
    const struct tw_log *log;
    const struct tw_vantage *vantage;
    const struct tw_exchanges *exchanges;
    const struct tw_exchange *open; /* the first request without a byte of an answer, or NULL */
    const struct tw_exchange *part; /* the last answer, where its end is missing; or NULL */
    const struct tw_exchange *last; /* the last exchange that has an answer, or NULL */
    uint32_t n_answered;            /* exchanges with a whole answer */
    bool suspect;                   /* a request waited for a 100 (Continue), lacks its end or was
                                       asked again, or an answer ends with the connection */
    uint32_t classes;               /* bits 1 << enum tcpwhy_class of the unusual segments but RSTs
                                       and frames captured twice */
    enum tcpwhy_side asker;         /* of the open request; else the client */
    uint32_t request, request_end;  /* records of the open request; TW_NO_RECORD without one */
    uint32_t fin[2], rst[2];        /* the first of each sender, or TW_NO_RECORD; RSTs only where
                                       the connection ends there */
    uint32_t data[2];               /* the last new data of each sender, or TW_NO_RECORD */
    uint32_t heard[2];              /* the last segment that is no RST, or TW_NO_RECORD */
    uint32_t taken[2];              /* by sender: the record of the other side that acknowledged
                                       its newest data, or TW_NO_RECORD */
    uint32_t unseen[2];    /* by sender: the last record of the other side that acknowledged
                              data which the capture lacks, or TW_NO_RECORD */
    int64_t acked[2];      /* by sender: highest offset acknowledged by no RST */
    int64_t sent[2];       /* offset after the last byte of data */
    uint8_t ttl[2];        /* of most segments that are no RST */
    bool ttl_steady[2];    /* all of them have it, and there are two or more */
    tcpwhy_ns idle_ns;     /* silence before the open request; 0 without one */
    tcpwhy_ns survived_ns; /* the longest silence before a request that was answered */
};

/* Read the exchanges alone, as if nothing but their answers came: of requests and answers no fewer
 * are open than the log shows. */
void tw_cut_begin(const struct tw_connection *connection, const struct tw_log *log,
                  const struct tw_exchanges *exchanges, const struct tw_vantage *vantage,
                  struct tw_cut *out);

/* Read each record of the log as well. */
void tw_cut_read(struct tw_cut *cut);

static inline const struct tw_record *tw_cut_record(const struct tw_cut *cut, uint32_t i)
{
    return i == TW_NO_RECORD ? NULL : &cut->log->record[i];
}

/* Time between two records; unknown where one is missing. */
tcpwhy_ns tw_cut_between(const struct tw_cut *cut, uint32_t from, uint32_t to);

/* The time for which the other side's data may still pass after a segment: it was under way. */
tcpwhy_ns tw_cut_under_way(const struct tw_cut *cut);

/* Bytes of an answer that arrived: what was acknowledged of it; where the capture shows no ACK, all
 * that was sent. */
int64_t tw_cut_received(const struct tw_cut *cut, const struct tw_exchange *e);

/* Did a side close, by FIN or RST, before it saw that the other one had? */
bool tw_cut_closed_unasked(const struct tw_cut *cut, enum tcpwhy_side side);

/* Does the connection ask and answer for sure: a protocol says so, or turns that were answered? */
bool tw_cut_is_dialog(const struct tw_cut *cut, uint32_t least_turns);

/* Take the server name from an unanswered ClientHello, and add a clue if it came in several
 * segments and was not acknowledged completely. */
void tw_cut_tell_hello(const struct tw_cut *cut, struct tw_failure *out);

/* Begin a failure: the frames that show it follow, then its clues. */
void tw_failure_begin(struct tw_failure *out, enum tcpwhy_failure_kind kind,
                      enum tcpwhy_failed failed, enum tcpwhy_seen_as seen_as);
void tw_failure_frame(struct tw_failure *out, const struct tw_cut *cut, uint32_t record);
/* The same for a frame known by its number. */
void tw_failure_frame_number(struct tw_failure *out, uint32_t frame);
void tw_failure_clue(struct tw_failure *out, enum tw_clue_kind kind, double a, double b);
/* The failure lasted from one record to another, perhaps as long as a program's timeout. */
void tw_failure_waited(struct tw_failure *out, const struct tw_cut *cut, uint32_t from,
                       uint32_t to);

#endif
