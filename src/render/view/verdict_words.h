/* SPDX-License-Identifier: MIT */
/* The verdict on a capture in one or two sentences. */
#ifndef TW_RENDER_VIEW_VERDICT_WORDS_H
#define TW_RENDER_VIEW_VERDICT_WORDS_H

#include <tcpwhy/report.h>

#include "base/text.h"
#include "render/writers/terminal_layout.h"

/* The fact that most answers are failures of the server, with which the sentence begins; NULL: they
 * are not, or something that broke comes before. */
const struct tcpwhy_fact *tw_verdict_errors(const tcpwhy_report *report);

/* Append it. @return whether it is good news, bad, or a warning. */
enum tw_tone tw_verdict_sentence(tw_string *to, const tcpwhy_report *report);

#endif
