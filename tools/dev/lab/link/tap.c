/* SPDX-License-Identifier: MIT */
/* A host's end of the emulated cable: a TAP interface inside its network namespace.
 * Knows nothing about what travels on it. */
#include "tap.h"

#include <err.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void enter(const char *netns)
{
    char path[256];

    snprintf(path, sizeof(path), "/run/netns/%s", netns);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
        err(1, "%s", path);
    close(fd);
}

int tap_open(const char *netns, const char *ifname, bool offload)
{
    struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR };
    unsigned features = offload ? TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 : 0;

    enter(netns);
    snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", ifname);
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        err(1, "/dev/net/tun");
    if (ioctl(fd, TUNSETIFF, &request) < 0)
        err(1, "creating %s in %s", ifname, netns);
    if (ioctl(fd, TUNSETOFFLOAD, (unsigned long)features) < 0)
        err(1, "offload of %s in %s", ifname, netns);
    return fd;
}
