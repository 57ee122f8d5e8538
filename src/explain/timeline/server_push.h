/* SPDX-License-Identifier: MIT */
/*
 * A server that speaks at its own time: what it says keeps a beat, whenever it was spoken to in
 * between (subscriptions, samples, game states). Where only turns tell, what was said to it last
 * looks like a question, and the rest of the beat like the time that it took to answer. So it is
 * where a server looks for questions at its own time, by a timer: that answers none in between.
 */
#ifndef TW_EXPLAIN_TIMELINE_SERVER_PUSH_H
#define TW_EXPLAIN_TIMELINE_SERVER_PUSH_H

#include "app/app.h"

struct tw_server_push {
    tcpwhy_ns least_ns; /* what comes so long behind what the client said is of the beat; INT64_MAX:
                           nothing shows one */
    bool answers;       /* the server answers in between: the beat is no timer of its answers */
};

struct tw_server_push tw_server_push_find(const struct tw_log *log,
                                          const struct tw_exchanges *exchanges);

#endif
