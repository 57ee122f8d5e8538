/* SPDX-License-Identifier: MIT */
/*
 * The pcap format and its dialects: byte order, resolution, longer record headers of patched
 * libpcaps, and lengths that old versions wrote in the other order.
 */
#include "source/internal.h"

#include <tcpwhy/tcpwhy.h>

#define FILE_HEADER 24

/* Record headers: seconds, fraction, captured length, original length, and then maybe more. */
#define RECORD_HEADER          16
#define RECORD_HEADER_PATCHED  24 /* Kuznetzov's libpcap: interface index, protocol, packet type */
#define RECORD_HEADER_PATCHED2 28 /* its ss990915: also two CPU numbers */

#define NS_PER_S INT64_C(1000000000)

/* Versions up to 2.2 wrote the original length first; some that call themselves 2.3 did too. */
enum length_order { CAPTURED_FIRST, ORIGINAL_FIRST, LARGER_LAST };

struct pcap {
    bool big_endian;
    uint32_t record_header;
    uint32_t ns_per_fraction;
    enum length_order length_order;
    struct tw_interface interface;
};

static const struct dialect {
    uint32_t magic; /* as the writer meant it */
    uint32_t record_header;
    uint32_t ns_per_fraction;
} dialects[] = {
    { 0xa1b2c3d4, RECORD_HEADER, 1000 },
    { 0xa1b23c4d, RECORD_HEADER, 1 },
    { 0xa1b2cd34, RECORD_HEADER_PATCHED, 1000 },
};

static const struct dialect *dialect_of(uint32_t magic)
{
    for (size_t i = 0; i < G_N_ELEMENTS(dialects); i++)
        if (dialects[i].magic == magic)
            return &dialects[i];
    return NULL;
}

static bool probe(uint32_t magic)
{
    return dialect_of(magic) || dialect_of(GUINT32_SWAP_LE_BE(magic));
}

static inline uint32_t word(const struct pcap *pcap, struct tw_bytes b, size_t offset)
{
    return pcap->big_endian ? tw_be32(b, offset) : tw_le32(b, offset);
}

static enum length_order length_order(uint32_t major, uint32_t minor)
{
    if (major == 2 && minor < 3)
        return ORIGINAL_FIRST;
    return major == 2 && minor == 3 ? LARGER_LAST : CAPTURED_FIRST;
}

static bool open_pcap(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_bytes b = tw_window_need(&source->window, FILE_HEADER);
    const struct dialect *dialect = dialect_of(tw_be32(b, 0));
    struct pcap *pcap;
    uint32_t major, minor;

    if (b.len < FILE_HEADER)
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "cut short inside the pcap file header: take the capture again");
    pcap = g_new0(struct pcap, 1);
    source->state = pcap;
    pcap->big_endian = dialect != NULL;
    if (!dialect)
        dialect = dialect_of(tw_le32(b, 0));
    major = pcap->big_endian ? tw_be16(b, 4) : tw_le16(b, 4);
    minor = pcap->big_endian ? tw_be16(b, 6) : tw_le16(b, 6);
    pcap->record_header = dialect->record_header;
    pcap->ns_per_fraction = dialect->ns_per_fraction;
    pcap->length_order = length_order(major, minor);
    pcap->interface = tw_interface(word(pcap, b, 20), word(pcap, b, 16),
                                   (uint64_t)NS_PER_S / dialect->ns_per_fraction);
    tw_window_take(&source->window, FILE_HEADER);
    return tw_source_check_filter(source, pcap->interface.link_type, error);
}

static void order_lengths(enum length_order order, uint32_t *captured, uint32_t *original)
{
    if (order == ORIGINAL_FIRST || *captured > *original) {
        uint32_t first = *captured;

        *captured = *original;
        *original = first;
    }
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    const struct pcap *pcap = source->state;
    const struct tw_interface *interface = &pcap->interface;
    struct tw_bytes b = tw_window_need(&source->window, pcap->record_header);
    uint32_t captured, original;

    if (b.len < pcap->record_header)
        return b.len == 0 && source->window.error == 0 ? 0 : tw_source_cut(source);
    captured = word(pcap, b, 8);
    original = word(pcap, b, 12);
    if (pcap->length_order != CAPTURED_FIRST)
        order_lengths(pcap->length_order, &captured, &original);
    if (captured > interface->max_len)
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    b = tw_window_need(&source->window, pcap->record_header + captured);
    if (b.len < pcap->record_header + captured)
        return tw_source_cut(source);
    tw_window_take(&source->window, pcap->record_header + captured);
    source->n_frames++;
    if (captured > original || (captured > interface->snap_len && interface->snap_len != 0))
        tw_source_add_fact(source, TW_SOURCE_LEN_MISMATCH, 1);
    *frame = (struct tw_frame) {
        .number = source->n_frames,
        .link_type = interface->link_type,
        .time_ns = word(pcap, b, 0) * NS_PER_S + (int64_t)word(pcap, b, 4) * pcap->ns_per_fraction,
        .original_len = original,
        .bytes = tw_bytes(b.data + pcap->record_header, captured),
    };
    return 1;
}

static void close_pcap(struct tw_source *source)
{
    g_free(source->state);
}

const struct tw_format tw_format_pcap = { probe, open_pcap, next, close_pcap };
