/* SPDX-License-Identifier: MIT */
/* The verdict on a capture in a sentence or two, the same wherever it is told. */
#ifndef TW_RENDER_VIEW_VERDICT_WORDS_H
#define TW_RENDER_VIEW_VERDICT_WORDS_H

#include <tcpwhy/report.h>

#include "render/writers/terminal_layout.h"

/* Append it. @return whether it is good news, bad, or a warning. */
enum tw_tone tw_verdict_sentence(GString *to, const tcpwhy_report *report);

#endif
