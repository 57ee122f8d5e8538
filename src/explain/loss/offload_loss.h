/* SPDX-License-Identifier: MIT */
/*
 * Losses by segmentation offload: frames that hold several segments do not pass, single ones do.
 */
#ifndef TW_EXPLAIN_LOSS_OFFLOAD_LOSS_H
#define TW_EXPLAIN_LOSS_OFFLOAD_LOSS_H

#include "explain/sender/sender_timeline.h"

/* How many frames of several segments a sender lost, if that is all of them, while single full
 * segments passed; 0: not so. */
uint32_t tw_offload_losses(const struct tw_sender_timeline *sends);

#endif
