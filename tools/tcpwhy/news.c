/* SPDX-License-Identifier: MIT */
/*
 * Knows findings by cause, whose they are, and the hosts; a client's port says nothing.
 */
#include "news.h"

#include <stdlib.h>
#include <string.h>

/* Printed again when its cost has grown by this factor. */
#define WORSE_TIMES 2

/* A screen holds no more; what comes after them is in the summaries. */
#define NEWS_MAX 4096

struct told {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    struct tcpwhy_endpoint endpoint, peer;
    uint32_t stream;   /* the worst when it was printed */
    tcpwhy_ns told_ns; /* cost when it was printed; 0: not yet, or retracted */
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

static bool is_of(const struct told *t, const struct tcpwhy_finding *f)
{
    struct told key = key_of(f);

    return t->cause == key.cause && t->party == key.party &&
           same_endpoint(&t->endpoint, &key.endpoint) && same_endpoint(&t->peer, &key.peer);
}

unsigned news_id(const struct news *news, const struct tcpwhy_finding *f)
{
    for (size_t i = 0; i < news->n; i++)
        if (is_of(&news->told[i], f))
            return (unsigned)i + 1;
    return 0;
}

/* The entry of a finding; NULL if there is no room. */
static struct told *entry_of(struct news *news, const struct tcpwhy_finding *f)
{
    unsigned id = news_id(news, f);

    if (id == 0 && news->n < NEWS_MAX) {
        news->told[news->n++] = key_of(f);
        id = (unsigned)news->n;
    }
    return id ? &news->told[id - 1] : NULL;
}

bool news_is(struct news *news, const struct tcpwhy_finding *f, tcpwhy_ns *before_ns)
{
    struct told *t = entry_of(news, f);

    if (!t || f->cost_ns <= 0 || f->cost_ns / WORSE_TIMES < t->told_ns)
        return false;
    *before_ns = t->told_ns;
    t->told_ns = f->cost_ns;
    t->stream = f->stream;
    return true;
}

/* ---- a changed mind -------------------------------------------------------------------------- */

static bool is_told(const struct told *t, const tcpwhy_report *report)
{
    const struct tcpwhy_finding *f;

    for (size_t i = 0; (f = tcpwhy_report_finding(report, i)); i++)
        if (is_of(t, f))
            return true;
    return false;
}

static bool same_host(const struct tcpwhy_endpoint *a, const struct tcpwhy_endpoint *b)
{
    return a->version == b->version && memcmp(a->address, b->address, sizeof(a->address)) == 0;
}

/* The current cost of its cause at these hosts: beside larger ones it is no finding, and no
 * error. */
static tcpwhy_ns cost_now(const struct told *t, const tcpwhy_report *report)
{
    const struct tcpwhy_listener *l;
    tcpwhy_ns cost_ns = 0;

    for (size_t i = 0; (l = tcpwhy_report_listener(report, i)); i++) {
        if (!same_host(&l->endpoint, &t->endpoint) && !same_host(&l->endpoint, &t->peer))
            continue;
        for (size_t j = 0; j < l->n_ledger; j++)
            if (l->ledger[j]->cause == t->cause && l->ledger[j]->party == t->party)
                cost_ns += l->ledger[j]->ns;
    }
    return cost_ns;
}

static bool between_them(const struct told *t, const struct tcpwhy_finding *f)
{
    return f->stream == t->stream ||
           (same_host(&f->endpoint, &t->endpoint) && same_host(&f->peer, &t->peer)) ||
           (same_host(&f->endpoint, &t->peer) && same_host(&f->peer, &t->endpoint));
}

static const struct tcpwhy_finding *instead_of(const struct told *t, const tcpwhy_report *report)
{
    const struct tcpwhy_finding *f;

    for (size_t i = 0; (f = tcpwhy_report_finding(report, i)); i++)
        if (between_them(t, f))
            return f;
    return NULL;
}

void news_retract(struct news *news, const tcpwhy_report *report, news_retracted_fn *retracted,
                  void *user)
{
    for (size_t i = 0; i < news->n; i++) {
        struct told *t = &news->told[i];
        const struct news_told told = { (unsigned)i + 1, t->cause, t->party };

        if (t->told_ns == 0 || is_told(t, report) ||
            cost_now(t, report) >= t->told_ns / WORSE_TIMES)
            continue;
        t->told_ns = 0;
        retracted(user, &told, instead_of(t, report));
    }
}
