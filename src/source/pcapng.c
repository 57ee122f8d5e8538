/* SPDX-License-Identifier: MIT */
/*
 * The pcapng format: sections of either byte order, their interfaces, and the four ways in which
 * a block holds a packet. Blocks that tell nothing of packets are passed over unread.
 */
#include "source/internal.h"

#include <tcpwhy/tcpwhy.h>

#include "source/pcapng_options.h"

/* Block types. The first reads the same in both byte orders. */
#define SECTION         0x0a0d0d0au
#define INTERFACE       1u
#define OLD_PACKET      2u
#define SIMPLE_PACKET   3u
#define STATISTICS      5u
#define ENHANCED_PACKET 6u
#define JOURNAL         9u
#define CUSTOM          0x00000badu
#define CUSTOM_NO_COPY  0x40000badu

#define BYTE_ORDER_MAGIC 0x1a2b3c4du

/* Type and total length before a block's body, total length again behind it. */
#define BLOCK_HEADER  8u
#define BLOCK_TRAILER 4u
#define BLOCK_MIN     (BLOCK_HEADER + BLOCK_TRAILER)

/* Blocks that are read as a whole are packets with their options; none is larger. */
#define BLOCK_MAX (256u * 1024 * 1024)

/* Far more than any host has; bounds what a file full of descriptions can allocate. */
#define INTERFACES_MAX 65536u

#define MICROSECONDS UINT64_C(1000000)

#define PADDED(n) (((size_t)(n) + 3) & ~(size_t)3)

struct pcapng {
    bool big_endian;
    uint32_t first_interface; /* how many the sections before this one had */
    uint32_t n_described;     /* in this section, also beyond INTERFACES_MAX */
    GArray *interfaces;       /* struct tw_interface, of this section */
    GString *comment;         /* of the current packet */
};

/* A block as a whole, without its header and trailer. */
struct block {
    uint32_t type;
    struct tw_bytes body;
};

/* What a block led to; negative error codes and 0 for the end stand beside it. */
enum { PASSED_OVER = 2, FRAME = 1, END = 0 };

static bool probe(uint32_t magic)
{
    return magic == SECTION;
}

static inline uint16_t half(const struct pcapng *ng, struct tw_bytes b, size_t offset)
{
    return ng->big_endian ? tw_be16(b, offset) : tw_le16(b, offset);
}

static inline uint32_t word(const struct pcapng *ng, struct tw_bytes b, size_t offset)
{
    return ng->big_endian ? tw_be32(b, offset) : tw_le32(b, offset);
}

static inline uint64_t time_units(const struct pcapng *ng, struct tw_bytes b, size_t offset)
{
    return (uint64_t)word(ng, b, offset) << 32 | word(ng, b, offset + 4);
}

static void check_overrun(struct tw_source *source, const struct tw_option *option)
{
    if (option->overrun)
        tw_source_add_fact(source, TW_SOURCE_BAD_OPTION, 1);
}

/* A section's body: byte-order magic, version, section length (which nobody fills in), options. */
static int read_section(struct tw_source *source, struct tw_bytes body)
{
    static const char *const labels[] = { [1] = "", "Hardware: ", "OS: ", "Application: " };
    struct pcapng *ng = source->state;
    struct tw_option option = tw_options(tw_bytes_from(body, 16), ng->big_endian);

    if (body.len < 16 || half(ng, body, 4) != 1)
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    ng->first_interface += ng->n_described;
    ng->n_described = 0;
    g_array_set_size(ng->interfaces, 0);
    while (tw_option_next(&option))
        if (option.code >= 1 && option.code < G_N_ELEMENTS(labels))
            tw_option_append_text(&option, labels[option.code], source->comment);
    check_overrun(source, &option);
    return PASSED_OVER;
}

#define OPTION_TSRESOL  9
#define OPTION_TSOFFSET 14

static int read_interface(struct tw_source *source, struct tw_bytes body)
{
    struct pcapng *ng = source->state;
    struct tw_option option = tw_options(tw_bytes_from(body, 8), ng->big_endian);
    uint64_t units_per_s = MICROSECONDS;
    int64_t offset_s = 0;
    struct tw_interface interface;

    if (body.len < 8)
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    while (tw_option_next(&option)) {
        if (option.code == OPTION_TSRESOL && option.value.len > 0)
            units_per_s = tw_interface_units(tw_u8(option.value, 0));
        else if (option.code == OPTION_TSOFFSET)
            offset_s = (int64_t)tw_option_u64(&option);
    }
    check_overrun(source, &option);
    interface = tw_interface(half(ng, body, 0), word(ng, body, 4), units_per_s);
    interface.offset_s = offset_s;
    ng->n_described++;
    if (ng->interfaces->len < INTERFACES_MAX)
        g_array_append_val(ng->interfaces, interface);
    return PASSED_OVER;
}

static struct tw_interface *find_interface(const struct pcapng *ng, uint32_t id)
{
    if (id >= ng->interfaces->len)
        return NULL;
    return &g_array_index(ng->interfaces, struct tw_interface, id);
}

/*
 * Drops are told as running totals in statistics and as differences in packets. Whichever knows of
 * more is believed, never both.
 */
static void note_drops(struct tw_source *source, struct tw_interface *interface, uint64_t total,
                       uint64_t between)
{
    uint64_t before = MAX(interface->dropped_total, interface->dropped_between);
    uint64_t now;

    interface->dropped_total = MAX(interface->dropped_total, total);
    if (__builtin_add_overflow(interface->dropped_between, between, &interface->dropped_between))
        interface->dropped_between = UINT64_MAX;
    now = MAX(interface->dropped_total, interface->dropped_between);
    if (now > before)
        tw_source_add_fact(source, TW_SOURCE_DROPPED, now - before);
}

#define OPTION_ISB_IFDROP 5
#define OPTION_ISB_OSDROP 7

/* Interface, time, options. */
static int read_statistics(struct tw_source *source, struct tw_bytes body)
{
    struct pcapng *ng = source->state;
    struct tw_option option = tw_options(tw_bytes_from(body, 12), ng->big_endian);
    struct tw_interface *interface = find_interface(ng, word(ng, body, 0));
    uint64_t total = 0;

    while (tw_option_next(&option))
        if (option.code == OPTION_ISB_IFDROP || option.code == OPTION_ISB_OSDROP)
            if (__builtin_add_overflow(total, tw_option_u64(&option), &total))
                total = UINT64_MAX;
    check_overrun(source, &option);
    if (interface)
        note_drops(source, interface, total, 0);
    return PASSED_OVER;
}

#define OPTION_EPB_DROPCOUNT 4

static void read_packet_options(struct tw_source *source, struct tw_interface *interface,
                                struct tw_bytes list, struct tw_frame *frame)
{
    struct pcapng *ng = source->state;
    struct tw_option option = tw_options(list, ng->big_endian);

    g_string_truncate(ng->comment, 0);
    while (tw_option_next(&option)) {
        if (option.code == TW_OPTION_COMMENT)
            tw_option_append_text(&option, "", ng->comment);
        else if (option.code == OPTION_EPB_DROPCOUNT)
            note_drops(source, interface, 0, tw_option_u64(&option));
    }
    check_overrun(source, &option);
    if (ng->comment->len > 0)
        frame->comment = ng->comment->str;
}

/* What the three kinds of packet blocks agree upon. */
struct packet {
    uint32_t interface;
    uint32_t captured, original;
    size_t header; /* where the frame's bytes begin in the body */
    bool has_time;
    uint64_t units;
};

static int take_packet(struct tw_source *source, struct tw_bytes body, const struct packet *packet,
                       struct tw_frame *frame)
{
    struct pcapng *ng = source->state;
    struct tw_interface *interface = find_interface(ng, packet->interface);
    struct tw_bytes options;

    if (!tw_bytes_has(body, packet->header, packet->captured))
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    if (interface && packet->captured > interface->max_len)
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    source->n_frames++;
    if (!interface) {
        tw_source_add_fact(source, TW_SOURCE_NO_INTERFACE, 1);
        return PASSED_OVER;
    }
    *frame = (struct tw_frame) {
        .number = source->n_frames,
        .link_type = interface->link_type,
        .time_ns = packet->has_time ? tw_interface_time(interface, packet->units) : TW_NO_TIME,
        .original_len = packet->original,
        .interface_id = ng->first_interface + packet->interface,
        .bytes = tw_bytes(body.data + packet->header, packet->captured),
    };
    if (frame->time_ns == TW_NO_TIME)
        tw_source_add_fact(source, TW_SOURCE_NO_TIME, 1);
    if (packet->captured > packet->original ||
        (packet->captured > interface->snap_len && interface->snap_len != 0))
        tw_source_add_fact(source, TW_SOURCE_LEN_MISMATCH, 1);
    options = tw_bytes_from(body, packet->header + PADDED(packet->captured));
    if (options.len > 0)
        read_packet_options(source, interface, options, frame);
    return FRAME;
}

/* Interface, time in two halves, captured and original length. */
static int read_enhanced(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    const struct pcapng *ng = source->state;
    struct packet packet = {
        .interface = word(ng, body, 0),
        .captured = word(ng, body, 12),
        .original = word(ng, body, 16),
        .header = 20,
        .has_time = true,
        .units = time_units(ng, body, 4),
    };

    return take_packet(source, body, &packet, frame);
}

#define DROPS_UNKNOWN 0xffff

/* The same with a narrower interface number and drops beside it. */
static int read_old(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    const struct pcapng *ng = source->state;
    struct packet packet = {
        .interface = half(ng, body, 0),
        .captured = word(ng, body, 12),
        .original = word(ng, body, 16),
        .header = 20,
        .has_time = true,
        .units = time_units(ng, body, 4),
    };
    struct tw_interface *interface = find_interface(ng, packet.interface);
    uint16_t drops = half(ng, body, 2);

    if (interface && drops != DROPS_UNKNOWN)
        note_drops(source, interface, 0, drops);
    return take_packet(source, body, &packet, frame);
}

/* Original length alone: the first interface, whose snap length says how much was captured. */
static int read_simple(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    const struct pcapng *ng = source->state;
    const struct tw_interface *interface = find_interface(ng, 0);
    struct packet packet = { .original = word(ng, body, 0), .header = 4 };

    packet.captured = packet.original;
    if (interface && interface->snap_len != 0)
        packet.captured = MIN(packet.captured, interface->snap_len);
    return take_packet(source, body, &packet, frame);
}

static int read_block(struct tw_source *source, const struct block *block, struct tw_frame *frame)
{
    switch (block->type) {
    case ENHANCED_PACKET:
        return read_enhanced(source, block->body, frame);
    case SIMPLE_PACKET:
        return read_simple(source, block->body, frame);
    case OLD_PACKET:
        return read_old(source, block->body, frame);
    case INTERFACE:
        return read_interface(source, block->body);
    case STATISTICS:
        return read_statistics(source, block->body);
    default:
        return read_section(source, block->body);
    }
}

/* Blocks whose insides matter here; the others are passed over without a limit on their length. */
static bool is_read(uint32_t type)
{
    return type == ENHANCED_PACKET || type == SIMPLE_PACKET || type == OLD_PACKET ||
           type == INTERFACE || type == STATISTICS || type == SECTION;
}

/* Wireshark gives these a frame number, so that they must count here too. */
static bool bears_number(uint32_t type)
{
    return type == JOURNAL || type == CUSTOM || type == CUSTOM_NO_COPY;
}

static int pass_over(struct tw_source *source, uint32_t type, uint32_t len)
{
    if (!tw_window_skip(&source->window, len))
        return tw_source_cut(source);
    if (bears_number(type))
        source->n_frames++;
    return PASSED_OVER;
}

/* A section may change the byte order, in which its own length is written already. */
static bool set_byte_order(struct pcapng *ng, struct tw_bytes b)
{
    if (tw_be32(b, BLOCK_HEADER) == BYTE_ORDER_MAGIC)
        ng->big_endian = true;
    else if (tw_le32(b, BLOCK_HEADER) == BYTE_ORDER_MAGIC)
        ng->big_endian = false;
    else
        return false;
    return true;
}

static int next_block(struct tw_source *source, struct tw_frame *frame)
{
    struct pcapng *ng = source->state;
    struct tw_bytes b = tw_window_need(&source->window, BLOCK_MIN);
    struct block block = { .type = word(ng, b, 0) };
    uint32_t len;

    if (b.len < BLOCK_MIN)
        return b.len == 0 && source->window.error == 0 ? END : tw_source_cut(source);
    if (block.type == SECTION && !set_byte_order(ng, b))
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    len = word(ng, b, 4);
    if (len < BLOCK_MIN || len % 4 != 0)
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    if (!is_read(block.type))
        return pass_over(source, block.type, len);
    if (len > BLOCK_MAX)
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    b = tw_window_need(&source->window, len);
    if (b.len < len)
        return tw_source_cut(source);
    if (word(ng, b, len - BLOCK_TRAILER) != len)
        return tw_source_stop(source, TW_SOURCE_BAD_RECORD);
    tw_window_take(&source->window, len);
    block.body = tw_bytes(b.data + BLOCK_HEADER, len - BLOCK_MIN);
    return read_block(source, &block, frame);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    int rc;

    do
        rc = next_block(source, frame);
    while (rc == PASSED_OVER);
    return rc;
}

/* Is the next block one that may stand before the first interface? */
static bool before_interfaces(struct tw_source *source)
{
    const struct pcapng *ng = source->state;
    struct tw_bytes b = tw_window_need(&source->window, BLOCK_MIN);
    uint32_t type = word(ng, b, 0);

    return b.len >= BLOCK_MIN && type != ENHANCED_PACKET && type != SIMPLE_PACKET &&
           type != OLD_PACKET;
}

static bool open_pcapng(struct tw_source *source, struct tw_source_error *error)
{
    struct pcapng *ng = g_new0(struct pcapng, 1);
    struct tw_frame none;

    source->state = ng;
    ng->interfaces = g_array_new(FALSE, FALSE, sizeof(struct tw_interface));
    ng->comment = g_string_new(NULL);
    if (next_block(source, &none) != PASSED_OVER)
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "its pcapng section header cannot be read: take the capture again");
    while (!source->done && ng->interfaces->len == 0 && before_interfaces(source))
        next_block(source, &none);
    if (ng->interfaces->len == 0)
        return true;
    return tw_source_check_filter(source, find_interface(ng, 0)->link_type, error);
}

static void close_pcapng(struct tw_source *source)
{
    struct pcapng *ng = source->state;

    g_array_free(ng->interfaces, TRUE);
    g_string_free(ng->comment, TRUE);
    g_free(ng);
}

const struct tw_format tw_format_pcapng = { probe, open_pcapng, next, close_pcapng };
