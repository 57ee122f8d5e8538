/* SPDX-License-Identifier: MIT */
/*
 * The pcapng format: sections in either byte order, interfaces, and the four kinds of packet
 * blocks. Other blocks are skipped.
 */
#include "source/pcapng.h"

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/text.h"

/* Blocks read completely are packets with options; none is larger. */
#define BLOCK_MAX (256u * 1024 * 1024)

/* Skipped blocks need no memory, but their padded length must fit in 32 bits. */
#define SKIPPED_MAX (UINT32_MAX - 3)

static bool probe(struct tw_bytes start)
{
    return tw_be32(start, 0) == TW_PCAPNG_SECTION;
}

static const struct block {
    uint32_t type;
    tw_pcapng_read_fn *read;
} blocks[] = {
    { TW_PCAPNG_ENHANCED_PACKET, tw_pcapng_read_enhanced }, /* first: the most common block */
    { TW_PCAPNG_SIMPLE_PACKET, tw_pcapng_read_simple },
    { TW_PCAPNG_OLD_PACKET, tw_pcapng_read_old },
    { TW_PCAPNG_INTERFACE, tw_pcapng_read_interface },
    { TW_PCAPNG_STATISTICS, tw_pcapng_read_statistics },
    { TW_PCAPNG_SECTION, tw_pcapng_read_section },
    { TW_PCAPNG_SECRETS, tw_pcapng_read_secrets },
};

/* The reader of a block type, or NULL to skip it. */
static inline tw_pcapng_read_fn *reader_of(uint32_t type)
{
    for (size_t i = 0; i < G_N_ELEMENTS(blocks); i++)
        if (blocks[i].type == type)
            return blocks[i].read;
    return NULL;
}

/* Wireshark numbers these as frames, so they count here too. */
static bool bears_number(uint32_t type)
{
    return type == TW_PCAPNG_JOURNAL || type == TW_PCAPNG_CUSTOM ||
           type == TW_PCAPNG_CUSTOM_NO_COPY || type == TW_PCAPNG_SYSDIG_EVENT ||
           type == TW_PCAPNG_SYSDIG_EVENT_2 || type == TW_PCAPNG_SYSDIG_EVENT_2_LARGE;
}

static void show(struct tw_source *source, uint32_t type, uint32_t number, struct tw_bytes bytes)
{
    const struct tw_pcapng *ng = source->state;
    const struct tw_block block = { type, ng->big_endian, number, bytes };

    if (source->on_block)
        source->on_block(source->user, &block);
}

/*
 * Like tw_window_skip(), but passes the block to the callback, whole unless it is huge, or waits
 * until it is complete.
 */
static bool show_skipped(struct tw_source *source, uint32_t type, size_t len)
{
    size_t piece = len <= BLOCK_MAX ? len : 1;
    uint32_t number = bears_number(type) ? source->n_frames + 1 : 0;

    while (len > 0) {
        struct tw_bytes b = tw_bytes_first(tw_window_need(&source->window, piece), len);

        if (b.len < piece)
            return false;
        show(source, type, number, b);
        tw_window_take(&source->window, b.len);
        len -= b.len;
    }
    return true;
}

static int pass_over(struct tw_source *source, uint32_t type, size_t len)
{
    bool shown = source->on_block || source->follow;

    if (shown ? !show_skipped(source, type, len) : !tw_window_skip(&source->window, len))
        return tw_source_end(source, len);
    if (bears_number(type))
        source->n_frames++;
    return TW_PCAPNG_PASSED_OVER;
}

/* A section may change the byte order, which applies to its own length, too. */
static bool set_byte_order(struct tw_pcapng *ng, struct tw_bytes b)
{
    if (tw_be32(b, TW_PCAPNG_BLOCK_HEADER) == TW_PCAPNG_BYTE_ORDER_MAGIC)
        ng->big_endian = true;
    else if (tw_le32(b, TW_PCAPNG_BLOCK_HEADER) == TW_PCAPNG_BYTE_ORDER_MAGIC)
        ng->big_endian = false;
    else
        return false;
    return true;
}

/* The body of the next block; its type and lengths are checked and removed. */
static int take_block(struct tw_source *source, uint32_t len, struct tw_bytes *body)
{
    const struct tw_pcapng *ng = source->state;
    size_t padded = TW_PCAPNG_PADDED(len); /* some writers omit the padding from the length */
    struct tw_bytes b;

    b = tw_window_need(&source->window, padded);
    if (b.len < padded)
        return tw_source_end(source, b.len);
    if (tw_pcapng_word(ng, b, padded - TW_PCAPNG_BLOCK_TRAILER) != len)
        return tw_source_stop_at_bad_record(source);
    tw_window_take(&source->window, padded);
    *body = tw_bytes(b.data + TW_PCAPNG_BLOCK_HEADER, padded - TW_PCAPNG_BLOCK_MIN);
    return TW_PCAPNG_PASSED_OVER;
}

static int next_block(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_pcapng *ng = source->state;
    struct tw_bytes b = tw_window_need(&source->window, TW_PCAPNG_BLOCK_MIN);
    uint32_t type = tw_pcapng_word(ng, b, 0);
    tw_pcapng_read_fn *read = reader_of(type);
    struct tw_bytes body = { 0 };
    uint32_t len, n_frames;
    int rc;

    if (b.len < TW_PCAPNG_BLOCK_MIN)
        return tw_source_end(source, b.len);
    if (type == TW_PCAPNG_SECTION && !set_byte_order(ng, b))
        return tw_source_stop_at_bad_record(source);
    len = tw_pcapng_word(ng, b, 4);
    if (len < TW_PCAPNG_BLOCK_MIN || len > SKIPPED_MAX || (read && len > BLOCK_MAX))
        return tw_source_stop_at_bad_record(source);
    if (!read)
        return pass_over(source, type, TW_PCAPNG_PADDED(len));
    rc = take_block(source, len, &body);
    if (rc != TW_PCAPNG_PASSED_OVER)
        return rc;
    n_frames = source->n_frames;
    rc = read(source, body, frame);
    if (rc > 0)
        show(source, type, source->n_frames > n_frames ? source->n_frames : 0,
             tw_bytes(body.data - TW_PCAPNG_BLOCK_HEADER, body.len + TW_PCAPNG_BLOCK_MIN));
    return rc;
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    int rc;

    do
        rc = next_block(source, frame);
    while (rc == TW_PCAPNG_PASSED_OVER);
    return rc;
}

/* Packets of undescribed interfaces are skipped; the next block may be of any type. */
static bool has_next(const struct tw_source *source)
{
    const struct tw_pcapng *ng = source->state;
    struct tw_bytes b = tw_window_shown(&source->window);
    uint32_t type = tw_pcapng_word(ng, b, 0);
    uint32_t interface = type == TW_PCAPNG_ENHANCED_PACKET ? tw_pcapng_word(ng, b, 8) : 0;

    return tw_bytes_has(b, 0, TW_PCAPNG_BLOCK_MIN) &&
           (type == TW_PCAPNG_ENHANCED_PACKET || type == TW_PCAPNG_SIMPLE_PACKET) &&
           interface < ng->interfaces->len &&
           tw_bytes_has(b, 0, TW_PCAPNG_PADDED((size_t)tw_pcapng_word(ng, b, 4)));
}

/* May this block precede the first interface? */
static bool before_interfaces(struct tw_source *source)
{
    const struct tw_pcapng *ng = source->state;
    struct tw_bytes b = tw_window_need(&source->window, TW_PCAPNG_BLOCK_MIN);
    uint32_t type = tw_pcapng_word(ng, b, 0);

    return b.len >= TW_PCAPNG_BLOCK_MIN && type != TW_PCAPNG_ENHANCED_PACKET &&
           type != TW_PCAPNG_SIMPLE_PACKET && type != TW_PCAPNG_OLD_PACKET;
}

static bool refuse_section(const struct tw_source *source, struct tw_source_error *error)
{
    if (source->window.error != 0)
        return tw_source_refuse_read(source, error);
    if (tw_source_has_fact(source, TW_SOURCE_CUT_SHORT))
        return tw_source_refuse(
            error, TCPWHY_ERR_FORMAT,
            "cut short inside the pcapng section header: take the capture again");
    return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                            "its pcapng section header is damaged or of an unknown version: take "
                            "the capture again");
}

static bool open_pcapng(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_pcapng *ng = tw_new0(struct tw_pcapng, 1);
    struct tw_frame none;

    source->state = ng;
    ng->interfaces = tw_array_new(FALSE, FALSE, sizeof(struct tw_interface));
    ng->section_text = tw_string_new(NULL);
    if (next_block(source, &none) != TW_PCAPNG_PASSED_OVER)
        return refuse_section(source, error);
    while (ng->interfaces->len == 0 && before_interfaces(source) &&
           next_block(source, &none) == TW_PCAPNG_PASSED_OVER) {
    }
    if (ng->interfaces->len == 0)
        return true;
    return tw_source_check_filter(source, tw_pcapng_interface(ng, 0)->link_type, error);
}

static unsigned next_shown(struct tw_source *source, struct tw_frame *frames, unsigned most)
{
    unsigned n = 0;

    while (n < most && !source->done && has_next(source) && next(source, &frames[n]) > 0)
        n++;
    return n;
}

static void close_pcapng(struct tw_source *source)
{
    struct tw_pcapng *ng = source->state;

    tw_array_free(ng->interfaces, TRUE);
    tw_string_free(ng->section_text, TRUE);
    tw_free(ng);
}

const struct tw_format tw_format_pcapng = {
    .probe = probe,
    .open = open_pcapng,
    .next = next,
    .next_shown = next_shown,
    .close = close_pcapng,
};
