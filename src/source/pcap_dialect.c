/* SPDX-License-Identifier: MIT */
/*
 * Variants of pcap: byte order, resolution, extended record headers of patched libpcaps, swapped
 * lengths of old versions, and AIX link types.
 */
#include "source/pcap.h"

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "source/internal.h"

#define FILE_HEADER 24

/* Records checked to determine the record header size, and the minimum at the end of the file. */
#define LOOK_AHEAD 3
#define ENOUGH     2

#define FRACTIONS_PER_S 1000000u
#define ORIGINAL_MAX    (64u * 1024 * 1024)

/*
 * Longer record headers: 20 bytes on Nokia firewalls; 24 with Kuznetzov's patched libpcap
 * (interface index, protocol, packet type), which its ss990417 release wrote under the standard
 * magic number; 28 in its ss990915 release (also two CPU numbers).
 */
static const struct dialect {
    uint32_t magic; /* in the writer's byte order */
    uint32_t ns_per_fraction;
    uint32_t after_header;     /* bytes between file header and first record */
    uint32_t record_header[3]; /* most likely first, 0-terminated */
} dialects[] = {
    { 0xa1b2c3d4, 1000, 0, { 16, 24, 20 } },
    { 0xa1b23c4d, 1, 0, { 16 } },
    { 0xa1b2cd34, 1000, 0, { 24, 28 } },
    { 0x1c0001ac,
      1,
      4,
      { 16 } }, /* IXIA lcap, hardware capture: followed by the total record length */
    { 0x1c0001ab, 1, 4, { 16 } }, /* IXIA lcap, software capture */
};

static const struct dialect *dialect_of(uint32_t magic)
{
    for (size_t i = 0; i < G_N_ELEMENTS(dialects); i++)
        if (dialects[i].magic == magic)
            return &dialects[i];
    return NULL;
}

bool tw_pcap_probe(struct tw_bytes start)
{
    return dialect_of(tw_be32(start, 0)) || dialect_of(tw_le32(start, 0));
}

static enum tw_pcap_lengths length_order(uint16_t major, uint16_t minor)
{
    /* 543: tcpdump of DG/UX */
    if ((major == 2 && minor < 3) || major == 543)
        return TW_PCAP_ORIGINAL_FIRST;
    return major == 2 && minor == 3 ? TW_PCAP_LARGER_LAST : TW_PCAP_CAPTURED_FIRST;
}

/* AIX writes version 2.2, RFC 1573 interface types as link types, and nanoseconds. */
static bool aix_link_type(uint32_t if_type, uint32_t *link_type)
{
    static const struct {
        uint32_t if_type, link_type;
    } types[] = { { 6, 1 }, { 9, 6 }, { 15, 10 }, { 24, 0 } };

    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        if (types[i].if_type == if_type) {
            *link_type = types[i].link_type;
            return true;
        }
    }
    return false;
}

static bool plausible(const struct tw_pcap *pcap, const struct tw_pcap_record *r)
{
    return r->captured > 0 && r->captured <= pcap->interface.max_len &&
           r->captured <= r->original && r->original <= ORIGINAL_MAX &&
           r->fraction < FRACTIONS_PER_S;
}

/*
 * Are the first records consistent with this header size? A single record is not enough: a file
 * truncated in its second record could match a longer header.
 */
static bool records_fit(struct tw_window *window, const struct tw_pcap *pcap)
{
    size_t at = 0;

    for (int i = 0; i < LOOK_AHEAD; i++) {
        struct tw_bytes b = tw_window_need(window, at + pcap->record_header);
        struct tw_pcap_record r;

        if (b.len == at)
            return i >= ENOUGH;
        if (!tw_bytes_has(b, at, pcap->record_header))
            return false;
        r = tw_pcap_record(pcap, b.data + at);
        if (!plausible(pcap, &r))
            return false;
        at += pcap->record_header + r.captured;
        if (tw_window_need(window, at).len < at)
            return false;
    }
    return true;
}

/* The first matching size; if none matches, the file is damaged, and the standard size is used. */
static void choose_record_header(struct tw_window *window, const struct dialect *dialect,
                                 struct tw_pcap *pcap)
{
    pcap->record_header = dialect->record_header[0];
    if (dialect->record_header[1] == 0)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS(dialect->record_header); i++) {
        pcap->record_header = dialect->record_header[i];
        if (pcap->record_header != 0 && records_fit(window, pcap))
            return;
    }
    pcap->record_header = dialect->record_header[0];
}

bool tw_pcap_read_header(struct tw_window *window, struct tw_pcap *pcap,
                         struct tw_source_error *error)
{
    struct tw_bytes b = tw_window_need(window, FILE_HEADER);
    const struct dialect *dialect = dialect_of(tw_be32(b, 0));
    uint16_t major, minor;
    uint32_t link_type;

    if (b.len < FILE_HEADER)
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "cut short inside the pcap file header: take the capture again");
    pcap->big_endian = dialect != NULL;
    if (!dialect)
        dialect = dialect_of(tw_le32(b, 0));
    major = pcap->big_endian ? tw_be16(b, 4) : tw_le16(b, 4);
    minor = pcap->big_endian ? tw_be16(b, 6) : tw_le16(b, 6);
    if (major < 2)
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "pcap version %d.%d, which nobody reads: the file header is "
                                "damaged, take the capture again",
                                major, minor);
    pcap->lengths = length_order(major, minor);
    pcap->ns_per_fraction = dialect->ns_per_fraction;
    link_type = tw_pcap_word(pcap, b, 20);
    if (major == 2 && minor == 2 && aix_link_type(link_type, &link_type))
        pcap->ns_per_fraction = 1;
    pcap->interface = tw_interface(link_type, tw_pcap_word(pcap, b, 16));
    tw_interface_set_clock(&pcap->interface, pcap->ns_per_fraction == 1 ? 9 : 6);
    tw_window_take(window, FILE_HEADER);
    tw_window_skip(window, dialect->after_header);
    choose_record_header(window, dialect, pcap);
    return true;
}
