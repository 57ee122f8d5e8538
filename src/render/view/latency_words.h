/* SPDX-License-Identifier: MIT */
/* A server's figures in words, and as members of a JSON object. */
#ifndef TW_RENDER_VIEW_LATENCY_WORDS_H
#define TW_RENDER_VIEW_LATENCY_WORDS_H

#include <tcpwhy/render.h>

#include "base/text.h"
#include "render/writers/json.h"
#include "report/figures/service.h"

/* The value that the options ask for, or its default. */
tcpwhy_ns tw_latency_slower(const struct tcpwhy_render_options *options);

extern const char *const tw_latency_parts[TW_SERVICE_PARTS];

/* "1,380 requests answered in 2.9 s, 467/s, 1.2 MB/s; ..." */
void tw_latency_summary(tw_string *to, const struct tw_service *service);
/* "3 requests never answered; 170 slower than 2.00 s"; nothing when there are none. */
void tw_latency_troubles(tw_string *to, const struct tw_service *service, tcpwhy_ns slower_ns);

void tw_latency_json(struct tw_json *to, const struct tw_service *service);

#endif
