/* SPDX-License-Identifier: MIT */
/*
 * A request on a connection whose server had closed it: the client's kernel had acknowledged the
 * FIN, and its program asked nevertheless. Where the server closed as soon as the connection was
 * open, it was the server that turned the client away.
 */
#include <string.h>

#include "failures/kind.h"

/* A farewell of TLS: header, padded alert, and what authenticates it. */
#define ALERT_BYTES 64

static bool is_farewell(const struct tw_cut *cut)
{
    return !cut->open->framed && cut->open->request_to - cut->open->request_from <= ALERT_BYTES &&
           strcmp(cut->open->protocol, "tls") == 0;
}

/* A message that asks for nothing is as lost as a request, unless its sender closes with it. */
static uint32_t said_behind(const struct tw_cut *cut, uint32_t fin)
{
    enum tcpwhy_side sender = cut->asker;

    if (cut->open)
        return cut->request;
    for (uint32_t i = fin; i < cut->log->n; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from == (uint8_t)sender && r->fresh > 0)
            return cut->fin[sender] == TW_NO_RECORD ? i : TW_NO_RECORD;
    }
    return TW_NO_RECORD;
}

/* Did the client's kernel have the FIN well before the request? Its first ACK of it shows that; if
 * that is the request, both may have been under way. */
static bool had_fin_before(const struct tw_cut *cut, uint32_t fin, uint32_t said)
{
    const struct tw_record *record = cut->log->record;

    for (uint32_t i = fin + 1; i < said; i++)
        if (record[i].from == (uint8_t)cut->asker && record[i].ack >= tw_record_end(&record[fin]))
            return record[said].time_ns - record[i].time_ns >= TW_SOON_BEHIND_FIN;
    return false;
}

/* Did the server close right behind the handshake, with nothing said on either side? */
static bool closed_unused(const struct tw_cut *cut, uint32_t fin)
{
    const struct tw_connection *c = cut->connection;
    const struct tw_record *record = cut->log->record;

    for (uint32_t i = 0; i < fin; i++)
        if (record[i].len > 0)
            return false;
    return c->side[cut->asker].syn && c->side[!cut->asker].syn &&
           c->handshake_rtt_ns != TCPWHY_NS_UNKNOWN &&
           tw_cut_between(cut, 0, fin) < c->handshake_rtt_ns + TW_LEAST_KEEP_ALIVE;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;
    enum tcpwhy_side server = tw_other(cut->asker);
    uint32_t said = said_behind(cut, cut->fin[server]);
    const struct tw_record *fin = tw_cut_record(cut, cut->fin[server]);
    const struct tw_record *request = tw_cut_record(cut, said);

    if (!fin || !request || request->ack < tw_record_end(fin) || cut->rst[server] == TW_NO_RECORD ||
        cut->fin[server] > said || request->time_ns - fin->time_ns < TW_SOON_BEHIND_FIN ||
        (cut->open && (!tw_cut_is_dialog(cut, 1) || is_farewell(cut))))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED, TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_RESET);
    out->who = closed_unused(cut, cut->fin[server]) ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    if (facts && facts->parting && facts->parting_frame <= fin->frame)
        out->name = facts->parting;
    if (!had_fin_before(cut, cut->fin[server], said))
        out->confidence = TCPWHY_LIKELY;
    out->time_ns = request->time_ns;
    out->after_ns = request->time_ns - fin->time_ns;
    tw_failure_frame(out, cut, cut->fin[server]);
    tw_failure_frame(out, cut, said);
    tw_failure_frame(out, cut, cut->rst[server]);
    tw_failure_clue(out, TW_CLUE_HAD_FIN, (double)out->after_ns / 1e6, 0);
    return true;
}

const struct tw_failure_detector tw_failure_closed_connection_reused = {
    .kind = TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED,
    .find = find,
};
