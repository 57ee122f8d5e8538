/* SPDX-License-Identifier: MIT */
/*
 * The first request after a silence meets nobody who knows the connection: a RST without ACK
 * answers it (RFC 9293, 3.10.7.1), or it is repeated in vain.
 */
#include "failures/kind.h"
#include "failures/rst_origin.h"
#include "failures/silence.h"

/* NATs and firewalls that swallow instead of resetting hold idle connections for a minute or more
 * (RFC 5382, REQ-5: two hours and four minutes, where they comply). */
#define LEAST_SWALLOWED_IDLE TCPWHY_S(50)

/* Idle timeouts as shipped: HAProxy, nginx and AWS ALB 60 s; Azure 240 s; AWS NLB and NAT 350 s;
 * GCP 600 s; firewalls 300, 900, 1800 and 3600 s. */
static const int known[] = { 60, 240, 300, 350, 600, 900, 1800, 3600, 7200 };

/* A silence is a little longer than the timeout that it outlasts. */
#define BEYOND_SHARE 0.1

static void add_known_default(const struct tw_cut *cut, tcpwhy_ns idle_ns, struct tw_failure *out)
{
    double idle_s = (double)idle_ns / 1e9;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (idle_s >= known[i] && idle_s <= known[i] * (1 + BEYOND_SHARE))
            tw_failure_clue(out, TW_CLUE_KNOWN_DEFAULT, known[i], 0);
    if (cut->survived_ns >= TW_LEAST_IDLE)
        tw_failure_clue(out, TW_CLUE_SURVIVED, (double)cut->survived_ns / 1e9, 0);
}

static bool swallowed(const struct tw_cut *cut, struct tw_failure *out)
{
    struct tw_silence silence;

    if (cut->idle_ns < LEAST_SWALLOWED_IDLE || !tw_silence_find(cut, cut->asker, &silence) ||
        silence.first != cut->request)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_IDLE_FORGOTTEN, TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence = TCPWHY_LIKELY;
    out->who = TCPWHY_BY_BOX;
    tw_silence_tell(cut, &silence, out);
    out->after_ns = cut->idle_ns;
    add_known_default(cut, cut->idle_ns, out);
    return true;
}

/* Unsolicited data after a silence is lost, such as the reply at the end of an FTP transfer (RFC
 * 959, 5.4). */
static bool swallowed_unasked(const struct tw_cut *cut, enum tcpwhy_side sender,
                              struct tw_failure *out)
{
    struct tw_silence silence;
    tcpwhy_ns idle_ns;

    if (!tw_silence_find(cut, sender, &silence) || silence.probes || silence.first == 0)
        return false;
    idle_ns = tw_cut_between(cut, silence.first - 1, silence.first);
    if (idle_ns < LEAST_SWALLOWED_IDLE)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_IDLE_FORGOTTEN,
                     sender == TCPWHY_CLIENT ? TCPWHY_FAILED_REQUEST : TCPWHY_FAILED_TRANSFER,
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence = TCPWHY_LIKELY;
    out->who = TCPWHY_BY_BOX;
    tw_silence_tell(cut, &silence, out);
    out->after_ns = idle_ns;
    add_known_default(cut, idle_ns, out);
    return true;
}

/* The server had a reason to forget: a RST in the client's own name. */
static bool was_reset_before(const struct tw_cut *cut)
{
    for (uint32_t i = 0; cut->connection->side[cut->asker].rst && i < cut->request; i++)
        if (cut->log->record[i].from == (uint8_t)cut->asker && cut->log->record[i].flags & TW_RST)
            return true;
    return false;
}

/* The request, or the repeat of it, that the RST answers. */
static uint32_t last_asked(const struct tw_cut *cut, uint32_t rst)
{
    uint32_t i = rst;

    while (i > cut->request &&
           (cut->log->record[i].from != (uint8_t)cut->asker || cut->log->record[i].len == 0))
        i--;
    return i;
}

static void tell_repeats(const struct tw_cut *cut, uint32_t last, uint32_t rst,
                         struct tw_failure *out)
{
    uint32_t n = 0;

    for (uint32_t i = cut->request + 1; i <= last; i++)
        n += cut->log->record[i].from == (uint8_t)cut->asker &&
             cut->log->record[i].frame_class == TCPWHY_CLASS_RETRANSMISSION;
    if (n == 0)
        return;
    tw_failure_clue(out, TW_CLUE_REPEATS, n, (double)tw_cut_between(cut, cut->request, last) / 1e9);
    tw_failure_clue(out, TW_CLUE_ENDED_BY_RST, (double)tw_cut_between(cut, last, rst) / 1e6, 0);
}

static bool forgot_request(const struct tw_cut *cut, struct tw_failure *out)
{
    enum tcpwhy_side server = tw_other(cut->asker);
    const struct tw_record *rst = tw_cut_record(cut, cut->rst[server]);
    const struct tw_record *request = tw_cut_record(cut, cut->request);
    uint32_t last;

    if (!request || cut->idle_ns < TW_LEAST_IDLE || cut->fin[server] != TW_NO_RECORD ||
        cut->unseen[server] != TW_NO_RECORD || /* a FIN may be missing, too */
        was_reset_before(cut))
        return false;
    if (!rst || rst->flags & TW_ACK || cut->acked[cut->asker] > request->seq)
        return swallowed(cut, out);
    tw_failure_begin(out, TCPWHY_FAILURE_IDLE_FORGOTTEN, TCPWHY_FAILED_REQUEST, TCPWHY_SEEN_RESET);
    out->time_ns = request->time_ns;
    out->after_ns = cut->idle_ns;
    tw_failure_frame(out, cut, cut->request - 1);
    tw_failure_frame(out, cut, cut->request);
    tw_failure_frame(out, cut, cut->rst[server]);
    last = last_asked(cut, cut->rst[server]);
    tw_rst_origin(cut, cut->rst[server], last, out);
    tell_repeats(cut, last, cut->rst[server], out);
    if (out->who == TCPWHY_BY_SERVER)
        out->confidence = TCPWHY_LIKELY;
    add_known_default(cut, cut->idle_ns, out);
    return true;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    return forgot_request(cut, out) || swallowed_unasked(cut, TCPWHY_SERVER, out);
}

const struct tw_failure_detector tw_failure_idle_forgotten = {
    .kind = TCPWHY_FAILURE_IDLE_FORGOTTEN,
    .find = find,
};
