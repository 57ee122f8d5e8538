/* SPDX-License-Identifier: MIT */
/*
 * Connections that are over, to the report: what each has to tell is found out alone, and told to
 * the builder in the order in which they were handed over.
 */
#ifndef TW_ENGINE_TELLER_H
#define TW_ENGINE_TELLER_H

#include "engine/tale.h"
#include "source/read_ahead.h"

struct tw_teller;

/* Both must outlive it. */
struct tw_teller *tw_teller_new(const struct tcpwhy_options *options, struct tw_builder *builder);
void tw_teller_free(struct tw_teller *teller);

/* Does the thread that reads explain all connections? */
bool tw_teller_is_alone(const struct tw_teller *teller);

/* Have a worker, if there are any, read on; ahead lives as long as the teller. */
void tw_teller_read_on(struct tw_teller *teller, struct tw_read_ahead *ahead);

/*
 * Tell, now or later; what is known of the connection is the teller's from now on. Callbacks come
 * from the thread that calls this. @return false when one asked to stop; then nothing more is told.
 */
bool tw_teller_tell(struct tw_teller *teller, const struct tw_ended *ended);

/* Tell all that was handed over. */
bool tw_teller_drain(struct tw_teller *teller);

#endif
