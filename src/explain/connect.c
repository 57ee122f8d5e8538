/* SPDX-License-Identifier: MIT */
#include "explain/connect.h"

#include <glib.h>

#include "explain/spans.h"

/* Where the landmarks of a setup are; TW_NO_RECORD when missing. */
struct landmarks {
    uint32_t first_syn, last_syn; /* of the client; last before any answer */
    uint32_t answer;              /* the first SYN/ACK */
    uint32_t last_answer;         /* its last repetition before the server says anything else */
    uint32_t done;                /* the client's ACK of the SYN/ACK */
    uint32_t refusal;             /* RST instead of an answer */
    uint32_t syns, repeats;       /* SYNs before any answer; SYN/ACKs after the first */
};

static void add(struct tw_explanation *out, const struct tw_log *log, uint32_t from, uint32_t to,
                enum tcpwhy_cause cause, enum tcpwhy_party party)
{
    const struct tw_span span = {
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

    tw_spans_add(out, &span);
}

/* As many answers as there were SYNs before the first may have crossed them on the way. */
static void take_answer(struct landmarks *m, uint32_t i)
{
    if (m->answer == TW_NO_RECORD)
        m->answer = m->last_answer = i;
    else if (++m->repeats >= m->syns)
        m->last_answer = i;
}

static void look_at(struct landmarks *m, const struct tw_log *log, uint32_t i)
{
    const struct tw_record *r = &log->record[i];
    bool client = r->from == TCPWHY_CLIENT;

    if (client && (r->flags & (TW_SYN | TW_ACK)) == TW_SYN && m->answer == TW_NO_RECORD)
        m->last_syn = i, m->syns++;
    else if (!client && tw_record_is(r, TW_SYN | TW_ACK))
        take_answer(m, i);
    else if (!client && (r->flags & TW_RST) && m->answer == TW_NO_RECORD)
        m->refusal = i;
    else if (client && m->answer != TW_NO_RECORD && m->done == TW_NO_RECORD && !(r->flags & TW_SYN))
        m->done = i;
}

static struct landmarks find_landmarks(const struct tw_log *log)
{
    struct landmarks m = { .answer = TW_NO_RECORD,
                           .last_answer = TW_NO_RECORD,
                           .done = TW_NO_RECORD,
                           .refusal = TW_NO_RECORD };

    for (uint32_t i = 0; i < log->n && m.refusal == TW_NO_RECORD; i++) {
        const struct tw_record *r = &log->record[i];

        /* The server's first word that is neither SYN/ACK nor RST ends the setup. */
        if (r->from == TCPWHY_SERVER && !(r->flags & (TW_SYN | TW_RST)))
            break;
        look_at(&m, log, i);
    }
    return m;
}

static uint32_t explain_refusal(const struct landmarks *m, const struct tw_log *log,
                                struct tw_explanation *out)
{
    add(out, log, 0, m->last_syn, TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_SERVER);
    add(out, log, m->last_syn, m->refusal, TCPWHY_CONNECT_REFUSED, TCPWHY_PARTY_SERVER);
    return m->refusal;
}

/* No answer at all: refused by an ICMP error, or simply silence. */
static uint32_t explain_silence(const struct tw_log *log, struct tw_explanation *out)
{
    bool refused =
        log->n_icmp && log->icmp[0].kind == TW_ICMP_UNREACHABLE && log->icmp[0].to == TCPWHY_CLIENT;

    add(out, log, 0, log->n - 1, refused ? TCPWHY_CONNECT_REFUSED : TCPWHY_CONNECT_RETRY,
        TCPWHY_PARTY_SERVER);
    return log->n - 1;
}

uint32_t tw_connect_explain(const struct tw_connection *c, const struct tw_log *log,
                            struct tw_explanation *out)
{
    struct landmarks m;

    if (!c->side[TCPWHY_CLIENT].syn || !(log->record[0].flags & TW_SYN) ||
        log->record[0].from != TCPWHY_CLIENT)
        return 0;
    m = find_landmarks(log);
    if (m.refusal != TW_NO_RECORD)
        return explain_refusal(&m, log, out);
    if (m.answer == TW_NO_RECORD)
        return c->side[TCPWHY_SERVER].frames == 0 ? explain_silence(log, out) : 0;

    uint32_t answer = MAX(m.answer, m.last_syn);

    add(out, log, 0, m.last_syn, TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_SERVER);
    add(out, log, m.last_syn, answer, TCPWHY_HANDSHAKE, TCPWHY_PARTY_PATH);
    /* The answer comes again although it was acknowledged: the accept queue has no place
     * (tcp_v4_syn_recv_sock(), net.ipv4.tcp_abort_on_overflow = 0). */
    add(out, log, answer, MAX(answer, m.last_answer), TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_SERVER);
    answer = MAX(answer, m.last_answer);
    if (m.done == TW_NO_RECORD)
        return answer;
    add(out, log, answer, MAX(answer, m.done), TCPWHY_HANDSHAKE, TCPWHY_PARTY_PATH);
    return MAX(answer, m.done);
}
