/* SPDX-License-Identifier: MIT */
/* The pcap format: a header, then records of one link type. */
#include "source/pcap.h"

#include <tcpwhy/tcpwhy.h>

#include "base/memory.h"
#include "source/internal.h"

#define NS_PER_S INT64_C(1000000000)

/* Prefetch distance: some dozens of small frames, as blocks read by another thread may be in
 * that core's cache. */
#define FETCH_AHEAD 4096
#define CACHE_LINE  64

static bool open_pcap(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_pcap *pcap = tw_new0(struct tw_pcap, 1);

    source->state = pcap;
    return tw_pcap_read_header(&source->window, pcap, error) &&
           tw_source_check_filter(source, pcap->interface.link_type, error);
}

/* Signed, as in tshark: tools that shift times may leave a negative fraction. */
static inline int64_t fraction_ns(const struct tw_pcap *pcap, uint32_t fraction)
{
    return (int64_t)(int32_t)fraction * pcap->ns_per_fraction;
}

/* The frame of the record at that address. */
static inline void fill(const struct tw_pcap *pcap, const struct tw_pcap_record *r, uint32_t number,
                        const uint8_t *bytes, struct tw_frame *frame)
{
    frame->number = number;
    frame->link_type = pcap->interface.link_type;
    frame->time_ns = r->seconds * NS_PER_S + fraction_ns(pcap, r->fraction);
    frame->original_len = r->original;
    frame->bytes = tw_bytes(bytes, r->captured);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    const struct tw_pcap *pcap = source->state;
    struct tw_bytes b = tw_window_need(&source->window, pcap->record_header);
    struct tw_pcap_record r;

    if (b.len < pcap->record_header)
        return tw_source_end(source, b.len);
    r = tw_pcap_record(pcap, b.data);
    if (r.captured > pcap->interface.max_len)
        return tw_source_stop_at_bad_record(source);
    b = tw_window_need(&source->window, pcap->record_header + r.captured);
    if (b.len < pcap->record_header + r.captured)
        return tw_source_end(source, b.len);
    tw_window_take(&source->window, pcap->record_header + r.captured);
    source->n_frames++;
    if (r.captured > MIN(r.original, pcap->interface.snap_len))
        tw_source_add_fact(source, TW_SOURCE_LEN_MISMATCH, 1);
    fill(pcap, &r, source->n_frames, b.data + pcap->record_header, frame);
    return 1;
}

/* Prefetch two cache lines, for record and frame headers. Addresses instead of pointers, as they
 * may lie beyond the end. */
static inline void fetch_ahead(const uint8_t *record)
{
    const uintptr_t ahead = (uintptr_t)record + FETCH_AHEAD;

    __builtin_prefetch((const void *)ahead);
    __builtin_prefetch((const void *)(ahead + CACHE_LINE));
}

/* Walk up to a record that is inconsistent or incomplete, which next() handles. The dialect is a
 * local copy, as frames are written meanwhile; plain: the most common dialect. */
static inline unsigned walk(struct tw_source *source, const struct tw_pcap pcap, bool plain,
                            struct tw_frame *frames, unsigned most)
{
    const uint32_t longest = MIN(pcap.interface.max_len, pcap.interface.snap_len);
    const struct tw_bytes b = tw_window_shown(&source->window);
    const uint8_t *at = b.data;
    uint32_t number = source->n_frames;
    size_t left = b.len;
    unsigned n = 0;

    for (; n < most && left >= pcap.record_header; n++) {
        struct tw_pcap_record r = plain ? tw_pcap_plain_record(at) : tw_pcap_record(&pcap, at);

        left -= pcap.record_header;
        if (r.captured > longest || r.captured > r.original || r.captured > left)
            break;
        fetch_ahead(at);
        at += pcap.record_header;
        fill(&pcap, &r, ++number, at, &frames[n]);
        at += r.captured;
        left -= r.captured;
    }
    tw_window_take(&source->window, (size_t)(at - b.data));
    source->n_frames = number;
    return n;
}

static unsigned next_shown(struct tw_source *source, struct tw_frame *frames, unsigned most)
{
    const struct tw_pcap *pcap = source->state;

    if (pcap->big_endian || pcap->lengths != TW_PCAP_CAPTURED_FIRST)
        return walk(source, *pcap, false, frames, most);
    return walk(source, *pcap, true, frames, most);
}

static void close_pcap(struct tw_source *source)
{
    tw_free(source->state);
}

const struct tw_format tw_format_pcap = { .probe = tw_pcap_probe,
                                          .open = open_pcap,
                                          .next = next,
                                          .next_shown = next_shown,
                                          .close = close_pcap };
