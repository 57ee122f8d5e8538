/* SPDX-License-Identifier: MIT */
/* The frames of a part that are drawn: a choice of the view, which changes no verdict. */
#ifndef TW_REPORT_FLOW_FLOW_SHOW_H
#define TW_REPORT_FLOW_FLOW_SHOW_H

#include <tcpwhy/render.h>

#include "log/record.h"

bool tw_flow_shows(const struct tw_record *record, const struct tcpwhy_flow_options *options);

#endif
