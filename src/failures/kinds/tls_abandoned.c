/* SPDX-License-Identifier: MIT */
/*
 * The client leaves the TLS handshake once it has the server's certificate: usually it does not
 * trust that. In TLS 1.3 its alert is encrypted, in earlier versions some clients send none.
 */
#include "failures/kind.h"

/* A client verifies a certificate at once; one that leaves later has waited for something. */
#define PROMPT_NS TCPWHY_S(1)

/* The client's FIN or RST just behind the server's words; TW_NO_RECORD: it goes on, or waited. */
static uint32_t leaves_at(const struct tw_cut *cut)
{
    uint32_t fin = cut->fin[TCPWHY_CLIENT], rst = cut->rst[TCPWHY_CLIENT];
    uint32_t end = fin < rst ? fin : rst, heard = cut->data[TCPWHY_SERVER];

    return end != TW_NO_RECORD && heard < end && tw_cut_closed_unasked(cut, TCPWHY_CLIENT) &&
                   tw_cut_between(cut, heard, end) <= PROMPT_NS
               ? end
               : TW_NO_RECORD;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;
    uint32_t end;

    if (!facts || (facts->tls != TW_TLS_GREETED && facts->tls != TW_TLS_LEFT))
        return false;
    end = leaves_at(cut);
    if (end == TW_NO_RECORD)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_TLS_ABANDONED, TCPWHY_FAILED_CONNECT,
                     TCPWHY_SEEN_TLS_ERROR);
    out->who = TCPWHY_BY_CLIENT;
    out->confidence = TCPWHY_LIKELY;
    out->time_ns = cut->log->record[end].time_ns;
    out->after_ns = tw_cut_between(cut, cut->data[TCPWHY_SERVER], end);
    tw_failure_frame(out, cut, cut->data[TCPWHY_SERVER]);
    if (facts->tls == TW_TLS_LEFT) {
        tw_failure_frame_number(out, facts->left_frame);
        tw_failure_clue(out, TW_CLUE_SEALED_ALERT, 0, 0);
    }
    tw_failure_frame(out, cut, end);
    return true;
}

const struct tw_failure_detector tw_failure_tls_abandoned = {
    .kind = TCPWHY_FAILURE_TLS_ABANDONED,
    .find = find,
};
