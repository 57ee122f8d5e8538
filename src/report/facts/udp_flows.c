/* SPDX-License-Identifier: MIT */
#include "report/facts/udp_flows.h"

#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "report/facts/udp_number.h"

#define ENTRY_BYTES 512

/* RFC 3550, 6.4.1: a sixteenth of each difference. */
#define JITTER_GAIN 16

/* Fewer packets have no jitter worth a number. */
#define LEAST_JITTER 4

#define IPERF3_HEADER 12
#define RTP_HEADER    12
#define RTP_VERSION   2

struct direction {
    struct tw_tuple tuple; /* 0 sends; the key */
    uint32_t first_frame, last_frame;
    tcpwhy_ns start_ns, end_ns;
    uint64_t packets, bytes;
    struct tw_udp_track id, rtp, iperf3;
    uint32_t ssrc;
    uint64_t ssrc_same, stamps; /* packets with RTP's source as before; with iperf3's time */
    double spacing_jitter_ns, sender_jitter_ns;
    tcpwhy_ns spacing_ns, transit_ns;
};

struct tw_udp_flows {
    tw_hash_table *directions; /* struct direction, its own key */
    guint most;
};

static uint64_t tuple_hash(gconstpointer key, uint64_t seed)
{
    const struct tw_tuple *t = &((const struct direction *)key)->tuple;
    const uint64_t ports = (uint64_t)t->port[0] << 16 | t->port[1];

    return tw_hash_bytes(t->address, sizeof t->address, seed ^ ports);
}

static gboolean tuple_equal(gconstpointer a, gconstpointer b)
{
    const struct tw_tuple *x = &((const struct direction *)a)->tuple;
    const struct tw_tuple *y = &((const struct direction *)b)->tuple;

    return x->version == y->version && x->port[0] == y->port[0] && x->port[1] == y->port[1] &&
           memcmp(x->address, y->address, sizeof x->address) == 0;
}

struct tw_udp_flows *tw_udp_flows_new(uint64_t bytes)
{
    struct tw_udp_flows *flows = tw_new0(struct tw_udp_flows, 1);

    flows->directions = tw_hash_table_new_full(tuple_hash, tuple_equal, NULL, tw_free);
    flows->most = (guint)MIN(bytes / ENTRY_BYTES, UINT32_MAX / 2);
    return flows;
}

void tw_udp_flows_free(struct tw_udp_flows *flows)
{
    if (!flows)
        return;
    tw_hash_table_destroy(flows->directions);
    tw_free(flows);
}

/* ---- one datagram ---------------------------------------------------------------------------- */

static void jitter(double *estimate_ns, tcpwhy_ns difference_ns)
{
    *estimate_ns += ((double)ABS(difference_ns) - *estimate_ns) / JITTER_GAIN;
}

static void take_spacing(struct direction *d, tcpwhy_ns at_ns)
{
    tcpwhy_ns spacing_ns = at_ns - d->end_ns;

    if (d->packets > 1)
        jitter(&d->spacing_jitter_ns, spacing_ns - d->spacing_ns);
    d->spacing_ns = spacing_ns;
}

/* Seconds, microseconds and a count, each of 32 bits. */
static void take_iperf3(struct direction *d, struct tw_bytes payload, tcpwhy_ns at_ns)
{
    tcpwhy_ns sent_ns, transit_ns;

    if (payload.len < IPERF3_HEADER || tw_be32(payload, 4) >= 1000000)
        return;
    tw_udp_track_take(&d->iperf3, tw_be32(payload, 8), 32);
    sent_ns = TCPWHY_S((tcpwhy_ns)tw_be32(payload, 0)) + TCPWHY_US((tcpwhy_ns)tw_be32(payload, 4));
    transit_ns = at_ns - sent_ns;
    if (d->stamps++ > 0)
        jitter(&d->sender_jitter_ns, transit_ns - d->transit_ns);
    d->transit_ns = transit_ns;
}

static void take_rtp(struct direction *d, struct tw_bytes payload)
{
    uint32_t ssrc;

    if (payload.len < RTP_HEADER || tw_u8(payload, 0) >> 6 != RTP_VERSION)
        return;
    ssrc = tw_be32(payload, 8);
    d->ssrc_same += d->rtp.seen > 0 && ssrc == d->ssrc;
    d->ssrc = ssrc;
    tw_udp_track_take(&d->rtp, tw_be16(payload, 2), 16);
}

static struct direction *direction_of(struct tw_udp_flows *flows, const struct tw_segment *s,
                                      tcpwhy_ns at_ns, uint32_t frame)
{
    struct direction key = { .tuple = s->tuple };
    struct direction *d = tw_hash_table_lookup(flows->directions, &key);

    if (d || tw_hash_table_size(flows->directions) >= flows->most)
        return d;
    key.first_frame = frame;
    key.start_ns = key.end_ns = at_ns;
    d = tw_memdup2(&key, sizeof key);
    tw_hash_table_insert(flows->directions, d, d);
    return d;
}

void tw_udp_flows_take(struct tw_udp_flows *flows, const struct tw_segment *s, tcpwhy_ns at_ns,
                       uint32_t frame)
{
    struct direction *d = direction_of(flows, s, at_ns, frame);

    if (!d)
        return;
    if (d->packets > 0)
        take_spacing(d, at_ns);
    d->packets++;
    d->bytes += s->len;
    d->last_frame = frame;
    d->end_ns = MAX(d->end_ns, at_ns);
    if (s->tuple.version == 4)
        tw_udp_track_take(&d->id, s->ip_id, 16);
    take_iperf3(d, s->payload, at_ns);
    take_rtp(d, s->payload);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const struct tw_udp_track *choose(const struct direction *d, enum tw_udp_number *number)
{
    /* Nine in ten have what a protocol has: others may look like it once. */
    if (d->stamps * 10 >= d->packets * 9 && tw_udp_track_counts(&d->iperf3)) {
        *number = TW_UDP_IPERF3;
        return &d->iperf3;
    }
    if ((d->ssrc_same + 1) * 10 >= d->packets * 9 && tw_udp_track_counts(&d->rtp)) {
        *number = TW_UDP_RTP;
        return &d->rtp;
    }
    *number = tw_udp_track_is_own(&d->id) ? TW_UDP_IP_ID : TW_UDP_NO_NUMBER;
    return *number ? &d->id : NULL;
}

static struct tw_udp_row row_of(const struct direction *d)
{
    struct tw_udp_row row = { .from = tw_tuple_endpoint(&d->tuple, 0),
                              .to = tw_tuple_endpoint(&d->tuple, 1),
                              .first_frame = d->first_frame,
                              .last_frame = d->last_frame,
                              .start_ns = d->start_ns,
                              .end_ns = d->end_ns,
                              .packets = d->packets,
                              .bytes = d->bytes,
                              .jitter_ns = TCPWHY_NS_UNKNOWN };
    const struct tw_udp_track *track = choose(d, &row.number);

    if (track) {
        row.lost = track->missing;
        row.out_of_order = track->late;
        row.duplicates = track->duplicates;
    }
    row.jitter_by_sender = row.number == TW_UDP_IPERF3;
    if (d->packets >= LEAST_JITTER)
        row.jitter_ns =
            (tcpwhy_ns)(row.jitter_by_sender ? d->sender_jitter_ns : d->spacing_jitter_ns);
    return row;
}

static gint most_first(gconstpointer a, gconstpointer b)
{
    const struct tw_udp_row *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->first_frame > y->first_frame) - (x->first_frame < y->first_frame);
}

tw_array *tw_udp_flows_rows(const struct tw_udp_flows *flows)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct tw_udp_row));
    tw_hash_table_iter iter;
    gpointer direction;

    if (!flows)
        return rows;
    tw_hash_table_iter_init(&iter, flows->directions);
    while (tw_hash_table_iter_next(&iter, &direction, NULL)) {
        struct tw_udp_row row = row_of(direction);

        tw_array_append_val(rows, row);
    }
    tw_array_sort(rows, most_first);
    return rows;
}

const char *tw_udp_number_name(unsigned number)
{
    static const char *const names[] = {
        [TW_UDP_NO_NUMBER] = NULL,
        [TW_UDP_IP_ID] = "ip_id",
        [TW_UDP_RTP] = "rtp",
        [TW_UDP_IPERF3] = "iperf3",
    };

    return number < G_N_ELEMENTS(names) ? names[number] : NULL;
}

static double a_second(const struct tw_udp_row *row, double n)
{
    return row->end_ns > row->start_ns ? n * 1e9 / (double)(row->end_ns - row->start_ns) : 0;
}

double tw_udp_bits(const struct tw_udp_row *row)
{
    return a_second(row, (double)row->bytes * 8);
}

double tw_udp_packets(const struct tw_udp_row *row)
{
    return a_second(row, (double)row->packets);
}
