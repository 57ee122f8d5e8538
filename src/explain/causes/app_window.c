/* SPDX-License-Identifier: MIT */
/*
 * The other program's grant let the segment go, block after block of the same size. The whole gap
 * is propagation: of the data, and of the grant back.
 */
#include "explain/causes/hypothesis.h"
#include "explain/model/app_window.h"

/* The grant came late, or the data behind it did. */
static bool is_longer_than_way(const struct tw_gap *w)
{
    return w->to_ns - w->from_ns > TW_FACTOR * w->context->vantage.rtt_min_ns;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    if (!tw_app_window_was_granted(w->context, w->sender, w->send))
        return "no message of the other program let it go";
    if (is_longer_than_way(w))
        return "it lasted longer than a message takes to and fro";
    r->party = tw_party_of(tw_other(w->sender));
    r->from_ns = r->to_ns;
    r->odds = TW_ODDS_SHOWN;
    if (w->context->app_window[w->sender].ignored > 0)
        r->odds += TW_ODDS_DOUBTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_app_window = {
    TCPWHY_APP_WINDOW, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE, weigh
};
