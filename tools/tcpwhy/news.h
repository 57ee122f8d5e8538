/* SPDX-License-Identifier: MIT */
/*
 * Findings that are news: each is printed once, again when it has become materially worse, and
 * retracted when later frames say otherwise.
 */
#ifndef NEWS_H
#define NEWS_H

#include <tcpwhy/tcpwhy.h>

struct news; /* what has been printed */

struct news *news_new(void);
void news_free(struct news *news);

/* Is a finding over all connections so far news? before_ns: its cost when it was last printed; 0:
 * never. */
bool news_is(struct news *news, const struct tcpwhy_finding *finding, tcpwhy_ns *before_ns);

/* The number by which a finding is told, from 1; 0: there was no more room for it. */
unsigned news_id(const struct news *news, const struct tcpwhy_finding *finding);

/* A finding as it was told. */
struct news_told {
    unsigned id;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
};

/* instead: the finding that has its place; NULL: none has. */
typedef void news_retracted_fn(void *user, const struct news_told *told,
                               const struct tcpwhy_finding *instead);

/* Take back what the report of all connections so far no longer says. Told anew it has the same
 * number. */
void news_retract(struct news *news, const tcpwhy_report *report, news_retracted_fn *retracted,
                  void *user);

#endif
