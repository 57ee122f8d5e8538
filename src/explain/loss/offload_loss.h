/* SPDX-License-Identifier: MIT */
/*
 * Losses by segmentation offload: frames that hold several segments do not pass, single ones do.
 */
#ifndef TW_EXPLAIN_LOSS_OFFLOAD_LOSS_H
#define TW_EXPLAIN_LOSS_OFFLOAD_LOSS_H

#include "explain/sender/sender_timeline.h"

/* The number of lost offload frames (several segments each), if no other frames were lost and
 * single full segments passed; 0: not so. */
uint32_t tw_offload_losses(const struct tw_sender_timeline *sends);

#endif
