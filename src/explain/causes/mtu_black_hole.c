/* SPDX-License-Identifier: MIT */
/*
 * Full-size segments are lost while small ones pass (RFC 2923, 2.1; RFC 8899). At the sender they
 * are retransmitted and never acknowledged; at the receiver they are a hole that only the sender's
 * small segments reveal. An ICMP "fragmentation needed" makes it certain.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* No segment of the agreed MSS ever came, although several are missing. */
static bool only_small_came(const struct tw_gap *w, enum tcpwhy_side sender)
{
    const struct tw_context *context = w->context;

    return context->vantage.to_side_ns[sender] > 0 &&
           context->connection->side[sender].largest < context->sends[sender].agreed_bytes;
}

/* The hole is worth several segments. */
static bool has_several(const struct tw_gap *w)
{
    return w->context->hole_bytes[w->sender] >=
           2 * (int64_t)w->context->sends[w->sender].agreed_bytes;
}

/* One of the sender's largest segments came before the hole: it sends less than the agreed MSS. */
static bool keeps_to_less(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    const struct tw_record *r = &w->context->log->record[e->first_record];

    return r->from == e->sender && r->len == w->context->connection->side[e->sender].largest;
}

/* The hole is one full segment, which may exceed what the SYNs allow (a middlebox clamps one of
 * them), or several. A size in between is several smaller ones. */
static bool is_full_segments(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    int64_t agreed = w->context->sends[e->sender].agreed_bytes;

    return e->hole_bytes >= 2 * agreed ||
           (e->hole_bytes >= agreed && e->hole_bytes <= agreed + agreed / TW_JITTER_SHARE);
}

/* If the hole was filled in the end, smaller segments filled it (RFC 4821). */
static bool repaired_smaller(const struct tw_gap *w)
{
    const struct tw_recovery_episode *e = w->episode;

    return e->unseen && is_full_segments(w, e) && only_small_came(w, e->sender) &&
           !keeps_to_less(w, e);
}

/* Only segments too large for small paths were lost in this repair. */
static bool may_be_size(const struct tw_gap *w)
{
    const struct tw_recovery_episode *e = w->episode;

    if (e)
        return e->too_large && !e->unseen && !e->first && !e->arrived;
    return tw_gap_hole_stays(w) && w->context->vantage.to_side_ns[w->sender] > 0 &&
           w->context->hole_bytes[w->sender] >=
               (int64_t)w->context->sends[w->sender].agreed_bytes &&
           w->context->beyond[w->sender] <= &w->context->log->record[w->first_record];
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    bool seen = w->episode && (w->episode->black_hole || repaired_smaller(w));
    bool stays = !seen && tw_gap_hole_stays(w) && has_several(w) && only_small_came(w, w->sender);

    r->party = TCPWHY_PARTY_PATH;
    r->odds = TW_ODDS_PROVEN;
    if (seen) {
        r->from = w->episode->sender;
        r->key_record = w->episode->repair_record;
    } else if (!stays) {
        r->odds = TW_ODDS_SHOWN;
        return may_be_size(w) ? NULL : "not only large segments were lost";
    }
    if (seen && w->episode->unseen)
        r->odds = TW_ODDS_HINTED;
    if (w->context->too_big[r->from])
        r->odds += TW_ODDS_DOUBTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_mtu_black_hole = { TCPWHY_MTU_BLACK_HOLE, TW_NEEDS_HOLE,
                                                            weigh };
