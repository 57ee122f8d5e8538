/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the verdicts on a capture come from: the file that is being read, which is analysed when a
 * verdict is first asked for; or, when there is none that libtcpwhy reads, the packets themselves
 * as they pass for the first time, with verdicts when they pass again.
 */
#ifndef TCPWHY_WIRESHARK_ANALYSIS_H
#define TCPWHY_WIRESHARK_ANALYSIS_H

#include <stdio.h>

#include "notes.h"

/* Of one capture; start from zero. */
struct analysis {
    bool begun;
    char *path;               /* of the file; NULL: packets are pushed */
    FILE *held;               /* keeps the file open under that path */
    tcpwhy_session *session;  /* with packets */
    struct frame_times times; /* with packets */
    uint32_t n_pushed;
    struct notes *notes; /* NULL: not asked for yet, or not to be had */
    int64_t size_bytes;  /* of the file when it was analysed */
    int64_t next_us;     /* before that time no new analysis */
};

/* With the first frame. path: NULL for the file that Wireshark opened last. */
void analysis_begin(struct analysis *analysis, const char *path);

/* A packet passes for the first time. */
void analysis_push(struct analysis *analysis, const struct tcpwhy_packet *packet);

/* The notes that are known now, or NULL. again: the frame passed before. */
const struct notes *analysis_notes(struct analysis *analysis, bool again);

void analysis_clear(struct analysis *analysis);

#endif
