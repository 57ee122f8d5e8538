/* SPDX-License-Identifier: MIT */
/*
 * Output of 'live' while it runs: text for people, a JSON object a line for programs.
 */
#ifndef LIVE_TELL_H
#define LIVE_TELL_H

#include "args.h"
#include "news.h"

struct live_tell {
    const struct args *args;
    const char *name; /* of where the packets come from */
};

/* A finding of the report; before_ns: its cost when it was last printed; 0: never. */
void live_tell_finding(const struct live_tell *tell, const tcpwhy_report *report,
                       const struct tcpwhy_finding *finding, unsigned id, tcpwhy_ns before_ns);

/* The interface went down, or is up again after down_ns. */
void live_tell_link(const struct live_tell *tell, bool is_down, tcpwhy_ns lasted);

/* A printed finding is retracted; instead: the number and cause of the one in its place. */
void live_tell_retracted(const struct live_tell *tell, const struct news_told *told,
                         const struct tcpwhy_finding *instead, unsigned instead_id);

/* The diagnosis so far, or at the end; down_ns of the time without the interface. */
void live_tell_summary(const struct live_tell *tell, const tcpwhy_report *report,
                       const struct tcpwhy_live_counts *counts, tcpwhy_ns lasted,
                       tcpwhy_ns down_ns);

/* More follows: separate it from what was printed. */
void live_tell_pause(const struct live_tell *tell);

#endif
