/* SPDX-License-Identifier: MIT */
#ifndef LAB_TAP_H
#define LAB_TAP_H

#include <stdbool.h>

/* Every frame read from or written to a tap follows a virtio-net header of this size. */
#define TAP_HEADER 10

/* Create the interface `ifname` inside network namespace `netns`. It lives as long as the
 * descriptor. With `offload` the host hands over frames larger than its MTU, checksums left to
 * "hardware". Returns a non-blocking descriptor; exits with a message when the kernel refuses. */
int tap_open(const char *netns, const char *ifname, bool offload);

#endif
