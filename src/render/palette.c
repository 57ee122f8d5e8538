/* SPDX-License-Identifier: MIT */
/*
 * Built on the colours of Okabe and Ito, which people with any kind of colour vision tell apart.
 * Eight hues do not name 26 causes: those that are kin share a hue and differ in lightness, those
 * that meet in one connection differ in hue, and every picture writes the name beside the colour.
 */
#include "render/palette.h"

static const struct tw_colour colours[TCPWHY_N_CAUSES] = {
    /* nothing to mend: greys */
    [TCPWHY_CAUSE_NONE] = { "#9e9e9e", "#8a8a8a" },
    [TCPWHY_WIRE] = { "#c8c8c8", "#5c6166" },
    [TCPWHY_CLIENT_IDLE] = { "#dedede", "#45494e" },
    [TCPWHY_KEEP_ALIVE] = { "#b4bcc4", "#6d757d" },
    [TCPWHY_CLOSE] = { "#8d949b", "#8d949b" },
    [TCPWHY_RESET] = { "#3d4247", "#d5d9dd" },
    [TCPWHY_CAPTURE_GAP] = { "#000000", "#ffffff" },
    [TCPWHY_UNKNOWN] = { "#6f6f6f", "#a5a5a5" },
    /* getting connected: indigo */
    [TCPWHY_HANDSHAKE] = { "#a9b4de", "#5f6ea8" },
    [TCPWHY_CONNECT_RETRY] = { "#4b3f9e", "#8f85e0" },
    [TCPWHY_CONNECT_REFUSED] = { "#2a2360", "#b9b2f5" },
    /* an application takes its time: yellow to brown */
    [TCPWHY_SERVER_THINK] = { "#f0e442", "#f0e442" },
    [TCPWHY_CLIENT_THINK] = { "#b9ab00", "#c7bb2e" },
    [TCPWHY_APP_LIMITED] = { "#e69f00", "#e69f00" },
    /* a small segment is held back: vermillion */
    [TCPWHY_NAGLE_DELAYED_ACK] = { "#d55e00", "#f0772a" },
    [TCPWHY_NAGLE_HOLD] = { "#f2a36b", "#c98a5e" },
    [TCPWHY_CORK_HOLD] = { "#8a3d00", "#b5622a" },
    [TCPWHY_DELAYED_ACK] = { "#ffc08a", "#ffcf9f" },
    /* a window is full: reddish purple of the receiver, blue of the sender */
    [TCPWHY_ZERO_WINDOW] = { "#8b2f6b", "#d96fb0" },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "#cc79a7", "#b5638f" },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "#0072b2", "#3d9bd6" },
    [TCPWHY_SLOW_START] = { "#56b4e9", "#7cc8f2" },
    [TCPWHY_SLOW_START_AFTER_IDLE] = { "#9fd6f5", "#a9dcf7" },
    [TCPWHY_EARLY_SLOW_START_EXIT] = { "#2f86bd", "#5aa9d8" },
    /* the path: green when it is full, dark red when it loses */
    [TCPWHY_BANDWIDTH_LIMITED] = { "#009e73", "#21b98c" },
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = { "#7fd1b9", "#8fe0c8" },
    [TCPWHY_LOSS_RECOVERY] = { "#a3142b", "#ff6b78" },
    [TCPWHY_MTU_BLACK_HOLE] = { "#5b0a18", "#ff9aa3" },
};

struct tw_colour tw_palette_cause(enum tcpwhy_cause cause)
{
    return colours[(unsigned)cause < TCPWHY_N_CAUSES ? cause : TCPWHY_UNKNOWN];
}
