/* SPDX-License-Identifier: MIT */
#include "report/facts/setups.h"

#include <string.h>

#include "base/array.h"
#include "report/facts/listeners.h"
#include "report/facts/connection_attempts.h"

const char tw_kind_rejected[] = "firewall rejects";
const char tw_kind_unreachable[] = "host unreachable";

static void number(tw_array *details, const char *name, double value)
{
    const struct tcpwhy_detail d = { name, NULL, value };

    tw_array_append_val(details, d);
}

static void word(tw_array *details, const char *name, const char *text)
{
    const struct tcpwhy_detail d = { name, text, 0 };

    tw_array_append_val(details, d);
}

/* The retransmitted SYNs were answered, or the capture lacks the evidence: undecided. */
static enum tcpwhy_silence kind_of(const struct tcpwhy_openings *v)
{
    return v->silence == TCPWHY_SILENCE_NONE ? TCPWHY_SILENCE_UNDECIDED : v->silence;
}

/* SYNs with that extra, and those without. */
static void tell_extra(const struct tw_retransmit_evidence *e, enum tw_syn_extra extra,
                       const char *syns, const char *unanswered, tw_array *details)
{
    if (e->extra[extra].syns == 0)
        return;
    number(details, syns, (double)e->extra[extra].syns);
    number(details, unanswered, (double)e->extra[extra].unanswered);
    number(details, "plain_syns", (double)(e->syns - e->extra[extra].syns));
}

static bool has_kind(const tw_array *details)
{
    const struct tcpwhy_detail *d = (const struct tcpwhy_detail *)(const void *)details->data;
    guint i = 0;

    while (i < details->len && strcmp(d[i].name, "kind") != 0)
        i++;
    return i < details->len;
}

static void tell_kind(const struct tcpwhy_openings *v, tw_array *details)
{
    word(details, "kind", tcpwhy_silence_name(kind_of(v)));
    word(details, "kind_confidence",
         tcpwhy_confidence_name(kind_of(v) == v->silence ? v->silence_confidence
                                                         : TCPWHY_AMBIGUOUS));
    /* A client that nobody waits for is no kind of silence: the finding's rival names it. */
    if (v->silence_rival != TCPWHY_SILENCE_NONE && v->silence_rival != TCPWHY_SILENCE_UNDECIDED)
        word(details, "kind_rival", tcpwhy_silence_name(v->silence_rival));
}

static void tell_silence(const struct tcpwhy_openings *v, const struct tw_retransmit_evidence *e,
                         tw_array *details)
{
    if (!has_kind(details)) /* else a failure explains the silence */
        tell_kind(v, details);
    number(details, "syns", (double)v->syns);
    number(details, "syn_repeats", (double)v->syn_repeats);
    number(details, "unanswered_syns", (double)v->unanswered_syns);
    tell_extra(e, TW_SYN_ECN, "ecn_syns", "ecn_unanswered", details);
    tell_extra(e, TW_SYN_DATA, "data_syns", "data_unanswered", details);
    if (v->silence == TCPWHY_SILENCE_TIMESTAMPS) {
        number(details, "behind_unanswered", (double)e->behind_unanswered);
        number(details, "not_behind_answered", (double)e->not_behind);
    }
    if (e->challenged > 0)
        number(details, "challenged", (double)e->challenged);
    number(details, "unanswered_share", v->unanswered_share);
    number(details, "connections_waited", (double)v->waited);
    number(details, "answered_meanwhile", (double)e->answered_meanwhile);
    if (v->silence == TCPWHY_SILENCE_PORTS)
        number(details, "answered_between", (double)e->answered_between);
    number(details, "accept_overflows", (double)v->accept_overflows);
    if (e->host_frames > 0) { /* else they are not counted */
        number(details, "ports_waiting", (double)e->ports_waiting);
        number(details, "hosts_waiting", (double)e->hosts_waiting);
        number(details, "host_connections_meanwhile", (double)e->host_meanwhile);
    }
    if (e->limit > 0)
        number(details, "connection_limit", (double)e->limit);
    if (e->queue_most > 0)
        number(details, "queue_most", (double)e->queue_most);
}

static void tell_refusal(const struct tcpwhy_openings *v, tw_array *details)
{
    uint64_t by_reset = v->refused - v->rejected - v->unreachable;

    if (by_reset >= v->rejected && by_reset >= v->unreachable) {
        word(details, "kind", "closed port");
        /* A filter can answer with RST as well. */
        word(details, "kind_confidence", tcpwhy_confidence_name(TCPWHY_LIKELY));
        word(details, "kind_rival", tw_kind_rejected);
    } else {
        word(details, "kind",
             v->rejected >= v->unreachable ? tw_kind_rejected : tw_kind_unreachable);
        word(details, "kind_confidence", tcpwhy_confidence_name(TCPWHY_CERTAIN));
    }
    number(details, "syns", (double)v->syns);
    number(details, "refused", (double)v->refused);
}

bool tw_setups_host_wide(const struct tw_setups *s, const struct tcpwhy_endpoint *endpoint)
{
    int listener = tw_listeners_find(s->listeners, endpoint);

    return listener >= 0 && tw_connection_attempts_host_wide(s->attempts, (guint)listener);
}

bool tw_setups_flooded(const struct tw_setups *s, const struct tcpwhy_endpoint *endpoint,
                       uint64_t connections)
{
    int listener = tw_listeners_find(s->listeners, endpoint);

    return listener >= 0 && connections > 0 &&
           tw_connection_attempts_evidence(s->attempts, (guint)listener)->forlorn_again ==
               connections;
}

void tw_setups_tell(const struct tw_setups *s, const struct tw_finding_row *f,
                    struct tw_finding_row *finding, tw_array *details)
{
    int listener = tw_listeners_find(s->listeners, &f->endpoint);
    struct tcpwhy_openings view;

    if (listener < 0)
        return;
    if (f->cause == TCPWHY_CONNECT_REFUSED) {
        tw_connection_attempts_view(s->attempts, (guint)listener, &view);
        tell_refusal(&view, details);
        return;
    }
    tw_connection_attempts_host_view(s->attempts, (guint)listener, &view);
    if (view.silence == TCPWHY_SILENCE_ECN || view.silence == TCPWHY_SILENCE_FAST_OPEN)
        finding->party = TCPWHY_PARTY_PATH;
    tell_silence(&view, tw_connection_attempts_evidence(s->attempts, (guint)listener), details);
}
