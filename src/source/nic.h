/* SPDX-License-Identifier: MIT */
/* Frames from a network interface, by libpcap. */
#ifndef TW_SOURCE_NIC_H
#define TW_SOURCE_NIC_H

#include "source/source.h"

struct tw_nic;

struct tw_nic_options {
    const char *filter;    /* BPF expression or NULL */
    uint32_t snap_len;     /* bytes of each frame */
    uint32_t buffer_bytes; /* for frames that wait to be read */
    uint32_t delay_ms;     /* how long a frame may wait so that several are read at once */
    bool immediate;        /* not at all */
    bool promiscuous;      /* also frames for others */
};

/* Since it was opened: frames that were read, and those that were lost before. */
struct tw_nic_counts {
    uint64_t read, dropped;
};

/* @return NULL with *error filled. */
struct tw_nic *tw_nic_open(const char *name, const struct tw_nic_options *options,
                           struct tw_source_error *error);
void tw_nic_close(struct tw_nic *nic);

/*
 * The next frame; waits for one so long at most, and less when a signal comes.
 * @return 1, 0 when there is none, negative TCPWHY_ERR_* with *error filled.
 */
int tw_nic_next(struct tw_nic *nic, int wait_ms, struct tw_frame *frame,
                struct tw_source_error *error);

struct tw_nic_counts tw_nic_counts(struct tw_nic *nic);

#endif
