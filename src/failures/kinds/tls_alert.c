/* SPDX-License-Identifier: MIT */
/*
 * One side ends the TLS handshake by a fatal alert. Only alerts in clear are seen: in TLS 1.3 those
 * of the server until its ServerHello, in TLS 1.2 all of a handshake.
 */
#include "failures/kind.h"

static const char *alert_name(uint8_t alert)
{
    /* RFC 8446, appendix B.2. */
    static const struct {
        uint8_t alert;
        const char *name;
    } names[] = {
        { 10, "unexpected_message" },
        { 20, "bad_record_mac" },
        { 22, "record_overflow" },
        { 40, "handshake_failure" },
        { 42, "bad_certificate" },
        { 43, "unsupported_certificate" },
        { 44, "certificate_revoked" },
        { 45, "certificate_expired" },
        { 46, "certificate_unknown" },
        { 47, "illegal_parameter" },
        { 48, "unknown_ca" },
        { 49, "access_denied" },
        { 50, "decode_error" },
        { 51, "decrypt_error" },
        { 70, "protocol_version" },
        { 71, "insufficient_security" },
        { 80, "internal_error" },
        { 86, "inappropriate_fallback" },
        { 90, "user_canceled" },
        { 109, "missing_extension" },
        { 110, "unsupported_extension" },
        { 112, "unrecognized_name" },
        { 113, "bad_certificate_status_response" },
        { 115, "unknown_psk_identity" },
        { 116, "certificate_required" },
        { 120, "no_application_protocol" },
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].alert == alert)
            return names[i].name;
    return "unknown";
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;

    if (!facts || facts->alert_frame == 0)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_TLS_ALERT, TCPWHY_FAILED_CONNECT, TCPWHY_SEEN_TLS_ALERT);
    out->who = facts->alert_by == TCPWHY_CLIENT ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
    out->name = alert_name(facts->alert);
    out->time_ns = facts->alert_ns;
    out->after_ns = facts->alert_ns - cut->log->record[0].time_ns;
    tw_failure_frame_number(out, facts->alert_frame);
    tw_failure_clue(out, TW_CLUE_TLS_ALERT, facts->alert, 0);
    return true;
}

const struct tw_failure_detector tw_failure_tls_alert = {
    .kind = TCPWHY_FAILURE_TLS_ALERT,
    .find = find,
};
