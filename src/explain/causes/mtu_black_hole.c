/* SPDX-License-Identifier: MIT */
/*
 * Full-size segments vanish while small ones pass (RFC 2923, section 2.1; RFC 8899). Seen from the
 * sender they are repeated and never acknowledged; from the receiver they are a hole that only
 * the sender's small frames show. ICMP "too big" makes it certain.
 */
#include "explain/causes/detector.h"

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

/* And where it was filled at last, it was with smaller segments (RFC 4821). */
static bool repaired_smaller(const struct tw_gap *w)
{
    const struct tw_recovery_episode *e = w->episode;

    return e->unseen && e->hole_bytes >= 2 * (int64_t)w->context->sends[e->sender].agreed_bytes &&
           only_small_came(w, e->sender) && !keeps_to_less(w, e);
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    bool seen = w->episode && (w->episode->black_hole || repaired_smaller(w));

    if (!seen && !(tw_gap_hole_stays(w) && has_several(w) && only_small_came(w, w->sender)))
        return false;
    c->party = TCPWHY_PARTY_PATH;
    if (seen) {
        c->from = w->episode->sender;
        c->key_record = w->episode->repair_record;
    }
    if (!w->context->too_big[c->from])
        tw_claim_add_rival(c, TCPWHY_LOSS_RECOVERY);
    return true;
}

const struct tw_detector tw_detect_mtu_black_hole = { TCPWHY_MTU_BLACK_HOLE, claim, TW_NEEDS_HOLE };
