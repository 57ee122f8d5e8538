/* SPDX-License-Identifier: MIT */
/* lwIP's network interface: a packet socket on eth0. */
#include "card.h"

#include <arpa/inet.h>
#include <err.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <lwip/etharp.h>
#include <lwip/netif.h>
#include <lwip/pbuf.h>
#include <lwip/tcpip.h>
#include <net/if.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define FRAME_MAX 2048
/* Room for what comes while this program does not run. */
#define ROOM (16 << 20)

static struct netif card;
static int fd;

static int open_socket(unsigned char address[6])
{
    int socket_fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));
    struct sockaddr_ll at = { .sll_family = AF_PACKET,
                              .sll_protocol = htons(ETH_P_ALL),
                              .sll_ifindex = (int)if_nametoindex("eth0") };
    struct ifreq request = { .ifr_name = "eth0" };
    int room = ROOM;

    if (socket_fd < 0 || bind(socket_fd, (struct sockaddr *)&at, sizeof(at)) < 0 ||
        ioctl(socket_fd, SIOCGIFHWADDR, &request) < 0 ||
        setsockopt(socket_fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) < 0)
        err(1, "eth0");
    memcpy(address, request.ifr_hwaddr.sa_data, 6);
    return socket_fd;
}

static err_t put(struct netif *netif, struct pbuf *frame)
{
    char bytes[FRAME_MAX];
    u16_t size = pbuf_copy_partial(frame, bytes, sizeof(bytes), 0);

    (void)netif;
    return send(fd, bytes, size, 0) == size ? ERR_OK : ERR_IF;
}

static void *take(void *unused)
{
    char bytes[FRAME_MAX];

    (void)unused;
    for (;;) {
        struct sockaddr_ll from;
        socklen_t size = sizeof(from);
        ssize_t n = recvfrom(fd, bytes, sizeof(bytes), 0, (struct sockaddr *)&from, &size);

        if (n <= 0 || from.sll_pkttype == PACKET_OUTGOING)
            continue;
        /* Not of the pool: Debian's library gives 616 bytes there and believes them to be 1600. */
        struct pbuf *frame = pbuf_alloc(PBUF_RAW, (u16_t)n, PBUF_RAM);
        if (!frame)
            continue;
        pbuf_take(frame, bytes, (u16_t)n);
        if (card.input(frame, &card) != ERR_OK)
            pbuf_free(frame);
    }
    return NULL;
}

static err_t set_up(struct netif *netif)
{
    fd = open_socket(netif->hwaddr);
    netif->hwaddr_len = 6;
    netif->mtu = 1500;
    netif->name[0] = 'e';
    netif->name[1] = 't';
    netif->output = etharp_output;
    netif->linkoutput = put;
    netif->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_LINK_UP;
    return ERR_OK;
}

static void started(void *semaphore)
{
    sem_post(semaphore);
}

void card_start(const char *address)
{
    ip4_addr_t local, mask, gateway = { 0 };
    pthread_t thread;
    sem_t ready;

    if (!ip4addr_aton(address, &local) || !ip4addr_aton("255.255.255.0", &mask))
        errx(1, "%s: not an IPv4 address", address);
    sem_init(&ready, 0, 0);
    tcpip_init(started, &ready);
    sem_wait(&ready);
    LOCK_TCPIP_CORE();
    if (!netif_add(&card, &local, &mask, &gateway, NULL, set_up, tcpip_input))
        errx(1, "eth0: lwIP does not take it");
    netif_set_default(&card);
    netif_set_up(&card);
    UNLOCK_TCPIP_CORE();
    if (pthread_create(&thread, NULL, take, NULL))
        err(1, "thread");
}
