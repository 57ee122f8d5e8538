/* SPDX-License-Identifier: MIT */
/*
 * The origin of a RST: the host whose address it carries, or a box on the path.
 */
#ifndef TW_FAILURES_RST_ORIGIN_H
#define TW_FAILURES_RST_ORIGIN_H

#include "failures/cut.h"

/*
 * Compare a RST with its side's other segments and with the path's round trip. Adds a clue for each
 * observation, and sets who did it; lowers the confidence where the clues leave it open.
 * @param answers  the segment that it answers, or TW_NO_RECORD.
 */
void tw_rst_origin(const struct tw_cut *cut, uint32_t rst, uint32_t answers,
                   struct tw_failure *out);

/* Does it carry a side's address, and come from somebody else? TW_NO_RECORD does not. */
bool tw_rst_is_foreign(const struct tw_cut *cut, uint32_t rst);

#endif
