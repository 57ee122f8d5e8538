/* SPDX-License-Identifier: MIT */
/* The verdict on a capture in one or two sentences. */
#ifndef TW_RENDER_VIEW_VERDICT_WORDS_H
#define TW_RENDER_VIEW_VERDICT_WORDS_H

#include <tcpwhy/report.h>

#include "base/text.h"
#include "render/writers/terminal_layout.h"

/* Append it. @return whether it is good news, bad, or a warning. */
enum tw_tone tw_verdict_sentence(tw_string *to, const tcpwhy_report *report);

#endif
