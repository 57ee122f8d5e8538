/* SPDX-License-Identifier: MIT */
/* The three kinds of packet blocks. */
#include "source/pcapng.h"

#define OPTION_EPB_DROPCOUNT 4

static void read_packet_options(struct tw_source *source, struct tw_interface *interface,
                                struct tw_bytes list)
{
    const struct tw_pcapng *ng = source->state;
    struct tw_option option = tw_options(list, ng->big_endian);

    while (tw_option_next(&option))
        if (option.code == OPTION_EPB_DROPCOUNT)
            tw_pcapng_note_drops(source, interface, 0, tw_option_u64(&option));
    tw_pcapng_check_overrun(source, &option);
}

/* Common to all packet blocks. */
struct packet {
    uint32_t interface;
    uint32_t captured, original;
    size_t header; /* offset of the frame's bytes in the body */
    bool has_time;
    uint64_t units;
};

static int take_packet(struct tw_source *source, struct tw_bytes body, const struct packet *packet,
                       struct tw_frame *frame)
{
    struct tw_pcapng *ng = source->state;
    struct tw_interface *interface = tw_pcapng_interface(ng, packet->interface);
    struct tw_bytes options;

    if (!tw_bytes_has(body, packet->header, packet->captured))
        return tw_source_stop_at_bad_record(source);
    if (interface && packet->captured > interface->max_len)
        return tw_source_stop_at_bad_record(source);
    source->n_frames++;
    if (!interface) {
        tw_source_add_fact(source, TW_SOURCE_NO_INTERFACE, 1);
        return TW_PCAPNG_PASSED_OVER;
    }
    *frame = (struct tw_frame) {
        .number = source->n_frames,
        .link_type = interface->link_type,
        .time_ns = packet->has_time ? tw_interface_time(interface, packet->units) : TW_NO_TIME,
        .original_len = packet->original,
        .bytes = tw_bytes(body.data + packet->header, packet->captured),
    };
    if (frame->time_ns == TW_NO_TIME)
        tw_source_add_fact(source, TW_SOURCE_NO_TIME, 1);
    if (packet->captured > packet->original || packet->captured > interface->snap_len)
        tw_source_add_fact(source, TW_SOURCE_LEN_MISMATCH, 1);
    options = tw_bytes_from(body, packet->header + TW_PCAPNG_PADDED(packet->captured));
    if (options.len > 0)
        read_packet_options(source, interface, options);
    return TW_PCAPNG_FRAME;
}

/* A timestamp is two words, the high one first in either byte order. */
static uint64_t time_units(const struct tw_pcapng *ng, struct tw_bytes body)
{
    return (uint64_t)tw_pcapng_word(ng, body, 4) << 32 | tw_pcapng_word(ng, body, 8);
}

/* Interface, timestamp high and low, captured and original length. */
int tw_pcapng_read_enhanced(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    const struct tw_pcapng *ng = source->state;
    struct packet packet = {
        .interface = tw_pcapng_word(ng, body, 0),
        .captured = tw_pcapng_word(ng, body, 12),
        .original = tw_pcapng_word(ng, body, 16),
        .header = 20,
        .has_time = true,
        .units = time_units(ng, body),
    };

    return take_packet(source, body, &packet, frame);
}

#define DROPS_UNKNOWN 0xffff

/* The same with a 16-bit interface number and a drop count. */
int tw_pcapng_read_old(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    const struct tw_pcapng *ng = source->state;
    struct packet packet = {
        .interface = tw_pcapng_half(ng, body, 0),
        .captured = tw_pcapng_word(ng, body, 12),
        .original = tw_pcapng_word(ng, body, 16),
        .header = 20,
        .has_time = true,
        .units = time_units(ng, body),
    };
    struct tw_interface *interface = tw_pcapng_interface(ng, packet.interface);
    uint16_t drops = tw_pcapng_half(ng, body, 2);

    if (interface && drops != DROPS_UNKNOWN)
        tw_pcapng_note_drops(source, interface, 0, drops);
    return take_packet(source, body, &packet, frame);
}

/* Original length only; interface 0, whose snap length limits the captured length. */
int tw_pcapng_read_simple(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    const struct tw_pcapng *ng = source->state;
    const struct tw_interface *interface = tw_pcapng_interface(ng, 0);
    struct packet packet = { .original = tw_pcapng_word(ng, body, 0), .header = 4 };

    packet.captured = packet.original;
    if (interface)
        packet.captured = MIN(packet.captured, interface->snap_len);
    return take_packet(source, body, &packet, frame);
}
