/* SPDX-License-Identifier: MIT */
/*
 * Built on the colours of Okabe and Ito, which people with any kind of colour vision tell apart.
 * Eight hues do not name 33 causes: kin share a hue and differ in lightness, and the others were
 * moved apart until every pair differs by 10 or more in CIELAB, seen with normal vision or without
 * red, green or blue cones (tests/graph/colours.py measures it). Pictures write the name beside the
 * colour all the same.
 */
#include "base/counts.h"
#include "render/writers/palette.h"

#include <tcpwhy/render.h>

static const struct tw_colour colours[TW_N_CAUSES] = {
    /* nothing to fix: greys */
    [TCPWHY_CAUSE_NONE] = { "#9e9e9e", "#8a8a8a" },
    [TCPWHY_WIRE] = { "#c8c8c8", "#5c6166" },
    [TCPWHY_CLIENT_IDLE] = { "#d6eaff", "#3a3546" },
    [TCPWHY_KEEP_ALIVE] = { "#b8cadf", "#597f88" },
    [TCPWHY_CLOSE] = { "#94a599", "#98a090" },
    [TCPWHY_RESET] = { "#3d4247", "#ddeeff" },
    [TCPWHY_CAPTURE_GAP] = { "#000000", "#ffffff" },
    [TCPWHY_UNKNOWN] = { "#626c70", "#b9a7b1" },
    /* getting connected: indigo */
    [TCPWHY_HANDSHAKE] = { "#ae9fca", "#525d8e" },
    [TCPWHY_CONNECT_RETRY] = { "#3d43b1", "#8f86f8" },
    [TCPWHY_NAME_LOOKUP] = { "#8a05fc", "#c116ea" },
    [TCPWHY_NEXT_HOP] = { "#8468fd", "#5a3f99" },
    [TCPWHY_CONNECT_REFUSED] = { "#1d1344", "#c0bef2" },
    /* an application takes its time: yellow to brown */
    [TCPWHY_SERVER_THINK] = { "#f0e442", "#f0e442" },
    [TCPWHY_CLIENT_THINK] = { "#bdb44f", "#c6da57" },
    [TCPWHY_APP_LIMITED] = { "#e69f00", "#e69f00" },
    /* a small segment is held back: vermillion */
    [TCPWHY_NAGLE_DELAYED_ACK] = { "#d55e00", "#e57f33" },
    [TCPWHY_NAGLE_HOLD] = { "#b79157", "#ab743d" },
    [TCPWHY_CORK_HOLD] = { "#993f00", "#8e4502" },
    [TCPWHY_DELAYED_ACK] = { "#ffc287", "#e4b673" },
    /* a window is full: reddish purple of the receiver, blue of the sender */
    [TCPWHY_ZERO_WINDOW] = { "#811a6c", "#cf66ad" },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "#cc79a7", "#c44c82" },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "#0072b2", "#0374be" },
    [TCPWHY_SLOW_START] = { "#56b4e9", "#62bafc" },
    [TCPWHY_SLOW_START_AFTER_IDLE] = { "#99d4ff", "#b6d2e9" },
    [TCPWHY_PACING] = { "#526d85", "#3593ac" },
    [TCPWHY_EARLY_SLOW_START_EXIT] = { "#568fe5", "#77a6d0" },
    /* what the way was spent on: apart from all others */
    [TCPWHY_ROUND_TRIPS] = { "#584a2a", "#4551bd" },
    [TCPWHY_PATH_LATENCY] = { "#cfd752", "#fefc69" },
    [TCPWHY_APP_WINDOW] = { "#ca3cc2", "#8103f9" },
    /* the path: green when it is full, red for losses and what follows from them */
    [TCPWHY_BANDWIDTH_LIMITED] = { "#009e73", "#29e0a3" },
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = { "#c76060", "#e61f2b" },
    [TCPWHY_LOSS_RECOVERY] = { "#a70c30", "#ff5e75" },
    [TCPWHY_MTU_BLACK_HOLE] = { "#5b0a18", "#ffa899" },
    [TCPWHY_PEER_SILENT] = { "#8e2054", "#f1becd" },
};

struct tw_colour tw_palette_cause(enum tcpwhy_cause cause)
{
    return colours[(unsigned)cause < TW_N_CAUSES ? cause : TCPWHY_UNKNOWN];
}

struct tw_short_text tw_cause_class(const char *before, enum tcpwhy_cause cause)
{
    struct tw_short_text own;

    g_snprintf(own.text, sizeof own.text, before[0] ? "%s c-%s" : "%sc-%s", before,
               tcpwhy_cause_info(cause)->name);
    return own;
}

const char *tcpwhy_cause_color(enum tcpwhy_cause cause, bool dark)
{
    return dark ? tw_palette_cause(cause).dark : tw_palette_cause(cause).light;
}
