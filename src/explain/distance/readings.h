/* SPDX-License-Identifier: MIT */
/* How a reading of the way is noted, with what a reader wants to know of it. */
#ifndef TW_EXPLAIN_DISTANCE_READINGS_H
#define TW_EXPLAIN_DISTANCE_READINGS_H

#include "explain/model/context.h"

/* Is the span one way there and back, or a good part of it, and not the serialisation of a message?
 * Where only programs answered, that is not known. */
bool tw_readings_is_way(const struct tw_context *context, const struct tw_span *span);

/* Tell that span as what `as` says, in its cause, party and side. */
void tw_readings_add(struct tw_explanation *out, uint32_t span, const struct tw_span *as);

/* Details; the name and the text are static. */
void tw_readings_add_number(struct tw_explanation *out, const struct tw_span *as, const char *name,
                            double number);
void tw_readings_add_word(struct tw_explanation *out, const struct tw_span *as, const char *name,
                          const char *text);

#endif
