/* SPDX-License-Identifier: MIT */
/* Stream selection by the caller: "3", "0,4-7". */
#ifndef TW_ENGINE_SELECTION_H
#define TW_ENGINE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ranges.h"

struct tw_selection {
    bool all;
    struct tw_ranges streams;
};

/* @return false if the text is no list of numbers and ranges. NULL selects all. */
bool tw_selection_parse(struct tw_selection *selection, const char *text);
bool tw_selection_has(const struct tw_selection *selection, uint32_t stream);
void tw_selection_clear(struct tw_selection *selection);

#endif
