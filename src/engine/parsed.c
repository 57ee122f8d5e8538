/* SPDX-License-Identifier: MIT */
#include "engine/parsed.h"

#include <string.h>

/* Headers without options: Ethernet II, IPv4 (RFC 791), IPv6 (RFC 8200). */
#define ETHERNET_HEADER 14
#define IPV4_HEADER     20
#define IPV6_HEADER     40

/* Flags and the three reserved bits. */
#define FLAGS_MASK 0x0fff

static void take_tuple(const struct tcpwhy_parsed *p, struct tw_tuple *out)
{
    const struct tcpwhy_endpoint *end[2] = { &p->source, &p->destination };

    out->version = p->source.version;
    for (int i = 0; i < 2; i++) {
        memcpy(out->address[i], end[i]->address, p->source.version == 4 ? 4 : 16);
        out->port[i] = end[i]->port;
    }
}

static void take_options(const struct tcpwhy_parsed *p, struct tw_segment *s)
{
    if (p->options_unknown) {
        s->options = TW_OPT_CUT;
        return;
    }
    s->options =
        (uint16_t)((p->mss ? TW_OPT_MSS : 0) | (p->has_wscale ? TW_OPT_WSCALE : 0) |
                   (p->sack_permitted ? TW_OPT_SACK_PERMITTED : 0) |
                   (p->timestamps ? TW_OPT_TIMESTAMP : 0) | (p->n_sack > 0 ? TW_OPT_SACK : 0));
    s->mss = p->mss;
    s->wscale = p->has_wscale ? p->wscale : 0;
    s->tsval = p->timestamps ? p->tsval : 0;
    s->tsecr = p->timestamps ? p->tsecr : 0;
    s->n_sack = (uint8_t)p->n_sack;
    memcpy(s->sack, p->sack, p->n_sack * sizeof p->sack[0]);
}

bool tw_parsed_segment(const struct tcpwhy_parsed *p, struct tw_segment *out)
{
    if ((p->source.version != 4 && p->source.version != 6) ||
        p->destination.version != p->source.version || p->n_sack > TW_MAX_SACK)
        return false;
    *out = (struct tw_segment) {
        .seq = p->seq,
        .ack = p->flags & TW_ACK ? p->ack : 0,
        .flags = p->flags & FLAGS_MASK,
        .window = p->window,
        .len = p->len,
        .ip_id = p->ip_id,
        .ttl = p->ttl,
        .header_len = TW_TCP_HEADER,
        .payload = tw_bytes(p->payload, p->payload_len < p->len ? p->payload_len : p->len),
        .facts = TW_SEG_HEADER_CUT, /* no header stands before the payload */
    };
    if (out->payload.len < out->len)
        out->facts |= TW_SEG_PAYLOAD_CUT;
    take_tuple(p, &out->tuple);
    take_options(p, out);
    return true;
}

uint32_t tw_parsed_frame_len(const struct tcpwhy_parsed *p)
{
    const uint32_t headers =
        ETHERNET_HEADER + TW_TCP_HEADER + (p->source.version == 4 ? IPV4_HEADER : IPV6_HEADER);

    return p->frame_len ? p->frame_len : headers + p->len;
}
