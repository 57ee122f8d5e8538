/* SPDX-License-Identifier: MIT */
/*
 * Causes that follow each other, told as one: a loss with its repair and the window after it, a
 * slow reader with the window closed and small.
 */
#ifndef TW_RENDER_VIEW_STORY_H
#define TW_RENDER_VIEW_STORY_H

#include <tcpwhy/report.h>

#define TW_STORY_PARTS 2

struct tw_story {
    const char *title; /* "packet loss" */
    tcpwhy_ns cost_ns; /* of all parts */
    struct {
        const char *words; /* "in repairs" */
        tcpwhy_ns ns;
    } part[TW_STORY_PARTS];
    enum tcpwhy_cause root; /* the part that tells what to do */
};

/* The story of the verdict. @return false where its cause stands alone. */
bool tw_story_find(const tcpwhy_report *report, struct tw_story *story);

#endif
