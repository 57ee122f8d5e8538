/* SPDX-License-Identifier: MIT */
/* Exchanges as an HTTP Archive. */
#ifndef TW_RENDER_VIEW_HAR_H
#define TW_RENDER_VIEW_HAR_H

#include "render/renderer.h"

void tw_har(const struct tw_request *request, struct tw_writer *out);

#endif
