/* SPDX-License-Identifier: MIT */
/* Ledgers as folded stacks, which flame graph tools read. */
#ifndef TW_RENDER_VIEW_FOLDED_H
#define TW_RENDER_VIEW_FOLDED_H

#include "render/renderer.h"

void tw_ledger_folded(const struct tw_request *request, struct tw_writer *out);

#endif
