/* SPDX-License-Identifier: MIT */
/* Records readings of propagation with their details. */
#ifndef TW_EXPLAIN_DISTANCE_READINGS_H
#define TW_EXPLAIN_DISTANCE_READINGS_H

#include "explain/model/context.h"

/* Is the span one RTT, or a good part of it, and not the serialisation of a message? Unknown if
 * only programs answered. */
bool tw_readings_is_way(const struct tw_context *context, const struct tw_span *span);

/* Record that span with the cause, party and side of `as`. */
void tw_readings_add(struct tw_explanation *out, uint32_t span, const struct tw_span *as);

/* Details; the name and the text are static. */
void tw_readings_add_number(struct tw_explanation *out, const struct tw_span *as, const char *name,
                            double number);
void tw_readings_add_word(struct tw_explanation *out, const struct tw_span *as, const char *name,
                          const char *text);

#endif
