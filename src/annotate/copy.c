/* SPDX-License-Identifier: MIT */
/*
 * Copies blocks and adds comments. A simple packet block cannot carry one and is unchanged, as any
 * other kind would need an invented timestamp.
 */
#include "annotate/copy.h"

#include <string.h>

#include <tcpwhy/version.h>

#include "base/array.h"
#include "annotate/block.h"
#include "render/writers/writer.h"
#include "source/interface.h"
#include "source/pcapng_block.h"
#include "source/pcapng_options.h"

#define OPTION_SHB_USERAPPL  4
#define OPTION_IF_TSRESOL    9
#define OPTION_IF_FCSLEN     13
#define TSRESOL_MICROSECONDS 6
#define TSRESOL_NANOSECONDS  9

#define SECTION_LENGTH_AT 16 /* offset in the block: after header, byte order and version */
#define LENGTH_NOT_TOLD   UINT32_MAX

#define LINKTYPE_USER0 147

struct writer {
    const struct tw_copy *copy;
    struct tcpwhy_annotated *done;
    struct tw_writer out;
    struct tw_block_maker maker;
    bool begun;           /* the first section has been written */
    tw_array *link_types; /* of the interfaces written so far, if they are not copied */
};

static void write_bytes(struct writer *w, struct tw_bytes bytes)
{
    tw_writer_bytes(&w->out, (const char *)bytes.data, bytes.len);
}

static void add_comment(struct writer *w, const char *text)
{
    tw_block_option(&w->maker, TW_OPTION_COMMENT, text, strlen(text));
}

static bool keeps(const struct writer *w, uint32_t frame)
{
    return !w->copy->excerpt || tw_excerpt_has(w->copy->excerpt, frame);
}

static bool has_comments(const struct writer *w, uint32_t frame)
{
    size_t n;

    return w->copy->excerpt || tw_notes_on(w->copy->notes, frame, &n);
}

/* After the options of a packet. In an excerpt each frame gets its original number as comment. */
static void add_packet_comments(struct writer *w, uint32_t frame)
{
    size_t n;
    const struct tw_note *note = tw_notes_on(w->copy->notes, frame, &n);
    char text[64];

    if (w->copy->excerpt) {
        g_snprintf(text, sizeof text, "tcpwhy: frame %u of the whole capture", frame);
        add_comment(w, text);
    }
    for (size_t i = 0; i < n; i++)
        add_comment(w, note[i].text);
    w->done->comments += n;
}

/* Few writers set section lengths; they are unset if anything is added. */
static void copy_section(struct writer *w, const struct tw_block *block)
{
    tw_block_reopen(&w->maker, block->bytes, block->big_endian,
                    TW_PCAPNG_BLOCK_HEADER + TW_PCAPNG_SECTION_FIXED);
    memset(w->maker.bytes->data + SECTION_LENGTH_AT, 0xff, 8);
    if (!w->begun)
        add_comment(w, w->copy->summary);
    w->begun = true;
    write_bytes(w, tw_block_end(&w->maker));
}

static bool takes_comments(const struct tw_block *block)
{
    return block->type == TW_PCAPNG_ENHANCED_PACKET || block->type == TW_PCAPNG_OLD_PACKET;
}

static void copy_packet(struct writer *w, const struct tw_block *block)
{
    size_t captured_at = TW_PCAPNG_BLOCK_HEADER + 12;
    uint32_t captured =
        block->big_endian ? tw_be32(block->bytes, captured_at) : tw_le32(block->bytes, captured_at);
    size_t options = TW_PCAPNG_BLOCK_HEADER + TW_PCAPNG_PACKET_FIXED + TW_PCAPNG_PADDED(captured);

    tw_block_reopen(&w->maker, block->bytes, block->big_endian, options);
    add_packet_comments(w, block->number);
    write_bytes(w, tw_block_end(&w->maker));
}

/*
 * Omitted from excerpts: frames that prove nothing, records other than packets, and decryption
 * secrets.
 */
static bool leaves_out(const struct writer *w, const struct tw_block *block)
{
    return (block->number != 0 && !keeps(w, block->number)) ||
           (w->copy->excerpt && block->type == TW_PCAPNG_SECRETS);
}

static void copy_block(void *user, const struct tw_block *block)
{
    struct writer *w = user;

    w->done->frames += block->number != 0;
    if (leaves_out(w, block))
        return;
    w->done->written += block->number != 0;
    if (block->type == TW_PCAPNG_SECTION)
        copy_section(w, block);
    else if (takes_comments(block) && has_comments(w, block->number))
        copy_packet(w, block);
    else
        write_bytes(w, block->bytes);
}

/* Of files without blocks. */
static void begin_section(struct writer *w)
{
    tw_block_begin(&w->maker, TW_PCAPNG_SECTION, false);
    tw_block_u32(&w->maker, TW_PCAPNG_BYTE_ORDER_MAGIC);
    tw_block_u16(&w->maker, 1);
    tw_block_u16(&w->maker, 0);
    tw_block_u32(&w->maker, LENGTH_NOT_TOLD);
    tw_block_u32(&w->maker, LENGTH_NOT_TOLD);
    add_comment(w, w->copy->summary);
    tw_block_option(&w->maker, OPTION_SHB_USERAPPL, "tcpwhy " TCPWHY_VERSION,
                    strlen("tcpwhy " TCPWHY_VERSION));
    write_bytes(w, tw_block_end(&w->maker));
}

/* For frames without a LINKTYPE_ number one of those for private use. */
static uint16_t written_link_type(uint32_t link_type)
{
    return link_type < TW_NO_LINK_TYPE ? (uint16_t)link_type : LINKTYPE_USER0;
}

static void add_interface(struct writer *w, const struct tw_interface *interface)
{
    uint8_t tsresol = interface->ns_per_unit == 1 ? TSRESOL_NANOSECONDS : TSRESOL_MICROSECONDS;

    tw_array_append_val(w->link_types, interface->link_type);
    tw_block_begin(&w->maker, TW_PCAPNG_INTERFACE, false);
    tw_block_u16(&w->maker, written_link_type(interface->link_type));
    tw_block_u16(&w->maker, 0);
    tw_block_u32(&w->maker, interface->snap_len == UINT32_MAX ? 0 : interface->snap_len);
    tw_block_option(&w->maker, OPTION_IF_TSRESOL, &tsresol, 1);
    if (interface->fcs_bytes > 0)
        tw_block_option(&w->maker, OPTION_IF_FCSLEN, &interface->fcs_bytes, 1);
    write_bytes(w, tw_block_end(&w->maker));
}

/* The interface with that link type, with nanoseconds if it is a new one. */
static uint32_t interface_of(struct writer *w, uint32_t link_type)
{
    struct tw_interface interface = { .link_type = link_type, .snap_len = UINT32_MAX };

    for (guint i = 0; i < w->link_types->len; i++)
        if (tw_array_index(w->link_types, uint32_t, i) == link_type)
            return i;
    tw_interface_set_clock(&interface, TSRESOL_NANOSECONDS);
    add_interface(w, &interface);
    return w->link_types->len - 1;
}

static void convert_frame(struct writer *w, uint64_t ns_per_unit, const struct tw_frame *frame)
{
    uint64_t units = frame->time_ns > 0 ? (uint64_t)frame->time_ns / ns_per_unit : 0;
    uint32_t interface;

    w->done->frames++;
    if (!keeps(w, frame->number))
        return;
    w->done->written++;
    interface = interface_of(w, frame->link_type);
    tw_block_begin(&w->maker, TW_PCAPNG_ENHANCED_PACKET, false);
    tw_block_u32(&w->maker, interface);
    tw_block_u32(&w->maker, (uint32_t)(units >> 32));
    tw_block_u32(&w->maker, (uint32_t)units);
    tw_block_u32(&w->maker, (uint32_t)frame->bytes.len);
    tw_block_u32(&w->maker, frame->original_len);
    tw_block_bytes(&w->maker, frame->bytes.data, frame->bytes.len);
    add_packet_comments(w, frame->number);
    write_bytes(w, tw_block_end(&w->maker));
}

/* Blocks of a pcapng file arrive through copy_block(), frames of other files here. */
static int copy_frames(struct writer *w, struct tw_source *source)
{
    const struct tw_interface *interface = tw_source_pcap_interface(source);
    bool convert = !tw_source_has_blocks(source);
    struct tw_frame frame;
    int more;

    if (convert)
        begin_section(w);
    if (interface)
        add_interface(w, interface);
    while ((more = tw_source_next(source, &frame)) > 0 && !w->out.stopped)
        if (convert)
            convert_frame(w, interface ? interface->ns_per_unit : 1, &frame);
    return more < 0 ? more : 0;
}

int tw_copy_run(const struct tw_copy *copy, int fd, struct tcpwhy_annotated *done,
                struct tw_source_error *why)
{
    struct writer w = { .copy = copy,
                        .done = done,
                        .maker = { .bytes = tw_byte_array_new() },
                        .link_types = tw_array_new(FALSE, FALSE, sizeof(uint32_t)) };
    struct tw_source_options options = { .on_block = copy_block, .user = &w };
    struct tw_source *source;
    int status, stopped;

    tw_writer_init(&w.out, copy->write, copy->user);
    source = tw_source_open_fd(fd, &options, why);
    status = source ? copy_frames(&w, source) : why->code;
    tw_source_close(source);
    tw_byte_array_free(w.maker.bytes, TRUE);
    tw_array_free(w.link_types, TRUE);
    stopped = tw_writer_finish(&w.out);
    return status != 0 ? status : stopped;
}
