/* SPDX-License-Identifier: MIT */
/*
 * Who was waited for is reacted to: what nobody reacts to, perhaps nobody had asked for.
 */
#ifndef TW_EXPLAIN_TIMELINE_APP_REACTION_H
#define TW_EXPLAIN_TIMELINE_APP_REACTION_H

#include "explain/model/gap.h"

/* Where the search stopped. Begins as zeros. */
struct tw_app_reactions {
    uint32_t asked[2], talk[2]; /* the record after which each side was last asked for, and the
                                   first after it with which that side says something */
};

/* Does the other side send data, or end the connection, soon after this record? */
bool tw_app_reacted_to(struct tw_app_reactions *reactions, const struct tw_context *context,
                       uint32_t record);
/* The same, but for an end that answers to one: a FIN, or RST, behind the FIN of the side of the
 * record (RFC 9293, 3.6) says nothing of what that had said before. */
bool tw_app_reacted_to_words(struct tw_app_reactions *reactions, const struct tw_context *context,
                             uint32_t record);

#endif
