/* SPDX-License-Identifier: MIT */
#include "explain/timeline/handshake.h"

#include <glib.h>

#include "explain/timeline/handshake_frames.h"
#include "explain/spans.h"
#include "explain/thresholds.h"

static struct tw_span between(const struct tw_log *log, uint32_t from, uint32_t to,
                              enum tcpwhy_cause cause, enum tcpwhy_party party)
{
    return (struct tw_span) {
        .from_ns = log->record[from].time_ns,
        .to_ns = log->record[to].time_ns,
        .cause = cause,
        .party = party,
        .from = TCPWHY_CLIENT,
        .confidence = TCPWHY_CERTAIN,
        .first_record = from,
        .last_record = to,
        .key_record = TW_NO_RECORD,
        .count = 1,
    };
}

static void add(struct tw_explanation *out, const struct tw_log *log, uint32_t from, uint32_t to,
                enum tcpwhy_cause cause, enum tcpwhy_party party)
{
    const struct tw_span span = between(log, from, to, cause, party);

    tw_spans_add(out, &span);
}

/* The cause may be the rival as well. */
static void doubt(struct tw_span *span, enum tcpwhy_cause rival)
{
    span->confidence = TCPWHY_LIKELY;
    span->rival = rival;
}

/*
 * Retransmitted SYNs. A single one, or its SYN/ACK, may have been lost on the path. Two in a row
 * are unlikely to be; nor was a SYN lost that passed at the server itself, or that was taken for
 * one of an older connection.
 */
static void explain_asking(const struct tw_handshake_frames *m, const struct tw_log *log,
                           uint32_t from, const struct tw_vantage *v, struct tw_explanation *out)
{
    struct tw_span span =
        between(log, from, m->last_syn, TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_SERVER);

    if (m->syns <= 2 && m->old > m->last_syn && !v->both_ends &&
        (v->place != TCPWHY_VANTAGE_SERVER || v->confidence != TCPWHY_CERTAIN))
        doubt(&span, TCPWHY_LOSS_RECOVERY);
    tw_spans_add(out, &span);
}

/*
 * Refused attempts. Windows tries three times, half a second after each RST
 * (TcpMaxConnectRetransmissions); a later SYN may come from a timer whose sender never saw the RST.
 * m gets the landmarks of the last attempt and its outcome. @return the SYN at which it begins.
 */
static uint32_t explain_refusals(const struct tw_log *log, struct tw_handshake_frames *m,
                                 const struct tw_vantage *v, struct tw_explanation *out)
{
    uint32_t from = 0, refused = TW_NO_RECORD; /* since the SYN */
    bool unheard = false;
    struct tw_span span;

    while ((*m = tw_handshake_frames_find(log, from)).refusal != TW_NO_RECORD) {
        if (refused == TW_NO_RECORD) {
            explain_asking(m, log, 0, v, out);
            refused = m->last_syn;
        }
        if (m->again == TW_NO_RECORD)
            break;
        unheard |=
            log->record[m->again].time_ns - log->record[m->refusal].time_ns >= TW_INITIAL_RTO_NS;
        from = m->again;
    }
    if (refused == TW_NO_RECORD)
        return from;
    span = between(log, refused, m->refusal != TW_NO_RECORD ? m->refusal : from,
                   TCPWHY_CONNECT_REFUSED, TCPWHY_PARTY_SERVER);
    if (unheard)
        doubt(&span, TCPWHY_CONNECT_RETRY);
    tw_spans_add(out, &span);
    return from;
}

static bool has_asked(const struct tw_log *log, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (log->record[i].from == TCPWHY_CLIENT && log->record[i].len > 0)
            return true;
    return false;
}

/* The usual round trip from here to the other side and back. */
static tcpwhy_ns way_of(const struct tw_vantage *v, enum tcpwhy_side side)
{
    return 2 * v->to_side_ns[side] + v->jitter_ns[side];
}

/*
 * Other segments show that the RTT exceeds the initial RTO, so a SYN retransmitted before its
 * answer can have arrived shows no loss (RFC 6298, 5.7): all of that time is propagation. The RTT
 * varies no more than a queue does.
 */
static bool is_all_way(const struct tw_vantage *v, enum tcpwhy_side side, tcpwhy_ns took_ns)
{
    tcpwhy_ns way_ns = 2 * v->to_side_ns[side];

    return v->timed[side] && way_ns > TW_INITIAL_RTO_NS / 2 &&
           took_ns <= way_ns + way_ns / TW_QUEUE_VARIES_SHARE;
}

/* A client that retransmits its SYN after the answer has not received it. */
static bool was_deaf(const struct tw_handshake_frames *m, const struct tw_log *log, uint32_t answer,
                     const struct tw_vantage *v)
{
    return m->deaf != TW_NO_RECORD &&
           log->record[m->deaf].time_ns - log->record[answer].time_ns > way_of(v, TCPWHY_CLIENT);
}

/* Without timestamps, or with the same in all SYNs, the answer may belong to any of them. */
static bool echoes_last(const struct tw_handshake_frames *m, const struct tw_log *log,
                        uint32_t answer)
{
    const struct tw_record *last = &log->record[m->last_syn], *own = &log->record[answer];

    return (last->options & own->options & TW_OPT_TIMESTAMP) && own->tsecr == last->tsval &&
           m->before_last != TW_NO_RECORD && log->record[m->before_last].tsval != last->tsval;
}

/* An older stack's initial RTO, plus the lateness of kernel timers. */
static tcpwhy_ns longest_first_timer(void)
{
    return TW_OLD_INITIAL_RTO_NS + TW_OLD_INITIAL_RTO_NS / TW_TIMER_COARSE_SHARE;
}

/* A SYN/ACK lost before the vantage is retransmitted when the initial RTO fires, or a little later
 * (Linux's timers of a second may be late by an eighth: LVL_DEPTH of kernel/time/timer.c). */
static bool took_a_timer(const struct tw_vantage *v, tcpwhy_ns took_ns)
{
    tcpwhy_ns way_ns = way_of(v, TCPWHY_SERVER);

    return v->to_side_ns[TCPWHY_SERVER] > 0 && took_ns >= TW_INITIAL_RTO_NS &&
           way_ns < TW_INITIAL_RTO_NS / TW_TIMER_COARSE_SHARE &&
           took_ns - way_ns <= TW_INITIAL_RTO_NS + TW_INITIAL_RTO_NS / TW_TIMER_COARSE_SHARE;
}

/*
 * From the last SYN to its answer. After retransmissions this may be the late answer to an earlier
 * SYN, or the retransmission of a lost one: nobody waits longer than an initial RTO without a
 * retransmission.
 */
static void explain_answer(const struct tw_handshake_frames *m, const struct tw_log *log,
                           uint32_t from, uint32_t answer, const struct tw_vantage *v,
                           struct tw_explanation *out)
{
    struct tw_span step = between(log, m->last_syn, answer, TCPWHY_HANDSHAKE, TCPWHY_PARTY_PATH);
    tcpwhy_ns took_ns = step.to_ns - step.from_ns;

    if (m->last_syn != from && took_ns > MAX(way_of(v, TCPWHY_SERVER), TW_SHORT_NS) &&
        !echoes_last(m, log, answer))
        doubt(&step, TCPWHY_CONNECT_RETRY);
    else if (took_ns > longest_first_timer())
        doubt(&step, TCPWHY_CAPTURE_GAP);
    else if (took_a_timer(v, took_ns)) {
        step.cause = TCPWHY_CONNECT_RETRY;
        doubt(&step, TCPWHY_HANDSHAKE);
    }
    tw_spans_add(out, &step);
}

/*
 * The SYN/ACK is retransmitted although it was acknowledged: the accept queue is full
 * (tcp_v4_syn_recv_sock(), net.ipv4.tcp_abort_on_overflow = 0). If the client has sent no data yet,
 * perhaps nobody waits: with TCP_DEFER_ACCEPT Linux retransmits the SYN/ACK only when that time is
 * up (syn_ack_recalc()), later than any initial RTO.
 */
static void doubt_overflow(const struct tw_handshake_frames *m, const struct tw_log *log,
                           struct tw_span *span)
{
    if (has_asked(log, m->done, m->last_answer))
        return;
    doubt(span, TCPWHY_CLIENT_IDLE);
    if (log->record[m->first_repeat].time_ns - span->from_ns <= longest_first_timer())
        return;
    span->cause = TCPWHY_CLIENT_IDLE;
    span->party = TCPWHY_PARTY_CLIENT;
    span->rival = TCPWHY_CONNECT_RETRY;
}

/*
 * The SYN/ACK was not acknowledged before it was retransmitted: it was lost, or its ACK was, or the
 * client's host stalled. A client that retransmits its SYN has not received it. An ACK later than
 * an initial RTO measures no round trip.
 */
static void blame_way(struct tw_handshake_frames *m, const struct tw_log *log,
                      const struct tw_vantage *v, struct tw_span *span)
{
    const struct tw_record *record = log->record;

    span->party = TCPWHY_PARTY_PATH;
    if (m->done != TW_NO_RECORD &&
        is_all_way(v, TCPWHY_CLIENT, record[m->done].time_ns - span->from_ns)) {
        span->cause = TCPWHY_HANDSHAKE;
        m->last_answer = span->last_record = m->done;
        span->to_ns = record[m->done].time_ns;
        return;
    }
    if (!was_deaf(m, log, span->first_record, v))
        doubt(span, TCPWHY_CLIENT_IDLE);
    if (m->done == TW_NO_RECORD ||
        record[m->done].time_ns - record[m->last_answer].time_ns <= TW_INITIAL_RTO_NS)
        return;
    m->last_answer = span->last_record = m->done;
    span->to_ns = record[m->done].time_ns;
}

/* The server repeated its SYN/ACK before the client's ACK can have come: that timer is shorter than
 * the round trip. The longest one counts: the first is often the fastest. */
static bool crossed_ack(const struct tw_handshake_frames *m, const struct tw_log *log,
                        const struct tw_vantage *v)
{
    tcpwhy_ns way_ns = way_of(v, TCPWHY_SERVER);

    if (m->done >= m->first_repeat || m->last_answer != m->first_repeat)
        return false;
    if (!tw_vantage_is_at(v, TCPWHY_SERVER))
        way_ns = MAX(way_ns, v->rtt_max_ns);
    return log->record[m->first_repeat].time_ns - log->record[m->done].time_ns <= way_ns;
}

static void explain_repeats(struct tw_handshake_frames *m, const struct tw_log *log,
                            uint32_t answer, const struct tw_vantage *v, struct tw_explanation *out)
{
    struct tw_span span =
        between(log, answer, m->last_answer, TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_SERVER);

    if (crossed_ack(m, log, v)) {
        m->last_answer = answer;
        return;
    }
    if (m->done < m->first_repeat)
        doubt_overflow(m, log, &span);
    else
        blame_way(m, log, v, &span);
    tw_spans_add(out, &span);
}

/* A client sends no RST before its SYN is answered (RFC 9293, 3.10.5): the SYN/ACK is missing from
 * the capture. */
static bool lacks_answer(const struct tw_log *log)
{
    for (uint32_t i = 0; i < log->n; i++)
        if (log->record[i].from == TCPWHY_CLIENT && log->record[i].flags & TW_RST)
            return true;
    return false;
}

/* No answer: an ICMP error, or silence. */
static uint32_t explain_silence(const struct tw_log *log, struct tw_explanation *out)
{
    bool refused =
        log->n_icmp && log->icmp[0].kind == TW_ICMP_UNREACHABLE && log->icmp[0].to == TCPWHY_CLIENT;
    struct tw_span span =
        between(log, 0, log->n - 1, refused ? TCPWHY_CONNECT_REFUSED : TCPWHY_CONNECT_RETRY,
                TCPWHY_PARTY_SERVER);

    if (!refused && lacks_answer(log))
        doubt(&span, TCPWHY_HANDSHAKE);
    tw_spans_add(out, &span);
    return log->n - 1;
}

/* The kernel acknowledges at once; data or a FIN comes when the program likes. */
static bool is_the_kernels(const struct tw_record *r)
{
    return r->len == 0 && !(r->flags & TW_FIN);
}

/* The RTT is not known, and no ACK of the kernel shows where it ends. */
static void doubt_trip(struct tw_span *step)
{
    bool trip = step->to_ns - step->from_ns <= TW_INITIAL_RTO_NS;

    doubt(step, trip ? TCPWHY_CLIENT_IDLE : TCPWHY_HANDSHAKE);
    if (trip)
        return;
    step->cause = TCPWHY_CLIENT_IDLE;
    step->party = TCPWHY_PARTY_CLIENT;
}

/*
 * From the SYN/ACK to the client's next segment. If that is data, it carried the ACK (a connect()
 * that waits for data: tcp_rcv_synsent_state_process()), or the ACK did not pass here.
 */
static void explain_last_step(const struct tw_log *log, uint32_t answer, uint32_t done,
                              const struct tw_vantage *v, struct tw_explanation *out)
{
    struct tw_span step = between(log, answer, done, TCPWHY_HANDSHAKE, TCPWHY_PARTY_PATH);
    tcpwhy_ns way = way_of(v, TCPWHY_CLIENT);
    bool told = is_the_kernels(&log->record[done]) || step.to_ns - step.from_ns <= TW_SHORT_NS;

    if (!told && v->answered_by[TCPWHY_CLIENT] < TW_BY_ACKS) {
        doubt_trip(&step);
    } else if (!told && step.to_ns - step.from_ns > way) {
        struct tw_span idle = between(log, answer, done, TCPWHY_CLIENT_IDLE, TCPWHY_PARTY_CLIENT);

        step.to_ns = idle.from_ns = step.from_ns + way;
        tw_spans_add(out, &step);
        step = idle;
    }
    tw_spans_add(out, &step);
}

/* The client continued, so it was answered, although the answer did not pass here. */
static uint32_t explain_unseen_answer(const struct tw_handshake_frames *m, const struct tw_log *log,
                                      uint32_t from, const struct tw_vantage *v,
                                      struct tw_explanation *out)
{
    struct tw_span step = between(log, m->last_syn, m->done, TCPWHY_HANDSHAKE, TCPWHY_PARTY_PATH);

    explain_asking(m, log, from, v, out);
    if (is_the_kernels(&log->record[m->done]))
        doubt(&step, TCPWHY_CAPTURE_GAP);
    else
        doubt_trip(&step);
    tw_spans_add(out, &step);
    return m->done;
}

/* The server sends although no SYN/ACK passed here, and the client sends nothing else; confidence.c
 * tells of the frames that are missing. @return the last SYN. */
static uint32_t explain_asking_alone(const struct tw_handshake_frames *m, const struct tw_log *log,
                                     uint32_t from, const struct tw_vantage *v,
                                     struct tw_explanation *out)
{
    explain_asking(m, log, from, v, out);
    return m->last_syn;
}

uint32_t tw_handshake_explain(const struct tw_connection *c, const struct tw_log *log,
                              const struct tw_vantage *vantage, struct tw_explanation *out)
{
    struct tw_handshake_frames m;
    uint32_t from;

    if (!c->side[TCPWHY_CLIENT].syn || !(log->record[0].flags & TW_SYN) ||
        log->record[0].from != TCPWHY_CLIENT)
        return 0;
    from = explain_refusals(log, &m, vantage, out);
    if (m.refusal != TW_NO_RECORD)
        return m.refusal;
    if (c->side[TCPWHY_SERVER].frames == 0)
        return explain_silence(log, out);
    if (m.answer == TW_NO_RECORD)
        return m.done == TW_NO_RECORD ? explain_asking_alone(&m, log, from, vantage, out)
                                      : explain_unseen_answer(&m, log, from, vantage, out);

    uint32_t answer = m.answer;

    if (m.last_syn != from && is_all_way(vantage, TCPWHY_SERVER,
                                         log->record[answer].time_ns - log->record[from].time_ns)) {
        add(out, log, from, answer, TCPWHY_HANDSHAKE, TCPWHY_PARTY_PATH);
    } else {
        explain_asking(&m, log, from, vantage, out);
        explain_answer(&m, log, from, answer, vantage, out);
    }
    if (m.last_answer > answer) {
        explain_repeats(&m, log, answer, vantage, out);
        answer = m.last_answer;
    }
    if (m.done == TW_NO_RECORD || m.done <= answer)
        return answer;
    if (was_deaf(&m, log, answer, vantage))
        add(out, log, answer, m.done, TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_PATH);
    else
        explain_last_step(log, answer, m.done, vantage, out);
    return m.done;
}
