/* SPDX-License-Identifier: MIT */
/*
 * The words of a flow graph, whatever it is drawn as.
 */
#ifndef TW_RENDER_FLOW_WORDS_H
#define TW_RENDER_FLOW_WORDS_H

#include <stdint.h>

#include "report/flow.h"

/* Holds the names of all flags. */
#define TW_FLAGS_TEXT 48

/* "SYN,ACK"; "-" without any. */
char *tw_flags_text(uint16_t flags, char *text);

/* "whole", "asked", "exchange", "span". Static storage. */
const char *tw_flow_part_name(enum tw_flow_part part);

#endif
