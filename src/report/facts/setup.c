/* SPDX-License-Identifier: MIT */
#include "report/facts/setup.h"

#include <string.h>

#include "log/set_aside.h"

struct reading {
    struct tw_setup *out;
    bool answered;
    bool acknowledged; /* the answer was */
    bool asked;        /* and the client has sent data */
    bool over;
    uint32_t deaf_until; /* refusals before this record are not believed */
    tw_setup_fn tell;
    void *user;
};

static void tell(const struct reading *r, enum tw_setup_event event, tcpwhy_ns at_ns)
{
    if (r->tell)
        r->tell(r->user, event, at_ns);
}

static uint8_t extras_of(const struct tw_record *syn)
{
    bool ecn = (syn->flags & (TW_ECE | TW_CWR)) == (TW_ECE | TW_CWR);

    return (uint8_t)(ecn << TW_SYN_ECN | (syn->len > 0) << TW_SYN_DATA);
}

static void take_syn(struct reading *r, const struct tw_record *syn)
{
    struct tw_setup *s = r->out;

    if (s->last_open) {
        s->unanswered++;
        for (int i = 0; i < TW_N_SYN_EXTRAS; i++)
            s->extra_unanswered[i] += s->last_extras >> i & 1;
        tell(r, TW_EVENT_UNANSWERED, s->last_syn_ns);
    }
    s->answer_lost |= r->answered && !r->acknowledged;
    tell(r, s->syns ? TW_EVENT_SYN_AGAIN : TW_EVENT_SYN, syn->time_ns);
    s->syns++;
    s->last_extras = extras_of(syn);
    for (int i = 0; i < TW_N_SYN_EXTRAS; i++)
        s->extra_syns[i] += s->last_extras >> i & 1;
    s->last_syn_ns = syn->time_ns;
    s->last_open = true;
}

static void take_syn_ack(struct reading *r, const struct tw_record *answer)
{
    struct tw_setup *s = r->out;

    /* unless it answers a SYN that crossed the first answer on the path */
    if (r->acknowledged && !s->last_open) {
        s->overflow = true;
        s->overflow_idle = !r->asked;
    }
    if (s->answer_ns == TCPWHY_NS_UNKNOWN)
        s->answer_ns = answer->time_ns;
    s->outcome = r->acknowledged ? TW_SETUP_OPEN : TW_SETUP_HALF_OPEN;
    s->last_open = false;
    r->answered = true;
}

static void take_refusal(struct reading *r, tcpwhy_ns at_ns)
{
    r->out->outcome = TW_SETUP_REFUSED;
    r->out->answer_ns = at_ns;
    r->out->last_open = false;
    r->over = true;
    tell(r, TW_EVENT_REFUSED, at_ns);
}

static void take_server(struct reading *r, const struct tw_record *record)
{
    if (tw_record_is(record, TW_SYN | TW_ACK)) {
        take_syn_ack(r, record);
    } else if (!(record->flags & TW_RST)) {
        /* RFC 5961, section 4: a SYN into a connection that still is gets an ACK. */
        r->out->challenged |= !r->answered;
        r->out->last_open &= r->answered;
        r->over = r->answered;
    } else if (!r->answered) {
        take_refusal(r, record->time_ns);
    } else {
        r->over = true;
    }
}

static void take_client(struct reading *r, const struct tw_record *record)
{
    r->asked |= r->answered && record->len > 0;
    if ((record->flags & (TW_SYN | TW_ACK)) == TW_SYN) {
        take_syn(r, record);
    } else if (record->flags & TW_RST) {
        /* A challenged client resets the old connection and asks again (RFC 5961). */
        r->over = r->answered;
    } else if (!r->answered) {
        /* it continues as if answered: the server's frames are missing */
        if (!r->out->challenged) {
            r->out->outcome = TW_SETUP_UNSEEN;
            r->out->unanswered = 0;
            memset(r->out->extra_unanswered, 0, sizeof r->out->extra_unanswered);
            r->out->last_open = false;
            r->over = true;
        }
    } else if (!r->acknowledged) {
        r->acknowledged = true;
        r->out->outcome = TW_SETUP_OPEN;
        tell(r, TW_EVENT_OPENED, record->time_ns);
    }
}

static bool begins_with_syn(const struct tw_log *log)
{
    return log->n > 0 && log->record[0].from == TCPWHY_CLIENT &&
           (log->record[0].flags & (TW_SYN | TW_ACK)) == TW_SYN;
}

/*
 * Codes of "destination unreachable" that a filter sends: prohibited (RFC 1812: 9, 10, 13; RFC
 * 4443: 1, 5, 6), and port unreachable (3; 4), which a TCP never sends and iptables' REJECT does.
 */
static enum tw_refusal refusal_of(const struct tw_log_icmp *icmp, uint8_t ip_version)
{
    const uint32_t filter = ip_version == 6 ? 1u << 1 | 1u << 4 | 1u << 5 | 1u << 6
                                            : 1u << 3 | 1u << 9 | 1u << 10 | 1u << 13;

    return icmp->code < 32 && filter & 1u << icmp->code ? TW_REFUSED_FILTER
                                                        : TW_REFUSED_UNREACHABLE;
}

/* A client that continues after this record did not believe the refusal: it was forged or not
 * acceptable (RFC 9293, 3.10.7.3). A client that retransmits its SYN did. @return the record with
 * which it continues; or 0. */
static uint32_t goes_on(const struct tw_log *log, uint32_t refusal)
{
    for (uint32_t i = refusal + 1; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == TCPWHY_CLIENT && r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
            return r->flags & (TW_SYN | TW_RST) ? 0 : i;
        if (r->from == TCPWHY_SERVER && !(r->flags & (TW_SYN | TW_RST)))
            break;
    }
    return 0;
}

static bool is_ignored(struct reading *r, const struct tw_log *log, uint32_t i)
{
    const struct tw_record *record = &log->record[i];

    if (record->from != TCPWHY_SERVER || !(record->flags & TW_RST) || r->answered)
        return false;
    if (i >= r->deaf_until)
        r->deaf_until = goes_on(log, i);
    return i < r->deaf_until;
}

/* A connection has left the listener's queue when a program sends on it, or closes it. */
static tcpwhy_ns first_words_ns(const struct tw_log *log)
{
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == TCPWHY_SERVER && !(r->flags & TW_SYN) && (r->len > 0 || r->flags & TW_FIN))
            return r->time_ns;
    }
    return TCPWHY_NS_UNKNOWN;
}

/* A router answered: its SYN was to end there (traceroute). */
static bool has_expired(const struct tw_log *log)
{
    return log->n_icmp && log->icmp[0].to == TCPWHY_CLIENT &&
           log->icmp[0].kind == TW_ICMP_TIME_EXCEEDED;
}

void tw_setup_read(const struct tw_log *log, uint8_t ip_version, struct tw_setup *out,
                   tw_setup_fn tell_fn, void *user)
{
    struct reading r = { .out = out, .tell = tell_fn, .user = user };

    *out = (struct tw_setup) { .outcome = TW_SETUP_UNSEEN,
                               .answer_ns = TCPWHY_NS_UNKNOWN,
                               .spoke_ns = TCPWHY_NS_UNKNOWN };
    if (!begins_with_syn(log))
        return;
    out->outcome = TW_SETUP_SILENT;
    out->syn_ns = log->record[0].time_ns;
    out->stamped = log->record[0].options & TW_OPT_TIMESTAMP;
    out->syn_tsval = out->stamped ? log->record[0].tsval : 0;
    for (uint32_t i = 0; i < log->n && !r.over; i++) {
        const struct tw_record *record = &log->record[i];

        if (record->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME || is_ignored(&r, log, i))
            continue;
        if (record->from == TCPWHY_CLIENT)
            take_client(&r, record);
        else
            take_server(&r, record);
    }
    if (out->outcome == TW_SETUP_OPEN)
        out->spoke_ns = first_words_ns(log);
    out->set_aside = tw_log_is_set_aside(log);
    if (out->outcome == TW_SETUP_SILENT && log->n_icmp && log->icmp[0].to == TCPWHY_CLIENT &&
        log->icmp[0].kind == TW_ICMP_UNREACHABLE) {
        out->refusal = refusal_of(&log->icmp[0], ip_version);
        take_refusal(&r, log->icmp[0].time_ns);
    }
    if (out->outcome == TW_SETUP_SILENT && has_expired(log))
        out->last_open = false;
}

int tw_setup_reset_by(const struct tw_connection *c, const struct tw_log *log,
                      const struct tw_setup *setup)
{
    if ((!c->side[0].rst && !c->side[1].rst) || setup->outcome == TW_SETUP_REFUSED)
        return -1;
    if (!c->side[1].rst)
        return TCPWHY_CLIENT;
    if (!c->side[0].rst)
        return TCPWHY_SERVER;
    for (uint32_t i = 0; i < log->n; i++)
        if (log->record[i].flags & TW_RST)
            return log->record[i].from;
    return -1;
}
