/* SPDX-License-Identifier: MIT */
/* Live capture by libpcap. The only place that waits for frames, with a timeout. */
#include "source/nic.h"

#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>

#include <glib.h>
#include <pcap/pcap.h>

#include <tcpwhy/tcpwhy.h>

#include "base/memory.h"
#include "source/internal.h"

struct tw_nic {
    struct tw_undo undo;
    pcap_t *pcap;
    int fd;
    uint32_t link_type;
    uint32_t ns_per_fraction;
    uint64_t frames;
    struct pcap_stat last; /* its counters have 32 bits */
    uint64_t dropped;
    char name[IFNAMSIZ]; /* empty: too long for an interface */
    uint64_t went_down;
    bool is_down;
};

static void refuse_activation(int status, pcap_t *pcap, struct tw_source_error *error)
{
    const char *why = pcap_geterr(pcap);

    switch (status) {
    case PCAP_ERROR_NO_SUCH_DEVICE:
        tw_source_refuse(error, TCPWHY_ERR_OPEN, "no such interface: 'ip link' lists them");
        break;
    case PCAP_ERROR_PERM_DENIED:
    case PCAP_ERROR_PROMISC_PERM_DENIED:
        tw_source_refuse(error, TCPWHY_ERR_OPEN,
                         "no permission to capture: run as root, or give the program the "
                         "capability cap_net_raw");
        break;
    case PCAP_ERROR_IFACE_NOT_UP:
        tw_source_refuse(error, TCPWHY_ERR_OPEN, "the interface is down: 'ip link set NAME up'");
        break;
    default:
        tw_source_refuse(error, TCPWHY_ERR_OPEN, "cannot capture: %s",
                         *why ? why : pcap_statustostr(status));
    }
}

static bool set_filter(struct tw_nic *nic, const char *expression, struct tw_source_error *error)
{
    struct bpf_program program;
    bool set;

    if (!expression || !*expression)
        return true;
    if (pcap_compile(nic->pcap, &program, expression, 1, PCAP_NETMASK_UNKNOWN) != 0)
        return tw_source_refuse(error, TCPWHY_ERR_FILTER,
                                "the filter does not compile: %s; see pcap-filter(7)",
                                pcap_geterr(nic->pcap));
    set = pcap_setfilter(nic->pcap, &program) == 0;
    pcap_freecode(&program);
    return set || tw_source_refuse(error, TCPWHY_ERR_FILTER, "the filter cannot be set: %s",
                                   pcap_geterr(nic->pcap));
}

static void configure(struct tw_nic *nic, const struct tw_nic_options *options)
{
    pcap_set_snaplen(nic->pcap, (int)options->snap_len);
    pcap_set_promisc(nic->pcap, options->promiscuous);
    pcap_set_timeout(nic->pcap, (int)options->delay_ms);
    pcap_set_immediate_mode(nic->pcap, options->immediate);
    pcap_set_buffer_size(nic->pcap, (int)options->buffer_bytes);
    if (pcap_set_tstamp_precision(nic->pcap, PCAP_TSTAMP_PRECISION_NANO) == 0)
        nic->ns_per_fraction = 1;
}

static bool activate(struct tw_nic *nic, const struct tw_nic_options *options,
                     struct tw_source_error *error)
{
    char why[PCAP_ERRBUF_SIZE];
    int status = pcap_activate(nic->pcap);

    if (status < 0) {
        refuse_activation(status, nic->pcap, error);
        return false;
    }
    nic->link_type = tw_filter_link_type(pcap_datalink(nic->pcap));
    nic->fd = pcap_get_selectable_fd(nic->pcap);
    if (pcap_setnonblock(nic->pcap, 1, why) != 0)
        return tw_source_refuse(error, TCPWHY_ERR_OPEN, "cannot capture: %s", why);
    return set_filter(nic, options->filter, error);
}

static void close_pcap(void *pcap)
{
    pcap_close(pcap);
}

struct tw_nic *tw_nic_open(const char *name, const struct tw_nic_options *options,
                           struct tw_source_error *error)
{
    char why[PCAP_ERRBUF_SIZE];
    struct tw_nic *nic = tw_new0(struct tw_nic, 1);

    nic->ns_per_fraction = 1000;
    if (strlen(name) < sizeof(nic->name))
        strcpy(nic->name, name);
    nic->pcap = pcap_create(name, why);
    if (!nic->pcap) {
        tw_source_refuse(error, TCPWHY_ERR_OPEN, "cannot capture: %s", why);
        tw_free(nic);
        return NULL;
    }
    tw_undo_add(&nic->undo, close_pcap, nic->pcap);
    configure(nic, options);
    if (activate(nic, options, error))
        return nic;
    tw_nic_close(nic);
    return NULL;
}

void tw_nic_close(struct tw_nic *nic)
{
    if (!nic)
        return;
    tw_undo_remove(&nic->undo);
    pcap_close(nic->pcap);
    tw_free(nic);
}

/* Poll without waiting. @return like pcap_next_ex(). */
static int look(struct tw_nic *nic, struct tw_frame *frame)
{
    struct pcap_pkthdr *header;
    const uint8_t *bytes;
    int got = pcap_next_ex(nic->pcap, &header, &bytes);

    if (got <= 0)
        return got;
    *frame = (struct tw_frame) {
        .number = (uint32_t)++nic->frames,
        .link_type = nic->link_type,
        .time_ns = header->ts.tv_sec * INT64_C(1000000000) +
                   (int64_t)header->ts.tv_usec * nic->ns_per_fraction,
        .original_len = header->len,
        .bytes = tw_bytes(bytes, header->caplen),
    };
    return 1;
}

static void set_down(struct tw_nic *nic, bool is_down)
{
    nic->went_down += is_down && !nic->is_down;
    nic->is_down = is_down;
}

/* Down, or without a link? The descriptor of Linux is a socket, which can be asked; others cannot,
 * nor is "any" an interface. */
static void look_at_link(struct tw_nic *nic)
{
    struct ifreq request = { 0 };

    memcpy(request.ifr_name, nic->name, sizeof(nic->name));
    if (ioctl(nic->fd, SIOCGIFFLAGS, &request) == 0)
        set_down(nic, (request.ifr_flags & (IFF_UP | IFF_RUNNING)) != (IFF_UP | IFF_RUNNING));
}

int tw_nic_next(struct tw_nic *nic, int wait_ms, struct tw_frame *frame,
                struct tw_source_error *error)
{
    int got = look(nic, frame);

    if (got == 0 && wait_ms > 0) {
        struct pollfd wait = { .fd = nic->fd, .events = POLLIN };

        poll(&wait, 1, wait_ms);
        if (wait.revents & POLLERR) /* ENETDOWN, of a moment too */
            set_down(nic, true);
        got = look(nic, frame);
    }
    if (got == 0)
        look_at_link(nic);
    if (got >= 0)
        return got;
    tw_source_refuse(error, TCPWHY_ERR_READ, "capturing ended: %s", pcap_geterr(nic->pcap));
    return TCPWHY_ERR_READ;
}

int tw_nic_fd(const struct tw_nic *nic)
{
    return nic->fd;
}

struct tw_nic_counts tw_nic_counts(struct tw_nic *nic)
{
    struct pcap_stat now;

    if (pcap_stats(nic->pcap, &now) == 0) {
        nic->dropped += now.ps_drop - nic->last.ps_drop;
        nic->dropped += now.ps_ifdrop - nic->last.ps_ifdrop;
        nic->last = now;
    }
    return (struct tw_nic_counts) { nic->frames, nic->dropped, nic->went_down, nic->is_down };
}
