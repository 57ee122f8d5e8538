/* SPDX-License-Identifier: MIT */
#include "failures/failures.h"

#include "failures/cut.h"
#include "failures/detectors.h"

/* HTTP/2 and TLS say themselves what failed. */
static bool has_error(const struct tw_exchanges *exchanges)
{
    const struct tw_app_facts *facts = exchanges->facts;

    return facts && (facts->resets.n > 0 || facts->goaway_error[0] || facts->goaway_error[1] ||
                     facts->alert_frame != 0 || facts->websocket || facts->parting ||
                     facts->keep_alive_s || facts->plain_frame != 0 || facts->proxy_frame != 0 ||
                     facts->tls == TW_TLS_GREETED || facts->tls == TW_TLS_LEFT);
}

/* The classes of a connection in which each segment arrives. */
#define ORDINARY                                                                                   \
    (1u << TCPWHY_CLASS_SYN | 1u << TCPWHY_CLASS_SYN_ACK | 1u << TCPWHY_CLASS_DATA |               \
     1u << TCPWHY_CLASS_ACK | 1u << TCPWHY_CLASS_WINDOW_UPDATE | 1u << TCPWHY_CLASS_FIN)

/* Most connections end as they should: both sides close, no request is left, and nothing had to be
 * sent again. */
static bool may_have_failed(const struct tw_connection *c, const struct tw_cut *cut)
{
    const struct tw_log *log = cut->log;

    return cut->open || cut->part || cut->suspect || has_error(cut->exchanges) || c->side[0].rst ||
           c->side[1].rst || log->n_icmp > 0 || log->n_sack > 0 || log->n_sum > 0 ||
           !c->side[TCPWHY_SERVER].syn || cut->n_answered == 0 || (cut->classes & ~ORDINARY) ||
           c->side[TCPWHY_CLIENT].retransmissions > 0; /* its SYN, which has no other class then */
}

/* A first SYN and nothing else: to have failed takes a second one, or something that came back. */
static bool is_lone_syn(const struct tw_log *log, const struct tw_exchanges *exchanges)
{
    return log->n == 1 && log->record[0].flags & TW_SYN && log->n_icmp == 0 && log->n_sum == 0 &&
           exchanges->n == 0 && !has_error(exchanges);
}

/* A SYN/ACK that nobody asked for at that address, and a RST for it. */
static bool is_stray_syn_ack(const struct tw_side side[2])
{
    return side[TCPWHY_SERVER].syn && !side[TCPWHY_CLIENT].syn && side[TCPWHY_CLIENT].rst;
}

/* One side sent data, and the other nothing but a RST. */
static void note_stray(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_side *side = cut->connection->side;

    for (int by = 0; by < 2; by++) {
        if (!side[by].rst || cut->heard[by] != TW_NO_RECORD ||
            (!is_stray_syn_ack(side) &&
             (side[0].syn || side[1].syn || cut->data[!by] == TW_NO_RECORD)))
            continue;
        out->stray = true;
        out->stray_reset_by = (enum tcpwhy_side)by;
    }
}

static void find_kind(const struct tw_cut *cut, struct tw_failure *out)
{
    for (int i = 0; tw_failure_detectors[i]; i++)
        if (tw_failure_detectors[i]->find(cut, out))
            break;
}

/* A server that does not expect the PROXY protocol takes its header for the first request. */
static void tell_proxy_header(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;

    if (facts && facts->proxy_frame != 0 && cut->exchanges->n <= 1 && out->kind)
        tw_failure_clue(out, TW_CLUE_PROXY_HEADER, facts->proxy_frame, 0);
}

bool tw_failures_find(const struct tw_connection *c, const struct tw_log *log,
                      const struct tw_exchanges *exchanges, const struct tw_vantage *vantage,
                      struct tw_failure *out)
{
    struct tw_cut cut;

    *out = (struct tw_failure) { .kind = TCPWHY_FAILURE_NONE };
    if (c->past.row != TW_NO_ROW || log->n == 0 || is_lone_syn(log, exchanges))
        return false;
    tw_cut_begin(c, log, exchanges, vantage, &cut);
    if (may_have_failed(c, &cut)) {
        tw_cut_read(&cut);
        note_stray(&cut, out);
        if (!out->stray && may_have_failed(c, &cut)) {
            find_kind(&cut, out);
            tell_proxy_header(&cut, out);
        }
    }
    out->survived_ns = cut.survived_ns;
    return out->kind != TCPWHY_FAILURE_NONE;
}
