/* SPDX-License-Identifier: MIT */
#include "explain/attribute/arbiter.h"

#include <limits.h>

#include "explain/attribute/priors.h"

/* The answer of a hypothesis, with its prior. */
struct answer {
    enum tcpwhy_cause cause;
    double odds;
};

/* A hypothesis starts from the whole gap and a program's odds. */
static struct tw_release whole_of(const struct tw_gap *w)
{
    return (struct tw_release) { .from = w->sender,
                                 .from_ns = w->from_ns,
                                 .to_ns = w->to_ns,
                                 .key_record = TW_NO_RECORD,
                                 .odds = TW_ODDS_PROGRAM };
}

const char *tw_arbiter_ask(const struct tw_hypothesis *h, const struct tw_gap *w,
                           struct tw_release *r)
{
    *r = whole_of(w);
    return h->weigh(w, r);
}

/* Collect all answers, and the release of the best. @return the number of answers. */
static unsigned ask_all(const struct tw_gap *w, uint32_t asked, struct answer *out,
                        struct answer *best, struct tw_release *release)
{
    const struct tw_release whole = whole_of(w);
    unsigned n = 0;

    for (; asked; asked &= asked - 1) {
        const struct tw_hypothesis *h = tw_hypotheses[__builtin_ctz(asked)];
        struct tw_release r = whole;

        if (h->weigh(w, &r))
            continue;
        out[n] = (struct answer) { h->cause, r.odds + tw_prior_of(h->cause) };
        if (r.odds >= TW_ODDS_PROGRAM && out[n].odds > best->odds) {
            *best = out[n];
            *release = r;
        }
        n++;
    }
    return n;
}

/* The best of the other causes. */
static struct answer rival_of(const struct answer *best, const struct answer *answers, unsigned n)
{
    struct answer rival = { TCPWHY_CAUSE_NONE, -TW_ODDS_NEVER };

    for (unsigned i = 0; i < n; i++)
        if (answers[i].cause != best->cause && answers[i].odds > rival.odds)
            rival = answers[i];
    return rival;
}

static enum tcpwhy_confidence confidence_of(double lead)
{
    return lead >= TW_ODDS_CERTAIN  ? TCPWHY_CERTAIN
           : lead >= TW_ODDS_LIKELY ? TCPWHY_LIKELY
                                    : TCPWHY_AMBIGUOUS;
}

void tw_arbiter_decide(const struct tw_gap *w, uint32_t asked, struct tw_claim *out)
{
    struct answer answers[CHAR_BIT * sizeof asked], rival,
        best = { TCPWHY_UNKNOWN, -TW_ODDS_NEVER };
    struct tw_release release = {
        .from = w->sender, .from_ns = w->from_ns, .to_ns = w->to_ns, .key_record = TW_NO_RECORD
    };
    unsigned n = ask_all(w, asked, answers, &best, &release);

    *out = (struct tw_claim) { .cause = best.cause,
                               .party = release.party,
                               .from = release.from,
                               .from_ns = release.from_ns,
                               .to_ns = release.to_ns,
                               .key_record = release.key_record };
    if (best.cause == TCPWHY_UNKNOWN) /* unknown is said, not guessed */
        return;
    /* Propagation cannot be avoided, whatever else the gap might be. */
    rival = rival_of(&best, answers, n);
    out->confidence =
        best.cause == TCPWHY_WIRE ? TCPWHY_CERTAIN : confidence_of(best.odds - rival.odds);
    if (out->confidence != TCPWHY_CERTAIN)
        out->rival = rival.cause;
}
