/* SPDX-License-Identifier: MIT */
/*
 * Causes that follow from each other as one story: a loss with its repair and the window after it,
 * a slow reader with the window closed and small.
 */
#ifndef TW_REPORT_FINDINGS_STORY_H
#define TW_REPORT_FINDINGS_STORY_H

#include <tcpwhy/report.h>

#define TW_STORY_PARTS 2

struct tw_story {
    const char *title; /* "packet loss" */
    tcpwhy_ns cost_ns; /* of all parts */
    struct {
        const char *words; /* "in repairs" */
        tcpwhy_ns ns;
    } part[TW_STORY_PARTS];
    enum tcpwhy_cause root; /* the part with the remedy */
};

/* The story of the verdict. @return false if its cause stands alone; out is unchanged then. */
bool tw_story_find(const tcpwhy_report *report, struct tw_story *story);

#endif
