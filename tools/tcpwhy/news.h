/* SPDX-License-Identifier: MIT */
/*
 * Which findings are news: each is told once, and again when it has become materially worse.
 */
#ifndef NEWS_H
#define NEWS_H

#include <tcpwhy/tcpwhy.h>

enum news_answer { NEWS_OLD, NEWS_NEW, NEWS_WORSE };

struct news; /* what has been told */

struct news *news_new(void);
void news_free(struct news *news);

/* A finding over all connections so far. */
enum news_answer news_of_all(struct news *news, const struct tcpwhy_finding *finding);

/* A finding of one connection that is over: it adds to what others lost. */
enum news_answer news_of_one(struct news *news, const struct tcpwhy_finding *finding);

#endif
