/* SPDX-License-Identifier: MIT */
/* The words for what a frame is. */
#include <tcpwhy/segment.h>

#include "base/counts.h"

size_t tcpwhy_class_count(void)
{
    return TW_N_CLASSES;
}

const char *tcpwhy_class_name(enum tcpwhy_class frame_class)
{
    static const char *const name[TW_N_CLASSES] = {
        [TCPWHY_CLASS_SYN] = "syn",
        [TCPWHY_CLASS_SYN_ACK] = "syn_ack",
        [TCPWHY_CLASS_DATA] = "data",
        [TCPWHY_CLASS_RETRANSMISSION] = "retransmission",
        [TCPWHY_CLASS_OUT_OF_ORDER] = "out_of_order",
        [TCPWHY_CLASS_DUPLICATE_FRAME] = "duplicate_frame",
        [TCPWHY_CLASS_ACK] = "ack",
        [TCPWHY_CLASS_DUPLICATE_ACK] = "duplicate_ack",
        [TCPWHY_CLASS_WINDOW_UPDATE] = "window_update",
        [TCPWHY_CLASS_KEEP_ALIVE] = "keep_alive",
        [TCPWHY_CLASS_KEEP_ALIVE_ACK] = "keep_alive_ack",
        [TCPWHY_CLASS_WINDOW_PROBE] = "window_probe",
        [TCPWHY_CLASS_WINDOW_PROBE_ACK] = "window_probe_ack",
        [TCPWHY_CLASS_FIN] = "fin",
        [TCPWHY_CLASS_RST] = "rst",
    };

    return (unsigned)frame_class < TW_N_CLASSES ? name[frame_class] : "unknown";
}
