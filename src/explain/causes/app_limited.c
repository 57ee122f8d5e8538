/* SPDX-License-Identifier: MIT */
/*
 * Inside a message, with room in every window, nothing was sent: the application wrote late.
 */
#include <glib.h>

#include "explain/wait.h"

/* With this many segments out, their ACKs came one by one, and none of them let anything go. */
#define SEVERAL_SEGMENTS 4

/* A pause shorter than this part of a round trip is the sender's pacing or a busy host. */
#define PAUSE_SHARE 4
#define PAUSE_NS    TCPWHY_MS(1)

/* The kernel sends in the softirq of the ACK, or wakes the writer: both within this. */
#define KERNEL_NS    TCPWHY_US(100)
#define REMOTE_NS    TCPWHY_MS(1)
#define REMOTE_SHARE 8

static bool at_once(const struct tw_wait *w)
{
    const struct tw_vantage *v = &w->scene->vantage;
    bool here = v->to_side_ns[w->sender] == 0;

    return w->lag_ns != TCPWHY_NS_UNKNOWN &&
           w->lag_ns <= (here ? KERNEL_NS : MAX(REMOTE_NS, v->rtt_min_ns / REMOTE_SHARE));
}

static bool ran_dry(const struct tw_wait *w)
{
    uint32_t mss = w->scene->sends[w->sender].mss_bytes;

    return w->drained && !at_once(w) && w->before->flight_bytes >= (int64_t)SEVERAL_SEGMENTS * mss;
}

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    tcpwhy_ns rtt = MAX(w->scene->vantage.rtt_min_ns, 0);
    tcpwhy_ns pause = w->to_ns - w->from_ns;

    if (!w->send || !w->before || w->phase != TW_PHASE_MESSAGE || w->send->repeat)
        return false;

    bool paused = pause >= MAX(PAUSE_NS, rtt / PAUSE_SHARE);

    if (!ran_dry(w) && !(paused && (!w->ack_released || w->round->written)))
        return false;
    c->party = tw_party_of(w->sender);
    return true;
}

const struct tw_detector tw_detect_app_limited = { TCPWHY_APP_LIMITED, claim };
