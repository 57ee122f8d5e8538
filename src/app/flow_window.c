/* SPDX-License-Identifier: MIT */
#include "app/flow_window.h"

#include <glib.h>

/* Largest window (RFC 9113, section 6.9.1). A hostile peer may send more updates than that. */
#define MAX_WINDOW 0x7fffffff

tcpwhy_ns tw_flow_window_use(struct tw_flow_window *window, int64_t size, uint32_t much,
                             tcpwhy_ns now_ns)
{
    tcpwhy_ns waited_ns = 0;

    if (window->empty_ns && window->opened_ns)
        waited_ns = MAX(window->opened_ns - window->empty_ns, 0);
    window->used += much;
    window->opened_ns = 0;
    window->empty_ns = window->used >= size ? MAX(now_ns, 1) : 0;
    return waited_ns;
}

void tw_flow_window_open(struct tw_flow_window *window, int64_t size, uint32_t much,
                         tcpwhy_ns now_ns)
{
    window->used = MAX(window->used - (int64_t)much, -(int64_t)MAX_WINDOW);
    if (window->empty_ns && !window->opened_ns && window->used < size)
        window->opened_ns = MAX(now_ns, 1);
}

void tw_flow_window_note(struct tw_window_waits *waits, tcpwhy_ns ns, uint32_t frame)
{
    if (ns > 0 && waits->n == 0)
        waits->frame = frame;
    waits->n += ns > 0;
    waits->ns += ns;
}
