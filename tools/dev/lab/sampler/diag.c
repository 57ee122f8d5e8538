/* SPDX-License-Identifier: MIT */
/* Asks the kernel for the TCP sockets of a network namespace (sock_diag(7), INET_DIAG_INFO),
 * whatever program they belong to. Knows nothing about time and about what a socket said before. */
#include "diag.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Numbers of <net/if.h>'s kernel twin, enum of <net/tcp_states.h>; <netinet/tcp.h> does not go with
 * <linux/tcp.h>. */
enum { TIME_WAIT = 6, CLOSED = 7, LISTENING = 10, REQUEST = 12, LAST_STATE = 13 };

const char *const diag_names[DIAG_COLUMNS] = {
    "state",       "ca_state",      "retransmits", "backoff",         "app_limited",
    "rto_us",      "ato_us",        "snd_mss",     "rcv_mss",         "unacked",
    "sacked",      "lost",          "retrans",     "rtt_us",          "rttvar_us",
    "min_rtt_us",  "snd_ssthresh",  "snd_cwnd",    "reordering",      "total_retrans",
    "snd_wnd",     "notsent",       "bytes_acked", "bytes_sent",      "bytes_retrans",
    "pacing_rate", "delivery_rate", "busy_us",     "rwnd_limited_us", "sndbuf_limited_us",
};

/* Fields that a kernel older than these headers lacks stay 0. */
static void take_account(struct diag_socket *s, const void *bytes, size_t size)
{
    struct tcp_info i;

    memset(&i, 0, sizeof(i));
    memcpy(&i, bytes, size < sizeof(i) ? size : sizeof(i));
    const int64_t values[DIAG_COLUMNS] = {
        i.tcpi_state,
        i.tcpi_ca_state,
        i.tcpi_retransmits,
        i.tcpi_backoff,
        i.tcpi_delivery_rate_app_limited,
        i.tcpi_rto,
        i.tcpi_ato,
        i.tcpi_snd_mss,
        i.tcpi_rcv_mss,
        i.tcpi_unacked,
        i.tcpi_sacked,
        i.tcpi_lost,
        i.tcpi_retrans,
        i.tcpi_rtt,
        i.tcpi_rttvar,
        i.tcpi_min_rtt,
        i.tcpi_snd_ssthresh,
        i.tcpi_snd_cwnd,
        i.tcpi_reordering,
        i.tcpi_total_retrans,
        i.tcpi_snd_wnd,
        i.tcpi_notsent_bytes,
        (int64_t)i.tcpi_bytes_acked,
        (int64_t)i.tcpi_bytes_sent,
        (int64_t)i.tcpi_bytes_retrans,
        (int64_t)i.tcpi_pacing_rate,
        (int64_t)i.tcpi_delivery_rate,
        (int64_t)i.tcpi_busy_time,
        (int64_t)i.tcpi_rwnd_limited,
        (int64_t)i.tcpi_sndbuf_limited,
    };
    memcpy(s->value, values, sizeof(values));
}

int diag_open(const char *netns)
{
    char path[256];

    snprintf(path, sizeof(path), "/run/netns/%s", netns);
    int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) < 0)
        err(1, "%s", path);
    close(space);
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0)
        err(1, "sock_diag in %s", netns);
    return fd;
}

static int ask(int fd, unsigned char family)
{
    const struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 request;
    } message = {
        .head = { .nlmsg_len = sizeof(message),
                  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
        .request = { .sdiag_family = family,
                     .sdiag_protocol = IPPROTO_TCP,
                     .idiag_ext = 1 << (INET_DIAG_INFO - 1),
                     .idiag_states =
                         ((1u << LAST_STATE) - 1) &
                         ~(1u << TIME_WAIT | 1u << CLOSED | 1u << LISTENING | 1u << REQUEST) },
    };
    return send(fd, &message, sizeof(message), 0) == sizeof(message) ? 0 : -1;
}

/* One message of the answer. Returns whether it has an account. */
static int read_socket(const struct nlmsghdr *head, struct diag_socket *s)
{
    const struct inet_diag_msg *m = NLMSG_DATA(head);
    size_t left = head->nlmsg_len - NLMSG_LENGTH(sizeof(*m));
    const char *at = (const char *)(m + 1);

    s->cookie = (uint64_t)m->id.idiag_cookie[1] << 32 | m->id.idiag_cookie[0];
    s->family = m->idiag_family;
    memcpy(s->local, m->id.idiag_src, sizeof(s->local));
    memcpy(s->peer, m->id.idiag_dst, sizeof(s->peer));
    s->local_port = ntohs(m->id.idiag_sport);
    s->peer_port = ntohs(m->id.idiag_dport);
    while (left >= sizeof(struct nlattr)) {
        const struct nlattr *attribute = (const struct nlattr *)at;
        size_t step = NLA_ALIGN(attribute->nla_len);

        if (attribute->nla_type == INET_DIAG_INFO) {
            take_account(s, at + NLA_HDRLEN, attribute->nla_len - NLA_HDRLEN);
            return 1;
        }
        if (attribute->nla_len < NLA_HDRLEN || step > left)
            return 0;
        at += step;
        left -= step;
    }
    return 0;
}

int diag_dump(int fd, unsigned char family,
              void (*each)(void *context, const struct diag_socket *socket), void *context)
{
    static _Alignas(struct nlmsghdr) char bytes[1 << 16];

    if (ask(fd, family) < 0)
        return -1;
    for (;;) {
        ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        size_t left = (size_t)n;
        for (struct nlmsghdr *h = (void *)bytes; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
            struct diag_socket s = { 0 };

            if (h->nlmsg_type == NLMSG_DONE)
                return 0;
            if (h->nlmsg_type == NLMSG_ERROR)
                return -1;
            if (read_socket(h, &s))
                each(context, &s);
        }
    }
}
