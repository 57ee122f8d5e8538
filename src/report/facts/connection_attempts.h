/* SPDX-License-Identifier: MIT */
/*
 * Connection attempts of a capture by listener and by host: those that were not answered, and those
 * that were at the same time.
 */
#ifndef TW_REPORT_FACTS_CONNECTION_ATTEMPTS_H
#define TW_REPORT_FACTS_CONNECTION_ATTEMPTS_H

#include <glib.h>

#include <tcpwhy/facts.h>

#include "base/array.h"
#include "report/facts/unanswered_syns.h"
#include "report/rows/connection_row.h"

/* Kept of each connection. */
struct tw_opening {
    tcpwhy_ns syn_ns, last_syn_ns, answer_ns; /* as in tw_setup */
    tcpwhy_ns first_ns, last_ns;              /* its life */
    tcpwhy_ns spoke_ns;                       /* as in tw_setup */
    uint8_t client[16];
    uint32_t listener;
    uint32_t stream;
    uint32_t first_frame;
    uint32_t client_frames, server_frames;
    uint32_t syn_tsval; /* of the first SYN; where stamped */
    uint16_t unanswered;
    uint16_t extra_unanswered[TW_N_SYN_EXTRAS]; /* as in tw_setup */
    uint16_t port;                              /* the client's */
    uint8_t version;
    uint8_t outcome;    /* enum tw_setup_outcome */
    bool last_open : 1; /* as in tw_setup */
    uint8_t last_extras : 2;
    bool stamped : 1;        /* its SYN has a timestamp */
    bool reused : 1;         /* its five-tuple had been used within 60 s */
    bool failed : 1;         /* refused, challenged, or not answered at once */
    bool released : 1;       /* its end is known: a RST, or both sides closed */
    bool kept_by_client : 1; /* the client closed first: its port is in TIME-WAIT */
    bool kept_by_server : 1; /* likewise the server */
    bool set_aside : 1;      /* its handshake was acknowledged, and not taken */
    bool served : 1;         /* the server's program has it: it sent data, or closed */
};

struct tw_connection_attempts;

struct tw_connection_attempts *tw_connection_attempts_new(void);
struct tw_connection_attempts *
tw_connection_attempts_copy(const struct tw_connection_attempts *attempts);
void tw_connection_attempts_free(struct tw_connection_attempts *attempts);
size_t tw_connection_attempts_bytes(const struct tw_connection_attempts *attempts);

/* Take a connection to the listener of that number; later, what else came of it. */
void tw_connection_attempts_add(struct tw_connection_attempts *attempts, guint listener,
                                const struct tw_connection_row *conn);
void tw_connection_attempts_add_late(struct tw_connection_attempts *attempts,
                                     const struct tw_connection_row *conn);

/* Called for a SYN once it is certain to be unanswered. */
typedef void (*tw_unanswered_fn)(void *user, guint listener, tcpwhy_ns at_ns);

/* Add up what the older half of the connections says, whatever comes. @return how many those are,
 * which are to be dropped. Of a silence that lasts longer than they did, those answered meanwhile
 * may be too few. */
guint tw_connection_attempts_settle(struct tw_connection_attempts *attempts, tw_unanswered_fn tell,
                                    void *user);
void tw_connection_attempts_drop(struct tw_connection_attempts *attempts, guint n);

/* The capture ended then: decide what every silence means. */
void tw_connection_attempts_close(struct tw_connection_attempts *attempts, tcpwhy_ns end_ns,
                                  tw_unanswered_fn tell, void *user);

/* After that: the public view of a listener, peaks left out; what the decision rests on. */
void tw_connection_attempts_view(const struct tw_connection_attempts *attempts, guint listener,
                                 struct tcpwhy_openings *view);
/* Likewise; of a silence that is host-wide, added up over all such listeners of the host. */
void tw_connection_attempts_host_view(const struct tw_connection_attempts *attempts, guint listener,
                                      struct tcpwhy_openings *view);
/* Does what silenced the listener concern its whole host? */
bool tw_connection_attempts_host_wide(const struct tw_connection_attempts *attempts,
                                      guint listener);
const struct tw_retransmit_evidence *
tw_connection_attempts_evidence(const struct tw_connection_attempts *attempts, guint listener);

/* struct tw_opening of each connection. */
tw_array *tw_connection_attempts_all(struct tw_connection_attempts *attempts);

#endif
