/* SPDX-License-Identifier: MIT */
#include "track/host_tx_delay.h"

#include <glib.h>

#include "base/seq.h"

/* Shorter delays are not reported. */
#define WORTH_NS TCPWHY_MS(5)

/* Another sample comes within an RTT, or two if something is retransmitted. A request right behind
 * the last segment is answered soon after its ACK. */
#define FRESH_ROUND_TRIPS 2
#define SOON_SHARE        4

/* ---- what is timed --------------------------------------------------------------------------- */

static uint16_t steps_of(tcpwhy_ns ns)
{
    return (uint16_t)CLAMP(ns / TW_HOST_TX_DELAY_STEP_NS, 0, TW_HOST_TX_DELAY_STEPS);
}

/* The answer t came rtt_ns after the host sent; over: nothing more of it is in transit. */
static void note(struct tw_host_tx_delay *out, struct tw_host_tx *h, const struct tw_connection *c,
                 const struct tw_tracked *t, tcpwhy_ns rtt_ns, bool over)
{
    bool known = c->handshake_rtt_ns != TCPWHY_NS_UNKNOWN;
    tcpwhy_ns beyond_ns = known ? rtt_ns - c->handshake_rtt_ns : 0;

    h->told_by = c->stream;
    h->peer = c->host[t->from];
    h->steps = steps_of(rtt_ns);
    h->beyond = steps_of(beyond_ns);
    h->over = over;
    h->tells = (known ? beyond_ns : rtt_ns) >= WORTH_NS && rtt_ns <= TW_HOST_TX_DELAY_LONGEST_NS;
    if (!h->tells)
        return;
    h->until_ns = t->time_ns + (over ? rtt_ns / SOON_SHARE : FRESH_ROUND_TRIPS * rtt_ns);
    out->until_ns = MAX(out->until_ns, h->until_ns);
}

/* SACK may cover data beyond a loss (RFC 2018). */
static int64_t highest_of(const struct tw_tracked *t)
{
    int64_t highest = t->ack;

    for (int i = 0; i < t->n_sack; i++)
        highest = MAX(highest, t->sack[i][1]);
    return highest;
}

/* Time the newest outstanding segment, unless it is a retransmission. */
static void begin(struct tw_host_tx *h, const struct tw_connection *c, const struct tw_tracked *t,
                  int64_t came)
{
    const struct tw_side *sender = &c->side[!t->from];

    h->timed = 0;
    if (sender->next <= came || sender->last_class != TCPWHY_CLASS_DATA || sender->recent.n == 0)
        return;
    h->timed = c->stream + 1;
    h->end = sender->next;
    h->at_ns = t->time_ns - tw_recent_age(&sender->recent, t->time_ns);
}

void tw_host_tx_delay_take_ack(struct tw_host_tx_delay *out, const struct tw_connection *c,
                               const struct tw_tracked *t)
{
    struct tw_host_tx *h = &out->host[c->host[!t->from]];
    int64_t came = highest_of(t);

    if (h->timed == c->stream + 1 && came < h->end)
        return;
    /* an ACK with data may have waited for the data */
    if (h->timed == c->stream + 1 && t->segment->len == 0)
        note(out, h, c, t, t->time_ns - h->at_ns, c->side[!t->from].next <= came);
    begin(h, c, t, came);
}

void tw_host_tx_delay_repeat(struct tw_host_tx_delay *out, const struct tw_connection *c,
                             const struct tw_tracked *t)
{
    struct tw_host_tx *h = &out->host[c->host[t->from]];

    if (h->timed == c->stream + 1 && t->seq + t->segment->len >= h->end)
        h->timed = 0;
}

void tw_host_tx_delay_await_echo(struct tw_host_tx_delay *out, const struct tw_connection *c,
                                 const struct tw_tracked *t)
{
    if (t->segment->options & TW_OPT_TIMESTAMP)
        out->host[c->host[t->from]].echo = (struct tw_host_tx_echo) {
            .bytes = c->side[!t->from].bytes,
            .at_ns = t->time_ns,
            .data_ns = t->time_ns,
            .stream = c->stream + 1,
            .tsval = t->segment->tsval,
        };
}

/* Only a sender that keeps sending all the time echoes an ACK as soon as it arrives. */
void tw_host_tx_delay_take_echo(struct tw_host_tx_delay *out, const struct tw_connection *c,
                                const struct tw_tracked *t)
{
    struct tw_host_tx *h = &out->host[c->host[!t->from]];
    struct tw_host_tx_echo *e = &h->echo;
    tcpwhy_ns rtt_ns = t->time_ns - e->at_ns;

    if (!(t->segment->options & TW_OPT_TIMESTAMP))
        return;
    e->longest_ns = MAX(e->longest_ns, t->time_ns - e->data_ns);
    e->data_ns = t->time_ns;
    if (tw_seq_before(t->segment->tsecr, e->tsval))
        return;
    e->stream = 0;
    if (e->longest_ns <= rtt_ns / SOON_SHARE)
        note(out, h, c, t, rtt_ns, false);
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* The connection's own ACKs tell it more; a request sent after everything arrived is behind
 * nothing. */
static uint16_t told_to(const struct tw_host_tx *h, const struct tw_connection *c, int side,
                        const struct tw_tracked *t)
{
    if (!h->tells || t->time_ns >= h->until_ns || h->told_by == c->stream ||
        (h->over && t->from == side))
        return 0;
    return h->peer == c->host[!side] ? h->steps : h->beyond | TW_HOST_TX_DELAY_ELSEWHERE;
}

void tw_host_tx_delay_tell(struct tw_host_tx_delay *out, const struct tw_connection *c,
                           struct tw_tracked *t)
{
    if (out->host[c->host[!t->from]].timed == c->stream + 1)
        tw_host_tx_delay_take_ack(out, c, t);
    for (int i = 0; i < 2; i++)
        t->tx_delay[i] = told_to(&out->host[c->host[i]], c, i, t);
}
