/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <tcpwhy/render.h>

static const char *const names[] = {
    [TCPWHY_TOOL_WRK] = "wrk",
    [TCPWHY_TOOL_AB] = "ab",
    [TCPWHY_TOOL_HPING3] = "hping3",
    [TCPWHY_TOOL_IPERF3] = "iperf3",
    [TCPWHY_TOOL_TRACEROUTE] = "traceroute",
    [TCPWHY_TOOL_SS] = "ss",
};

#define N_TOOLS (sizeof(names) / sizeof(names[0]))

size_t tcpwhy_tool_count(void)
{
    return N_TOOLS;
}

const char *tcpwhy_tool_name(enum tcpwhy_tool tool)
{
    return (unsigned)tool < N_TOOLS ? names[tool] : "";
}

bool tcpwhy_tool_by_name(const char *name, enum tcpwhy_tool *out)
{
    for (size_t i = 0; name && out && i < N_TOOLS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (enum tcpwhy_tool)i;
            return true;
        }
    }
    return false;
}
