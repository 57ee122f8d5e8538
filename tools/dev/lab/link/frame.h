/* SPDX-License-Identifier: MIT */
#ifndef LAB_FRAME_H
#define LAB_FRAME_H

#include <stdbool.h>
#include <stddef.h>

enum frame_kind { FRAME_OTHER, FRAME_SYN, FRAME_SYN_ACK, FRAME_ACK, FRAME_FIN, FRAME_DATA };

/* The kind of TCP frame in this Ethernet frame, for scripted losses. */
enum frame_kind frame_kind(const unsigned char *frame, size_t length);

/* Bytes of the IP packet inside; 0 when it is no IP. */
size_t frame_ip_length(const unsigned char *frame, size_t length);

/* Whether the frame is a pure ACK (IPv4, without SACK or ECN's echo) of the same connection as the
 * other one of the same length, and acknowledges more. */
bool frame_newer_ack(const unsigned char *one, const unsigned char *other, size_t length);

bool frame_knows_ecn(const unsigned char *frame, size_t length);

/* Set CE in a frame whose sender knows ECN (RFC 3168, section 5). Returns false when it does not.
 */
bool frame_mark(unsigned char *frame, size_t length);

/* Write into `out` (at least 128 bytes) the ICMP "packet too big" that a router would send back for
 * this IPv4 frame, naming `mtu`. Returns its length, 0 when none is due. */
size_t frame_too_big(const unsigned char *frame, size_t length, size_t mtu, unsigned char *out);

#endif
