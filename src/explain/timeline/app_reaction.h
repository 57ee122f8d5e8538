/* SPDX-License-Identifier: MIT */
/*
 * Reactions of the application: a program that waited for data reacts to it, and data without a
 * reaction may not have been asked for.
 */
#ifndef TW_EXPLAIN_TIMELINE_APP_REACTION_H
#define TW_EXPLAIN_TIMELINE_APP_REACTION_H

#include "explain/model/gap.h"

/* Search positions; start as zeros. */
struct tw_app_reactions {
    uint32_t asked[2], talk[2]; /* for each side, the record that was last asked for, and its first
                                   data after it */
};

/* Does the other side send data, or end the connection, soon after this record? */
bool tw_app_reacted_to(struct tw_app_reactions *reactions, const struct tw_context *context,
                       uint32_t record);
/* The same, but a FIN or RST after the FIN of the record's side (RFC 9293, 3.6) is no reaction to
 * its data. */
bool tw_app_reacted_to_words(struct tw_app_reactions *reactions, const struct tw_context *context,
                             uint32_t record);

#endif
