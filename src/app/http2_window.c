/* SPDX-License-Identifier: MIT */
/* Flow control of HTTP/2 (RFC 9113, section 5.2): who used up a window, and waited for more. */
#include "app/http2.h"

/* Largest window, section 6.9.1. A hostile peer may send more updates than that. */
#define MAX_WINDOW 0x7fffffff

tcpwhy_ns tw_http2_window_use(struct tw_http2_window *window, int64_t size, uint32_t bytes,
                              tcpwhy_ns now_ns)
{
    tcpwhy_ns waited_ns = 0;

    if (window->empty_ns && window->opened_ns)
        waited_ns = MAX(window->opened_ns - window->empty_ns, 0);
    window->used += bytes;
    window->opened_ns = 0;
    window->empty_ns = window->used >= size ? MAX(now_ns, 1) : 0;
    return waited_ns;
}

void tw_http2_window_open(struct tw_http2_window *window, int64_t size, uint32_t bytes,
                          tcpwhy_ns now_ns)
{
    window->used = MAX(window->used - (int64_t)bytes, -(int64_t)MAX_WINDOW);
    if (window->empty_ns && !window->opened_ns && window->used < size)
        window->opened_ns = MAX(now_ns, 1);
}
