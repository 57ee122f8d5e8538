/* SPDX-License-Identifier: MIT */
/*
 * The episodes of a direction in the making: repairs of what was lost together are one, but what is
 * only inferred is kept apart from what was seen.
 */
#ifndef TW_EXPLAIN_LOSS_RECOVERY_EPISODES_H
#define TW_EXPLAIN_LOSS_RECOVERY_EPISODES_H

#include "explain/loss/recovery.h"

struct tw_recovery_episodes {
    struct tw_recovery *out;
    struct tw_scratch *scratch;
    uint32_t capacity; /* of out->episode */
};

/* Repairs come in the order in which they were sent. */
void tw_recovery_episodes_add(struct tw_recovery_episodes *recovery_episodes,
                              const struct tw_recovery_episode *episode);

#endif
