/* SPDX-License-Identifier: MIT */
/* The pcap format: one header, then records of one link type until the file ends. */
#include "source/pcap.h"

#include <tcpwhy/tcpwhy.h>

#include "source/internal.h"

#define NS_PER_S INT64_C(1000000000)

/* Bytes from a record to those that the memory is asked for meanwhile: where the next one begins is
 * known when the last has come. Some dozens of small frames, since what another thread has read may
 * have to come from that one's cache; within a large frame nobody waits. */
#define FETCH_AHEAD 4096
#define CACHE_LINE  64

static bool open_pcap(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_pcap *pcap = g_new0(struct tw_pcap, 1);

    source->state = pcap;
    return tw_pcap_read_header(&source->window, pcap, error) &&
           tw_source_check_filter(source, pcap->interface.link_type, error);
}

/* Signed: a tool that shifts times may leave a negative fraction behind, and tshark takes it so. */
static inline int64_t fraction_ns(const struct tw_pcap *pcap, uint32_t fraction)
{
    return (int64_t)(int32_t)fraction * pcap->ns_per_fraction;
}

/* The frame of a record, whose bytes begin there. */
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

/* Two cache lines, as the headers of a record and of its frame take. Addresses and no pointers:
 * they may lie beyond the end. */
static inline void fetch_ahead(const uint8_t *record)
{
    const uintptr_t ahead = (uintptr_t)record + FETCH_AHEAD;

    __builtin_prefetch((const void *)ahead);
    __builtin_prefetch((const void *)(ahead + CACHE_LINE));
}

/* Up to a record with lengths that contradict each other or that is not whole, with which next()
 * knows what to do. The dialect stands in a copy, as frames are written meanwhile; plain: it is the
 * one that nearly all files are in. */
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
    g_free(source->state);
}

const struct tw_format tw_format_pcap = { .probe = tw_pcap_probe,
                                          .open = open_pcap,
                                          .next = next,
                                          .next_shown = next_shown,
                                          .close = close_pcap };
