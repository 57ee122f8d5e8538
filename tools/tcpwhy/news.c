/* SPDX-License-Identifier: MIT */
/*
 * Knows findings by cause, whose they are, and the hosts; a client's port says nothing.
 */
#include "news.h"

#include <stdlib.h>
#include <string.h>

/* Told again when it cost so many times as much as when it was told last. */
#define WORSE_TIMES 2

/* A screen holds no more; what comes after them is in the summaries. */
#define NEWS_MAX 4096

struct told {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    struct tcpwhy_endpoint endpoint, peer;
    tcpwhy_ns told_ns;   /* cost when it was told */
    tcpwhy_ns closed_ns; /* of connections that are over */
};

struct news {
    size_t n;
    struct told told[NEWS_MAX];
};

struct news *news_new(void)
{
    return calloc(1, sizeof(struct news));
}

void news_free(struct news *news)
{
    free(news);
}

static struct told key_of(const struct tcpwhy_finding *f)
{
    struct told key = {
        .cause = f->cause, .party = f->party, .endpoint = f->endpoint, .peer = f->peer
    };

    key.peer.port = 0;
    if (f->party != TCPWHY_PARTY_SERVER)
        key.endpoint.port = 0;
    return key;
}

static bool same_endpoint(const struct tcpwhy_endpoint *a, const struct tcpwhy_endpoint *b)
{
    return a->version == b->version && a->port == b->port &&
           memcmp(a->address, b->address, sizeof(a->address)) == 0;
}

/* NULL when there is no more room. */
static struct told *entry_of(struct news *news, const struct tcpwhy_finding *f)
{
    struct told key = key_of(f);

    for (size_t i = 0; i < news->n; i++) {
        struct told *t = &news->told[i];

        if (t->cause == key.cause && t->party == key.party &&
            same_endpoint(&t->endpoint, &key.endpoint) && same_endpoint(&t->peer, &key.peer))
            return t;
    }
    if (news->n == NEWS_MAX)
        return NULL;
    news->told[news->n] = key;
    return &news->told[news->n++];
}

static enum news_answer answer(struct told *t, tcpwhy_ns cost_ns)
{
    bool first = t->told_ns == 0;

    if (cost_ns <= 0 || cost_ns / WORSE_TIMES < t->told_ns)
        return NEWS_OLD;
    t->told_ns = cost_ns;
    return first ? NEWS_NEW : NEWS_WORSE;
}

enum news_answer news_of_all(struct news *news, const struct tcpwhy_finding *f)
{
    struct told *t = entry_of(news, f);

    return t ? answer(t, f->cost_ns) : NEWS_OLD;
}

enum news_answer news_of_one(struct news *news, const struct tcpwhy_finding *f)
{
    struct told *t = entry_of(news, f);

    if (!t)
        return NEWS_OLD;
    t->closed_ns += f->cost_ns;
    return answer(t, t->closed_ns);
}
