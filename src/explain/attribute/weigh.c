/* SPDX-License-Identifier: MIT */
#include "explain/attribute/weigh.h"

#include <glib.h>

#include "base/causes.h"
#include "base/counts.h"
#include "explain/attribute/arbiter.h"
#include "explain/attribute/asked.h"
#include "explain/attribute/priors.h"
#include "explain/weighings.h"

/* A gap lacks this. Of several the first is shown, so those that say most stand first. */
static const struct {
    enum tw_needs need;
    const char *lacks;
} lacking[] = {
    { TW_NEEDS_GAP, "the capture lacks no frames here" },
    { TW_NEEDS_EPISODE, "no lost segment was being repaired" },
    { TW_NEEDS_HOLE, "the receiver was missing no data of the sender" },
    { TW_NEEDS_CLOSED, "the receive window was not closed" },
    { TW_NEEDS_LINK, "the path to the sender is more than the link here" },
    { TW_NEEDS_LOCAL_QDISC, "the sender's segments do not queue in its own host" },
    { TW_NEEDS_TURN, "the sender did not have the turn to begin a message" },
    { TW_NEEDS_MESSAGE, "not within a message" },
    { TW_NEEDS_AWAITED, "no request was open" },
    { TW_NEEDS_BEFORE, "no segment of the message came before" },
    { TW_NEEDS_WHOLE, "a lost segment was being repaired" },
    { TW_NEEDS_PARTIAL, "the segment was no partial one" },
    { TW_NEEDS_LOSS, "no segment had been lost before" },
    { TW_NEEDS_RESTART, "no restart after idle" },
    { TW_NEEDS_EMPTY, "data was unacknowledged when it left" },
    { TW_NEEDS_WAY, "the one-way delay to the sender is not known" },
};

/* Names the first need that a gap lacks; NULL: it has them all. */
static const char *what_lacks(unsigned lacks)
{
    for (size_t i = 0; i < G_N_ELEMENTS(lacking); i++)
        if (lacks & lacking[i].need)
            return lacking[i].lacks;
    return NULL;
}

static uint32_t frame_at(const struct tw_gap *w, uint32_t record)
{
    const struct tw_log *log = w->context->log;

    return record < log->n ? log->record[record].frame : 0;
}

static tcpwhy_ns time_at(const struct tw_gap *w, uint32_t record)
{
    const struct tw_log *log = w->context->log;

    return record < log->n ? log->record[record].time_ns : TCPWHY_NS_UNKNOWN;
}

static struct tcpwhy_hypothesis weigh_one(const struct tw_gap *w, const struct tw_hypothesis *h)
{
    const char *refuted = what_lacks(tw_asked_lacks(w, h));
    struct tw_release r;

    if (!refuted)
        refuted = tw_arbiter_ask(h, w, &r);
    if (refuted)
        return (struct tcpwhy_hypothesis) { .cause = h->cause, .refuted = refuted };
    return (struct tcpwhy_hypothesis) { .cause = h->cause,
                                        .party = r.party,
                                        .from = r.from,
                                        .from_ns = r.from_ns,
                                        .to_ns = r.to_ns,
                                        .frame = frame_at(w, r.key_record),
                                        .frame_ns = time_at(w, r.key_record),
                                        .odds = r.odds + tw_prior_of(h->cause),
                                        .shown = r.odds >= TW_ODDS_PROGRAM };
}

/* No need was missing: the hypothesis itself said what refutes it. */
static bool was_looked_at(const struct tcpwhy_hypothesis *h)
{
    for (size_t i = 0; i < G_N_ELEMENTS(lacking); i++)
        if (h->refuted == lacking[i].lacks)
            return false;
    return true;
}

/* Best odds first, then what was looked at, then what lacks a need. */
static bool stands_before(const struct tcpwhy_hypothesis *a, const struct tcpwhy_hypothesis *b)
{
    if (!a->refuted || !b->refuted)
        return !a->refuted && (b->refuted || a->odds > b->odds);
    return was_looked_at(a) && !was_looked_at(b);
}

/* Add a hypothesis. For a cause with several ones the best one counts, as it does for the
 * arbiter. */
static size_t add(struct tcpwhy_hypothesis *all, size_t n, const struct tcpwhy_hypothesis *h)
{
    size_t at = 0;

    while (at < n && all[at].cause != h->cause)
        at++;
    if (at < n && !stands_before(h, &all[at]))
        return n;
    if (at == n)
        n++;
    for (; at > 0 && stands_before(h, &all[at - 1]); at--)
        all[at] = all[at - 1];
    all[at] = *h;
    return n;
}

static tcpwhy_ns cost_of(const struct tw_claim *c)
{
    return tw_cause_blames(c->cause) ? c->to_ns - c->from_ns : 0;
}

static tcpwhy_ns sent_at(const struct tw_gap *w)
{
    return w->send && w->context->sends[w->sender].heard ? w->send->sent_ns : TCPWHY_NS_UNKNOWN;
}

static uint32_t ack_of(const struct tw_gap *w)
{
    return w->send && w->since_ack_ns != TCPWHY_NS_UNKNOWN ? frame_at(w, w->send->moved_record) : 0;
}

void tw_weigh_gap(const struct tw_gap *w, const struct tw_claim *verdict)
{
    struct tw_weighing new = { .gap = { .from_ns = w->from_ns,
                                        .to_ns = w->to_ns,
                                        .sent_ns = sent_at(w),
                                        .first_frame = frame_at(w, w->first_record),
                                        .last_frame = frame_at(w, w->last_record),
                                        .burst_frame = frame_at(w, w->last_record),
                                        .ack_frame = ack_of(w),
                                        .since_ack_ns = w->since_ack_ns,
                                        .sender = w->sender,
                                        .cause = verdict->cause,
                                        .party = verdict->party,
                                        .confidence = verdict->confidence,
                                        .rival = verdict->rival },
                               .cost_ns = cost_of(verdict) };
    struct tw_weighing *kept = tw_weighings_place(w->context->weighings, &new);

    for (unsigned i = 0; kept && i < tw_n_hypotheses; i++) {
        struct tcpwhy_hypothesis h = weigh_one(w, tw_hypotheses[i]);

        kept->gap.n_hypotheses = add(kept->hypothesis, kept->gap.n_hypotheses, &h);
    }
}

void tw_weigh_burst(const struct tw_gap *w)
{
    tw_weighings_extend(w->context->weighings, frame_at(w, w->last_record));
}
