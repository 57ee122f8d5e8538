/* SPDX-License-Identifier: MIT */
/** @file
 * TCP segments from programs that have parsed them already and hold no frames: Zeek, Suricata, eBPF
 * programs, user-space stacks. tcpwhy_session_push_parsed() takes them.
 */
#ifndef TCPWHY_PARSED_H
#define TCPWHY_PARSED_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One TCP segment by the fields of its headers, numbers in the host's byte order. Start from
 * TCPWHY_PARSED_INIT; what the program does not know stays zero. A verdict can be only as sure as
 * what is told: SYNs with their options matter most (window scale, SACK), then timestamps and SACK
 * ranges.
 */
struct tcpwhy_parsed {
    size_t struct_size;                 /**< sizeof the struct, so that it can grow. */
    int64_t time_ns;                    /**< since the epoch, UTC. */
    struct tcpwhy_endpoint source;      /**< who sent it. */
    struct tcpwhy_endpoint destination; /**< to whom; of the same IP version. */
    uint32_t seq;                       /**< as in the header. */
    uint32_t ack;                       /**< likewise. */
    uint16_t flags;                     /**< likewise: 0x002 SYN, 0x010 ACK ... */
    uint16_t window;                    /**< likewise, not scaled. */
    uint32_t len;                       /**< payload bytes on the wire. */
    uint32_t frame_len;     /**< bytes of the whole frame on the wire; 0: its payload and headers of
                                 Ethernet, IP and TCP. */
    uint16_t ip_id;         /**< IPv4 identification. */
    uint8_t ttl;            /**< or hop limit. */
    bool options_unknown;   /**< what follows, down to sack, was not looked at. */
    uint16_t mss;           /**< of the MSS option; 0: it has none. */
    bool has_wscale;        /**< it has the window scale option: */
    uint8_t wscale;         /**< ... its shift. */
    bool sack_permitted;    /**< it has that option. */
    bool timestamps;        /**< it has the two: */
    uint32_t tsval;         /**< its sender's clock ... */
    uint32_t tsecr;         /**< ... and what that heard last of the receiver's. */
    uint32_t n_sack;        /**< how many SACK ranges, at most 4. */
    uint32_t sack[4][2];    /**< the first byte and the one behind the last, as in the header. */
    const uint8_t *payload; /**< its first bytes, for requests and responses, borrowed until the
                               call returns; or NULL. */
    uint32_t payload_len;   /**< how many of them. */
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
