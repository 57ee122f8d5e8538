/* SPDX-License-Identifier: MIT */
/** @file
 * Packets as they happen: from a network interface, or from files that a capture tool is writing.
 * Push them into a session:
 *
 *     struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
 *
 *     while (!enough && (got = tcpwhy_live_next(live, 100, &packet, error, size)) >= 0)
 *         if (got > 0)
 *             tcpwhy_session_push(session, &packet);
 */
#ifndef TCPWHY_LIVE_H
#define TCPWHY_LIVE_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tcpwhy_packet;

/** A source of packets; opaque. */
typedef struct tcpwhy_live tcpwhy_live;

/** Options of a capture. Start from TCPWHY_LIVE_INIT; a zero field means the default. */
struct tcpwhy_live_options {
    size_t struct_size;    /**< set by the initialiser. */
    const char *filter;    /**< BPF expression, or NULL: every packet. */
    uint32_t snap_len;     /**< bytes kept of each packet, at most 262144; 0: 262144. */
    uint32_t buffer_bytes; /**< buffer for packets not yet read, less than 2 GiB; 0: 16 MiB. */
    uint32_t delay_ms; /**< longest time that packets are collected before they are read; 0: 100. */
    bool immediate;    /**< read each packet at once; costs more processor time. */
    bool not_promiscuous; /**< leave out packets neither from nor to this host. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_LIVE_INIT                                                                           \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_live_options)                                          \
    }

/** Totals since the source was opened, filled up to struct_size. Start from
 * TCPWHY_LIVE_COUNTS_INIT. */
struct tcpwhy_live_counts {
    size_t struct_size; /**< set by the initialiser. */
    uint64_t received;  /**< packets that passed the filter. */
    uint64_t dropped;   /**< packets lost because the reader was too slow. */
    uint64_t went_down; /**< times that the interface lost its link; Linux only. */
    bool is_down;       /**< the interface has no link now, so no packets come. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_LIVE_COUNTS_INIT                                                                    \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_live_counts)                                           \
    }

/**
 * Capture on a network interface ("any": on all of them). Needs the permission to do so during this
 * call only: a program may drop its privileges after it.
 *
 * @param options  NULL for the defaults; not kept.
 * @param out      set on success; released with tcpwhy_live_close(); left alone on failure.
 * @param error    NULL, or error_size bytes that on failure hold one line.
 * @return 0 or a negative tcpwhy_error; TCPWHY_ERR_USAGE when the name or out is NULL.
 *
 * Threads: a source belongs to one thread at a time; several are independent.
 */
TCPWHY_API int tcpwhy_live_open(const char *interface_name,
                                const struct tcpwhy_live_options *options, tcpwhy_live **out,
                                char *error, size_t error_size);

/**
 * Follow a capture that is being written: a file, which may grow, be cut to nothing, be replaced by
 * another, or not be there yet; or a folder into which a capture tool rotates its files (dumpcap
 * -b; tcpdump -C, -G, -W). A file is read from its beginning; of a folder its newest capture is,
 * and then those that come after it, by time of their last change and by name. Of the options the
 * filter alone counts. Parameters and return as tcpwhy_live_open().
 */
TCPWHY_API int tcpwhy_live_follow(const char *path, const struct tcpwhy_live_options *options,
                                  tcpwhy_live **out, char *error, size_t error_size);

/**
 * The next packet. Waits for one at most wait_ms milliseconds, and less when a signal is caught:
 * that is how a program comes to look whether it should stop.
 *
 * @param packet  begun with TCPWHY_PACKET_INIT; filled when there is one, as far as its struct_size
 *                says; its bytes are borrowed until the next call.
 * @param error   NULL, or error_size bytes that on failure hold one line.
 * @return 1 for a packet, 0 when there was none, or a negative tcpwhy_error: the interface is gone,
 *         the file is no capture. What was received until then may still be reported.
 *         TCPWHY_ERR_ARGUMENT when struct_size cannot be, TCPWHY_ERR_USAGE when live or packet is
 *         NULL: then no packet was taken.
 */
TCPWHY_API int tcpwhy_live_next(tcpwhy_live *live, unsigned wait_ms, struct tcpwhy_packet *packet,
                                char *error, size_t error_size);

/**
 * A file descriptor for loops that wait for several things by poll(), epoll or an event library: it
 * is readable when packets may be there. Then call tcpwhy_live_next() with wait_ms 0 until it
 * returns 0 or an error. It is the source's: do not read or close it.
 *
 * A file is looked at 20 times a second; its descriptor is readable then.
 *
 * @return the descriptor, TCPWHY_ERR_USAGE when live is NULL, or TCPWHY_ERR_OPEN when this system
 *         has none for that source: then call tcpwhy_live_next() by a timer.
 */
TCPWHY_API int tcpwhy_live_fd(tcpwhy_live *live);

/**
 * Totals so far; dropped is for tcpwhy_session_dropped(). @return 0, or TCPWHY_ERR_ARGUMENT when
 * struct_size cannot be, or TCPWHY_ERR_USAGE when live or counts is NULL.
 */
TCPWHY_API int tcpwhy_live_counts(tcpwhy_live *live, struct tcpwhy_live_counts *counts);

/** Release a source. NULL does nothing. */
TCPWHY_API void tcpwhy_live_close(tcpwhy_live *live);

#ifdef __cplusplus
}
#endif

#endif
