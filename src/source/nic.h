/* SPDX-License-Identifier: MIT */
/* Frames from a network interface by libpcap. */
#ifndef TW_SOURCE_NIC_H
#define TW_SOURCE_NIC_H

#include "source/source.h"

struct tw_nic;

struct tw_nic_options {
    const char *filter;    /* BPF expression or NULL */
    uint32_t snap_len;     /* snap length */
    uint32_t buffer_bytes; /* kernel buffer size */
    uint32_t delay_ms;     /* maximum buffering delay of a frame */
    bool immediate;        /* immediate mode */
    bool promiscuous;      /* promiscuous mode */
};

/* Counters since open: frames read, frames dropped, and how often the interface was lost. */
struct tw_nic_counts {
    uint64_t read, dropped, went_down;
    bool is_down;
};

/* @return NULL with *error filled. */
struct tw_nic *tw_nic_open(const char *name, const struct tw_nic_options *options,
                           struct tw_source_error *error);
void tw_nic_close(struct tw_nic *nic);

/*
 * Next frame, waiting at most wait_ms, or until a signal. @return 1, 0 if there is none, negative
 * TCPWHY_ERR_* with *error filled.
 */
int tw_nic_next(struct tw_nic *nic, int wait_ms, struct tw_frame *frame,
                struct tw_source_error *error);

/* Becomes readable when frames may be there; -1: this system has no such descriptor. */
int tw_nic_fd(const struct tw_nic *nic);

struct tw_nic_counts tw_nic_counts(struct tw_nic *nic);

#endif
