/* SPDX-License-Identifier: MIT */
/**
 * @file
 * TCP segments from programs that have parsed them already and keep no frames: Zeek, Suricata, eBPF
 * programs, user-space stacks. tcpwhy_session_push_parsed() takes them.
 */
#ifndef TCPWHY_PARSED_H
#define TCPWHY_PARSED_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One TCP segment by its header fields, numbers in host byte order. Start from TCPWHY_PARSED_INIT;
 * a field that the program does not know stays zero. A verdict can be only as sure as these fields:
 * SYNs with their options matter most (window scale, SACK), then timestamps and SACK ranges.
 */
struct tcpwhy_parsed {
    size_t struct_size;                 /**< sizeof the struct, so that it can grow. */
    int64_t time_ns;                    /**< since the epoch, UTC. */
    struct tcpwhy_endpoint source;      /**< sender. */
    struct tcpwhy_endpoint destination; /**< receiver; of the same IP version. */
    uint32_t seq;                       /**< sequence number, as in the header. */
    uint32_t ack;                       /**< acknowledgment number, as in the header. */
    uint16_t flags;                     /**< flags, as in the header: 0x002 SYN, 0x010 ACK ... */
    uint16_t window;                    /**< window, as in the header, not scaled. */
    uint32_t len;                       /**< payload bytes on the wire. */
    uint32_t frame_len;     /**< bytes of the whole frame on the wire; 0: payload and the headers of
                               Ethernet, IP and TCP. */
    uint16_t ip_id;         /**< IPv4 identification. */
    uint8_t ttl;            /**< TTL or hop limit. */
    bool options_unknown;   /**< the options from here to sack were not parsed. */
    uint16_t mss;           /**< MSS option; 0: none. */
    bool has_wscale;        /**< whether it has the window scale option. */
    uint8_t wscale;         /**< shift of the window scale option. */
    bool sack_permitted;    /**< whether it has the SACK-permitted option. */
    bool timestamps;        /**< whether it has the timestamps option. */
    uint32_t tsval;         /**< the sender's timestamp. */
    uint32_t tsecr;         /**< the timestamp that it echoes. */
    uint32_t n_sack;        /**< number of SACK ranges, at most 4. */
    uint32_t sack[4][2];    /**< first byte and the byte behind the last, as in the header. */
    const uint8_t *payload; /**< first bytes of the payload, for requests and responses, borrowed
                               until the call returns; or NULL. */
    uint32_t payload_len;   /**< number of these bytes. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_PARSED_INIT                                                                         \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_parsed)                                                \
    }

#ifdef __cplusplus
}
#endif

#endif
