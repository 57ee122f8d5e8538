/* SPDX-License-Identifier: MIT */
/*
 * The client closes while it waits for an answer, or for the rest of one: its timeout.
 */
#include <string.h>

#include "app/greeting.h"
#include "failures/kind.h"
#include "failures/rst_origin.h"
#include "failures/silence.h"

/* Timeouts of programs are longer; a run of a load generator ends sooner. */
#define LEAST_WAIT TCPWHY_MS(500)

/* Without message boundaries, this many requests were answered before. */
#define LEAST_TURNS 3

/* A receiver acknowledges within this time (RFC 9293, 3.8.6.3): a later ACK covers data missing
 * from the capture. */
#define LATEST_ACK TCPWHY_MS(500)

/* The last data of the answer that reached the client. */
static uint32_t last_of_answer(const struct tw_cut *cut, enum tcpwhy_side client)
{
    uint32_t data = cut->data[!client], taken = cut->taken[!client];

    return data != TW_NO_RECORD && taken != TW_NO_RECORD && taken > data &&
                   tw_cut_between(cut, data, taken) > LATEST_ACK
               ? taken
               : data;
}

/* A message with pauses may be several messages that need no answer. */
static bool came_at_once(const struct tw_cut *cut)
{
    return tw_cut_between(cut, cut->request, cut->request_end) < LEAST_WAIT;
}

/* A client whose request must be answered by its protocol, such as a ClientHello, waits for
 * that. */
static bool surely_waits(const struct tw_cut *cut, const struct tw_exchange *e)
{
    return e->framed || (cut->open && e->request[0]) ||
           (cut->open && strcmp(e->protocol, "turn") == 0 && cut->n_answered >= LEAST_TURNS &&
            came_at_once(cut));
}

static uint16_t port_of(const struct tw_cut *cut)
{
    return tw_tuple_endpoint(&cut->connection->tuple, TCPWHY_SERVER).port;
}

/* The last segment of a handshake after which nobody sends anything, to a server that greets, be it
 * inside TLS; TW_NO_RECORD: there is none. */
static uint32_t awaits_greeting(const struct tw_cut *cut)
{
    const struct tw_connection *c = cut->connection;

    if (cut->exchanges->n > 0 || !c->side[TCPWHY_CLIENT].syn || !c->side[TCPWHY_SERVER].syn ||
        !(tw_greeting_is_due(port_of(cut)) || tw_greeting_is_in_tls(port_of(cut))))
        return TW_NO_RECORD;
    for (uint32_t i = 0; i < cut->log->n; i++)
        if (!(cut->log->record[i].flags & TW_SYN))
            return cut->log->record[i].from == TCPWHY_CLIENT ? i : TW_NO_RECORD;
    return TW_NO_RECORD;
}

static void tell(const struct tw_cut *cut, uint32_t since, uint32_t end, struct tw_failure *out)
{
    out->who = TCPWHY_BY_CLIENT;
    out->time_ns = cut->log->record[end].time_ns;
    tw_failure_waited(out, cut, since, end);
}

/* The client closes after a wait for the server's greeting. */
static bool find_ungreeted(const struct tw_cut *cut, struct tw_failure *out)
{
    uint32_t since = awaits_greeting(cut);
    uint32_t fin = cut->fin[TCPWHY_CLIENT], rst = cut->rst[TCPWHY_CLIENT];
    uint32_t end = fin < rst ? fin : rst;

    if (since == TW_NO_RECORD || end == TW_NO_RECORD || since >= end ||
        !tw_cut_closed_unasked(cut, TCPWHY_CLIENT) || tw_cut_between(cut, since, end) < LEAST_WAIT)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_CLIENT_GAVE_UP, TCPWHY_FAILED_CONNECT,
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence = TCPWHY_LIKELY;
    tell(cut, since, end, out);
    if (tw_greeting_is_in_tls(port_of(cut)))
        tw_failure_clue(out, TW_CLUE_TLS_GREETING, port_of(cut), 0);
    else
        tw_failure_clue(out, TW_CLUE_NO_GREETING, 0, 0);
    return true;
}

/* The server said something behind the request that is no answer in its protocol. */
static bool has_word(const struct tw_cut *cut, enum tcpwhy_side server)
{
    return cut->open && cut->data[server] != TW_NO_RECORD && cut->data[server] > cut->request_end;
}

/* The server's data behind the request, which lies beyond a hole that was never filled: it had
 * answered, and the path lost a part. TW_NO_RECORD: there is none. */
static uint32_t beyond_hole(const struct tw_cut *cut, const struct tw_exchange *e)
{
    const enum tcpwhy_side server = tw_other(e->asker);
    const int64_t hole = cut->acked[server];
    uint32_t beyond = TW_NO_RECORD;

    for (uint32_t i = e->request_last == TW_NO_RECORD ? 0 : e->request_last + 1; i < cut->log->n;
         i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from != (uint8_t)server || r->len == 0)
            continue;
        if (r->seq <= hole && tw_record_end(r) > hole)
            return TW_NO_RECORD;
        if (r->seq > hole && beyond == TW_NO_RECORD)
            beyond = i;
    }
    return beyond;
}

/* A client that resets while an answer of known length still arrives did not wait to the end: its
 * time for the whole request was over, or its user left. */
static bool find_midst(const struct tw_cut *cut, const struct tw_exchange *e,
                       struct tw_failure *out)
{
    const enum tcpwhy_side client = e->asker;
    const uint32_t end = cut->rst[client];

    if (cut->open || !e->framed || e->in_pieces || e->request_last == TW_NO_RECORD ||
        e->response_first == TW_NO_RECORD || end == TW_NO_RECORD || e->response_first >= end ||
        cut->fin[!client] != TW_NO_RECORD || tw_cut_between(cut, e->request_last, end) < LEAST_WAIT)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_CLIENT_GAVE_UP, TCPWHY_FAILED_TRANSFER,
                     TCPWHY_SEEN_SHORT_READ);
    tell(cut, e->request_last, end, out);
    tw_failure_clue(out, TW_CLUE_RECEIVED, (double)tw_cut_received(cut, e), e->status);
    tw_rst_origin(cut, end, TW_NO_RECORD, out);
    return true;
}

/* No answer takes less than a round trip: whoever leaves sooner, and is answered behind that, did
 * not wait for it. */
static bool is_early(const struct tw_cut *cut, uint32_t since, uint32_t end)
{
    tcpwhy_ns rtt_ns = cut->vantage->rtt_median_ns;

    return cut->open && cut->open->response_first != TW_NO_RECORD && rtt_ns != TCPWHY_NS_UNKNOWN &&
           tw_cut_between(cut, since, end) < rtt_ns;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->open ? cut->open : cut->part;
    enum tcpwhy_side client = e ? e->asker : TCPWHY_CLIENT;
    uint32_t end = cut->fin[client] < cut->rst[client] ? cut->fin[client] : cut->rst[client];
    uint32_t since, beyond;
    bool reset = end != TW_NO_RECORD && end == cut->rst[client];
    struct tw_silence silence;

    if (!e)
        return find_ungreeted(cut, out);
    if (end == TW_NO_RECORD || e->at_will || !tw_cut_closed_unasked(cut, client) ||
        (reset && tw_rst_is_foreign(cut, end)))
        return false;
    since = cut->open ? cut->request_end : last_of_answer(cut, client);
    if (since >= end || tw_cut_between(cut, since, end) < LEAST_WAIT)
        return find_midst(cut, e, out);
    if (!surely_waits(cut, e) || is_early(cut, since, end))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_CLIENT_GAVE_UP,
                     cut->open ? TCPWHY_FAILED_REQUEST : TCPWHY_FAILED_TRANSFER,
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence =
        e->framed && !has_word(cut, tw_other(client)) ? TCPWHY_CERTAIN : TCPWHY_LIKELY;
    tell(cut, since, end, out);
    if (cut->open && cut->acked[client] >= cut->open->request_to)
        tw_failure_clue(out, TW_CLUE_ACKED, 0, 0);
    else if (tw_silence_repeats(cut, client, &silence))
        tw_silence_tell_repeats(cut, &silence, out);
    beyond = beyond_hole(cut, e);
    if (beyond != TW_NO_RECORD && beyond < end)
        tw_failure_clue(out, TW_CLUE_BEYOND_HOLE,
                        (double)(cut->log->record[beyond].seq - cut->acked[tw_other(client)]), 0);
    if (reset)
        tw_rst_origin(cut, end, TW_NO_RECORD, out);
    return true;
}

const struct tw_failure_detector tw_failure_client_gave_up = {
    .kind = TCPWHY_FAILURE_CLIENT_GAVE_UP,
    .find = find,
};
