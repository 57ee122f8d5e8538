/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_VANTAGE_VANTAGE_H
#define TW_EXPLAIN_VANTAGE_VANTAGE_H

#include "base/scratch.h"
#include "explain/vantage/prescan.h"

void tw_vantage_infer(const struct tw_connection *connection, const struct tw_log *log,
                      struct tw_scratch *scratch, struct tw_prescan *prescan,
                      struct tw_vantage *vantage);

#endif
