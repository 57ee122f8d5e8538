/* SPDX-License-Identifier: MIT */
/*
 * tshark 4.0's view of a connection: a second, independent state that reproduces its labels frame
 * by frame, faults included. Only kept when asked for.
 */
#ifndef TW_TRACK_WIRESHARK_H
#define TW_TRACK_WIRESHARK_H

#include <tcpwhy/segment.h>

#include "dissect/dissect.h"

struct tw_ws;

struct tw_ws *tw_ws_new(void);
void tw_ws_free(struct tw_ws *ws);
/* Bytes that it holds; 0 for NULL. */
size_t tw_ws_bytes(const struct tw_ws *ws);

/*
 * Label one frame. direction: 0 or 1, one number for each sender. new_on_used_ports: the stream was
 * opened on a five-tuple that was in use before.
 */
void tw_ws_push(struct tw_ws *ws, const struct tw_segment *segment, int direction,
                bool new_on_used_ports, tcpwhy_ns time_ns, uint32_t frame,
                struct tcpwhy_wireshark *out);

#endif
