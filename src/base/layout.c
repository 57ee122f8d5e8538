/* SPDX-License-Identifier: MIT */
#include "base/layout.h"

size_t tcpwhy_layout_count(void)
{
    return tw_layout_count;
}

const struct tcpwhy_member *tcpwhy_layout(size_t i)
{
    return i < tw_layout_count ? &tw_layout[i] : NULL;
}
