/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One frame as the tracker sees it: its class, and on request the labels that tshark 4.0 gives the
 * same frame.
 */
#ifndef TCPWHY_SEGMENT_H
#define TCPWHY_SEGMENT_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Class of a frame, decided once, from everything seen so far. */
enum tcpwhy_class {
    TCPWHY_CLASS_SYN = 0,
    TCPWHY_CLASS_SYN_ACK = 1,
    TCPWHY_CLASS_DATA = 2,            /**< bytes sent for the first time. */
    TCPWHY_CLASS_RETRANSMISSION = 3,  /**< bytes sent before, or lost before the vantage. */
    TCPWHY_CLASS_OUT_OF_ORDER = 4,    /**< a first copy that was overtaken on the path. */
    TCPWHY_CLASS_DUPLICATE_FRAME = 5, /**< the same packet captured twice. */
    TCPWHY_CLASS_ACK = 6,             /**< acknowledges new data. */
    TCPWHY_CLASS_DUPLICATE_ACK = 7,
    TCPWHY_CLASS_WINDOW_UPDATE = 8,
    TCPWHY_CLASS_KEEP_ALIVE = 9,
    TCPWHY_CLASS_KEEP_ALIVE_ACK = 10,
    TCPWHY_CLASS_WINDOW_PROBE = 11, /**< sent into a zero window. */
    TCPWHY_CLASS_WINDOW_PROBE_ACK = 12,
    TCPWHY_CLASS_FIN = 13, /**< FIN without payload. */
    TCPWHY_CLASS_RST = 14,
};

/** Number of classes; they are numbered from 0. Threads: any. */
TCPWHY_API size_t tcpwhy_class_count(void);

/** "data", "retransmission" ... Static storage. */
TCPWHY_API const char *tcpwhy_class_name(enum tcpwhy_class frame_class);

/** tshark's tcp.analysis.* flags, as bits. */
enum tcpwhy_ws_flag {
    TCPWHY_WS_RETRANSMISSION = 1 << 0,
    TCPWHY_WS_FAST_RETRANSMISSION = 1 << 1,
    TCPWHY_WS_SPURIOUS_RETRANSMISSION = 1 << 2,
    TCPWHY_WS_OUT_OF_ORDER = 1 << 3,
    TCPWHY_WS_LOST_SEGMENT = 1 << 4,
    TCPWHY_WS_ACK_LOST_SEGMENT = 1 << 5,
    TCPWHY_WS_DUPLICATE_ACK = 1 << 6,
    TCPWHY_WS_WINDOW_UPDATE = 1 << 7,
    TCPWHY_WS_WINDOW_FULL = 1 << 8,
    TCPWHY_WS_ZERO_WINDOW = 1 << 9,
    TCPWHY_WS_ZERO_WINDOW_PROBE = 1 << 10,
    TCPWHY_WS_ZERO_WINDOW_PROBE_ACK = 1 << 11,
    TCPWHY_WS_KEEP_ALIVE = 1 << 12,
    TCPWHY_WS_KEEP_ALIVE_ACK = 1 << 13,
    TCPWHY_WS_REUSED_PORTS = 1 << 14,
};

/** The part of a TCP header with an impossible length that tshark reads. */
enum tcpwhy_ws_header {
    TCPWHY_WS_HEADER_WHOLE = 0,
    TCPWHY_WS_HEADER_SHORT = 1, /**< shorter than 20 bytes: no fields after tcp.len and tcp.seq. */
    TCPWHY_WS_HEADER_LONG =
        2, /**< longer than its segment: no tcp.len; tcp.seq and tcp.ack as sent. */
};

/** The labels of tshark 4.0.17 for one frame. A field that tshark leaves out is "absent". */
struct tcpwhy_wireshark {
    uint32_t flags;               /**< enum tcpwhy_ws_flag. */
    uint32_t seq;                 /**< relative (tcp.seq). */
    uint32_t ack;                 /**< relative (tcp.ack). */
    int64_t window_bytes;         /**< tcp.window_size. */
    int64_t bytes_in_flight;      /**< -1: absent. */
    int64_t push_bytes_sent;      /**< -1: absent. */
    uint32_t acks_frame;          /**< 0: absent. */
    tcpwhy_ns ack_rtt_ns;         /**< unknown: absent. */
    tcpwhy_ns initial_rtt_ns;     /**< unknown: absent. */
    uint32_t duplicate_ack_num;   /**< set with TCPWHY_WS_DUPLICATE_ACK. */
    uint32_t duplicate_ack_frame; /**< set with TCPWHY_WS_DUPLICATE_ACK; 0: no frame before brought
                                     a new ACK. */
    tcpwhy_ns rto_ns;             /**< tcp.analysis.rto; unknown: absent. */
    uint32_t rto_frame;           /**< 0: absent. */
    uint8_t completeness;         /**< tcp.completeness: bits for what earlier frames showed. */
    enum tcpwhy_ws_header header; /**< how far the header is readable. */
};

/** One TCP frame. */
struct tcpwhy_segment {
    uint32_t frame;                     /**< frame number in the capture, from 1. */
    int64_t time_ns;                    /**< since the epoch, UTC. */
    tcpwhy_ns relative_ns;              /**< time since the first frame of the capture. */
    uint32_t stream;                    /**< stream number, as in tshark. */
    enum tcpwhy_side from;              /**< sender. */
    struct tcpwhy_endpoint source;      /**< source, as in its headers. */
    struct tcpwhy_endpoint destination; /**< destination, as in its headers. */
    uint16_t flags;                     /**< as in the header: 0x002 SYN, 0x010 ACK ... */
    int64_t seq;  /**< offset in the sender's stream, unwrapped: the SYN is 0, data begins at 1. */
    int64_t ack;  /**< offset in the receiver's stream, unwrapped. */
    uint32_t len; /**< payload bytes on the wire. */
    int64_t window_bytes;                     /**< scaled window; -1: the scale is unknown. */
    uint16_t window_raw;                      /**< window, as in the header. */
    enum tcpwhy_class frame_class;            /**< its class. */
    const struct tcpwhy_wireshark *wireshark; /**< NULL unless the options asked for it. */
    uint16_t ip_id;                           /**< IPv4 identification; 0 in IPv6. */
    uint8_t ttl;                              /**< TTL or hop limit. */
    int8_t wscale;                            /**< shift of the window scale option; -1: none. */
    uint16_t mss;                             /**< MSS option; 0: none. */
    bool sack_permitted;                      /**< whether it has the SACK-permitted option. */
    bool timestamps;                          /**< whether it has the timestamps option. */
    uint32_t tsval;                           /**< the sender's timestamp. */
    uint32_t tsecr;                           /**< the timestamp that it echoes. */
    uint32_t n_sack;                          /**< number of SACK ranges, at most 4. */
    int64_t sack[4][2]; /**< first byte and the byte behind the last, offsets as in ack. */
};

/** Called for each TCP frame. Return false to stop the analysis. */
typedef bool (*tcpwhy_segment_fn)(void *user, const struct tcpwhy_segment *segment);

#ifdef __cplusplus
}
#endif

#endif
