/* SPDX-License-Identifier: MIT */
/*
 * Full-size segments vanish while small ones pass (RFC 2923, section 2.1; RFC 8899). Seen from the
 * sender they are repeated and never acknowledged; from the receiver they are a hole that only
 * the sender's small frames show. ICMP "too big" makes it certain.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* No segment as large as was agreed on ever came, though the worth of several lacks. */
static bool only_small_came(const struct tw_gap *w, enum tcpwhy_side sender)
{
    const struct tw_context *context = w->context;

    return context->vantage.to_side_ns[sender] > 0 &&
           context->connection->side[sender].largest < context->sends[sender].agreed_bytes;
}

/* What never came is the worth of several segments. */
static bool has_several(const struct tw_gap *w)
{
    return w->context->hole_bytes[w->sender] >=
           2 * (int64_t)w->context->sends[w->sender].agreed_bytes;
}

/* Before the hole came one of the sender's largest: it keeps to less than was agreed on. */
static bool keeps_to_less(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    const struct tw_record *r = &w->context->log->record[e->first_record];

    return r->from == e->sender && r->len == w->context->connection->side[e->sender].largest;
}

/* The hole is one full segment, which may exceed what the SYNs seem to allow (a middlebox clamps
 * one of them), or the worth of several. Between these lie a few smaller ones. */
static bool is_full_segments(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    int64_t agreed = w->context->sends[e->sender].agreed_bytes;

    return e->hole_bytes >= 2 * agreed ||
           (e->hole_bytes >= agreed && e->hole_bytes <= agreed + agreed / TW_JITTER_SHARE);
}

/* And where it was filled at last, it was with smaller segments (RFC 4821). */
static bool repaired_smaller(const struct tw_gap *w)
{
    const struct tw_recovery_episode *e = w->episode;

    return e->unseen && is_full_segments(w, e) && only_small_came(w, e->sender) &&
           !keeps_to_less(w, e);
}

/* The repair of a loss in which only segments too large for small paths went in vain. */
static bool may_be_size(const struct tw_gap *w)
{
    const struct tw_recovery_episode *e = w->episode;

    if (e)
        return e->too_large && !e->unseen && !e->first && !e->arrived;
    return tw_gap_hole_stays(w) && w->context->vantage.to_side_ns[w->sender] > 0 &&
           w->context->hole_bytes[w->sender] >=
               (int64_t)w->context->sends[w->sender].agreed_bytes &&
           w->context->prescan.last_beyond[w->sender] <= &w->context->log->record[w->first_record];
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
