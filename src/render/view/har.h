/* SPDX-License-Identifier: MIT */
/*
 * HTTP Archive 1.2. Headers, cookies and bodies are left out: they hold secrets. What browsers do
 * not know of a time is -1 there.
 */
#ifndef TW_RENDER_VIEW_HAR_H
#define TW_RENDER_VIEW_HAR_H

#include "render/renderer.h"

void tw_har(const struct tw_request *request, struct tw_writer *out);

#endif
