/* SPDX-License-Identifier: MIT */
/*
 * Linux's timer adapts between 40 ms (TCP_ATO_MIN) and 200 ms (TCP_DELACK_MAX); any value in
 * between fits (tcp_send_delayed_ack()). Others are fixed: FreeBSD 40 ms (TCPTV_DELACK; 100 before
 * 2020), macOS 100 (TCPTV_DELACK), Solaris 50 and 100 (tcp_local_dack_interval,
 * tcp_deferred_ack_interval), Windows 40, 50 or 200 by version and template (DelayedAckTimeout,
 * TcpDelAckTicks). All but Windows start with a TTL of 64.
 */
#include "explain/model/delack_fingerprint.h"

#include <glib.h>
#include "explain/thresholds.h"

#define TTL_UNIX    64
#define TTL_WINDOWS 128

struct stack {
    tcpwhy_ns from_ns, to_ns; /* its timer */
    const char *name;
};

static const struct stack unix_stacks[] = {
    { TCPWHY_MS(40), TCPWHY_MS(50),
      "Linux (40 to 200 ms, as it adapts), FreeBSD (40 ms) or Solaris (50 ms)" },
    { TCPWHY_MS(100), TCPWHY_MS(100),
      "Linux (40 to 200 ms, as it adapts), macOS, or FreeBSD before 2020 (100 ms)" },
    { TCPWHY_MS(40), TCPWHY_MS(200), "Linux (40 to 200 ms, as it adapts)" },
};

static const struct stack windows[] = {
    { TCPWHY_MS(40), TCPWHY_MS(200), "Windows (40, 50 or 200 ms by version and template)" },
};

/* The known minimum RTT hides a part of the delay. */
static const char *find(const struct stack *stack, size_t n, tcpwhy_ns delay_ns)
{
    for (size_t i = 0; i < n; i++)
        if (delay_ns >= stack[i].from_ns - TW_TIMER_TICKS_NS / 2 &&
            delay_ns <= stack[i].to_ns + TW_TIMER_TICKS_NS)
            return stack[i].name;
    return "a stack that is not known";
}

const char *tw_delack_fingerprint(uint8_t ttl, tcpwhy_ns delay_ns)
{
    if (ttl <= TTL_UNIX)
        return find(unix_stacks, G_N_ELEMENTS(unix_stacks), delay_ns);
    return find(windows, ttl <= TTL_WINDOWS ? G_N_ELEMENTS(windows) : 0, delay_ns);
}
