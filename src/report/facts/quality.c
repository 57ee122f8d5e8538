/* SPDX-License-Identifier: MIT */
#include "report/facts/quality.h"

#include "base/array.h"
#include "base/text.h"
#include "dissect/dissect.h"

/* Frames named per fact; the count continues. */
#define MAX_FRAMES TW_FLAW_FRAMES

enum fact {
    CUT_SHORT,
    BAD_RECORD,
    BAD_ARCHIVE,
    UNPACK_LIMIT,
    BAD_FILE,
    BAD_OPTION,
    NO_INTERFACE,
    NOT_FILTERED,
    FILTERED_OUT,
    DROPPED_BY_CAPTURE,
    FRAMES_MISSING,
    ONE_DIRECTION,
    DATA_ONLY,
    FILTER_TAKES,
    DUPLICATED_FRAMES,
    TWO_POINTS,
    MISPLACED_FRAMES,
    LATE_STAMPS,
    CLOCK_STEPS_BACK,
    CLOCK_LEAPS,
    CLOCK_COARSE,
    REORDERING,
    MIDSTREAM,
    OFFLOAD,
    SHORT_SNAPLEN,
    NO_TIME,
    LOCAL_TIME,
    LENGTH_MISMATCH,
    FRAGMENTS,
    FRAGMENT_OVERLAPS,
    HEADERS_CUT,
    MALFORMED,
    UNSUPPORTED,
    SPLIT,
    FORGOTTEN,
    ROWS_LEFT_OUT,
    OPENINGS_LEFT_OUT,
    ENDPOINTS_LEFT_OUT,
    FAILURES_LEFT_OUT,
    LOOKUPS_LEFT_OUT,
    N_FACTS,
};

static const struct {
    const char *name, *text;
} words[N_FACTS] = {
    [CUT_SHORT] = { "cut_short",
                    "The file ends within a record; all records before it were read." },
    [BAD_RECORD] = { "bad_record", "A record has an impossible length; reading stopped there." },
    [BAD_ARCHIVE] = { "damaged_archive", "The compressed file is damaged; everything before the "
                                         "damage was read." },
    [UNPACK_LIMIT] = { "unpack_limit",
                       "The compressed file is longer than --unpack-limit; everything "
                       "before that limit was read." },
    [BAD_FILE] = { "file_unreadable", "A file of a rotated capture could not be read; its packets "
                                      "are missing." },
    [BAD_OPTION] = { "bad_options", "Options exceed their pcapng blocks; the rest of these blocks "
                                    "was used." },
    [NO_INTERFACE] = { "no_interface", "Frames of interfaces without a description in the pcapng "
                                       "file were skipped." },
    [NOT_FILTERED] = { "not_filtered", "Frames of a link type that the filter cannot match were "
                                       "skipped." },
    [FILTERED_OUT] = { "filtered_out",
                       "The filter matches no frame. With VLAN tags, use 'vlan and FILTER'." },
    [DROPPED_BY_CAPTURE] = { "dropped_by_capture", "The capture tool reports dropped packets." },
    [FRAMES_MISSING] = { "frames_missing", "Frames missing from the capture: it lacks bytes "
                                           "that were acknowledged. No verdict across those "
                                           "gaps." },
    [ONE_DIRECTION] = { "one_direction", "Connections captured in one direction only: their "
                                         "waiting time has no cause." },
    [DATA_ONLY] = { "data_only", "Connections without pure ACKs, as a capture filter leaves them: "
                                 "waiting within a message cannot be explained." },
    [FILTER_TAKES] = { "filtered_frames",
                       "The filter removes some frames of connections that it keeps: verdicts on "
                       "them are doubtful. Filter by host or port, and hide rows with --only or "
                       "--show." },
    [DUPLICATED_FRAMES] = { "duplicated_frames",
                            "Packets captured twice; the copies are ignored." },
    [TWO_POINTS] = { "two_points",
                     "Connections captured at two points of their path: shown as seen at the point "
                     "closer to the side that sent more." },
    [MISPLACED_FRAMES] = { "misplaced_frames",
                           "Frames out of order, as with several NIC queues: reordered by their "
                           "ACK numbers." },
    [LATE_STAMPS] = { "late_stamps", "Connections whose frames of one direction have later "
                                     "timestamps than their answers: short times are unreliable." },
    [CLOCK_STEPS_BACK] = { "clock_steps_back", "Timestamps step backwards." },
    [CLOCK_LEAPS] = { "clock_leaps", "Timestamps jump forward, by more than a year or against the "
                                     "TCP timestamps of both hosts: no verdict across those "
                                     "gaps." },
    [CLOCK_COARSE] = { "clock_coarse", NULL }, /* coarse_text() */
    [REORDERING] = { "reordering", "Packets were reordered on the path: harmless unless it caused "
                                   "retransmissions" },
    [MIDSTREAM] = { "midstream", "Connections without a captured handshake: client, server and "
                                 "window scale are inferred." },
    [OFFLOAD] = { "offload", "Segments larger than the MTU: the NIC of the capture host splits or "
                             "joins them (TSO, GRO)." },
    [SHORT_SNAPLEN] = { "short_snaplen", "Payload is cut by the snap length: timing is unaffected, "
                                         "requests may lack names." },
    [NO_TIME] = { "no_time", "Records without a timestamp take that of the record before them." },
    [LOCAL_TIME] = { "local_time", "The file has the local time of the capturing system without "
                                   "its time zone; times are shown as UTC." },
    [LENGTH_MISMATCH] = { "length_mismatch", "Records with more captured bytes than their packet "
                                             "length." },
    [FRAGMENTS] = { "ip_fragments", "Incomplete IP fragments that carry TCP: the other fragments "
                                    "were not captured." },
    [FRAGMENT_OVERLAPS] = { "fragment_overlaps", "Overlapping IP fragments with different content: "
                                                 "the first was used." },
    [HEADERS_CUT] = { "headers_cut", "Frames truncated within the TCP header." },
    [MALFORMED] = { "malformed", "Frames with inconsistent headers." },
    [SPLIT] = { "memory_split", "Connections were analysed in parts because of the memory limit: "
                                "waiting across parts is unknown. Raise --memory." },
    [FORGOTTEN] = { "memory_forgotten", "Connections were dropped from memory because of the "
                                        "limit: their late frames count as new connections. Raise "
                                        "--memory." },
    [ROWS_LEFT_OUT] = { "memory_streams", "Connections that lost least are missing from the list "
                                          "of streams because of the memory limit; totals include "
                                          "them. Raise --memory." },
    [OPENINGS_LEFT_OUT] = { "memory_openings", "Client ports were counted in parts of the capture "
                                               "because of the memory limit. Raise --memory." },
    [ENDPOINTS_LEFT_OUT] = { "memory_endpoints", "The remaining listeners are shown as one because "
                                                 "of the memory limit. Raise --memory." },
    [LOOKUPS_LEFT_OUT] = { "memory_lookups", "DNS queries were left out because of the memory "
                                             "limit. Raise --memory." },
    [FAILURES_LEFT_OUT] = { "failures_left_out", "The remaining failures are counted but not "
                                                 "listed." },
    [UNSUPPORTED] = { "unsupported_link_type", "Frames of an unsupported link type." },
};

/* The named frames are those of the first streams, whatever order streams come in. */
struct evidence {
    uint32_t stream, frame;
};

struct tw_quality {
    uint64_t count[N_FACTS];
    struct evidence evidence[N_FACTS][MAX_FRAMES]; /* sorted */
    size_t n_evidence[N_FACTS];
};

/* Facts of the whole capture come after those of streams. */
#define NO_STREAM UINT32_MAX

struct tw_quality *tw_quality_new(void)
{
    return tw_new0(struct tw_quality, 1);
}

struct tw_quality *tw_quality_copy(const struct tw_quality *quality)
{
    return tw_memdup2(quality, sizeof *quality);
}

void tw_quality_free(struct tw_quality *quality)
{
    tw_free(quality);
}

static bool comes_before(const struct evidence *a, const struct evidence *b)
{
    return a->stream != b->stream ? a->stream < b->stream : a->frame < b->frame;
}

static inline void note(struct tw_quality *q, enum fact fact, uint64_t count, struct evidence e)
{
    struct evidence *all = q->evidence[fact];
    size_t at = q->n_evidence[fact];

    q->count[fact] += count;
    if (at == MAX_FRAMES && e.stream > all[MAX_FRAMES - 1].stream)
        return;
    if (!count || !e.frame || (at == MAX_FRAMES && !comes_before(&e, &all[at - 1])))
        return;
    while (at > 0 && comes_before(&e, &all[at - 1]))
        at--;
    if (q->n_evidence[fact] < MAX_FRAMES)
        q->n_evidence[fact]++;
    for (size_t i = q->n_evidence[fact] - 1; i > at; i--)
        all[i] = all[i - 1];
    all[at] = e;
}

static void note_frame(struct tw_quality *q, enum fact fact, uint64_t count, uint32_t frame)
{
    note(q, fact, count, (struct evidence) { NO_STREAM, frame });
}

/* Add the flaws that records showed, each once. */
static void add_flaws(struct tw_quality *q, uint32_t stream, const struct tw_flaws *flaws)
{
    static const enum fact facts[TW_FLAWS] = {
        [TW_FLAW_FRAMES_MISSING] = FRAMES_MISSING,
        [TW_FLAW_DUPLICATED_FRAME] = DUPLICATED_FRAMES,
        [TW_FLAW_CLOCK_STEP_BACK] = CLOCK_STEPS_BACK,
        [TW_FLAW_REORDERING] = REORDERING,
        [TW_FLAW_OFFLOAD] = OFFLOAD,
        [TW_FLAW_PAYLOAD_CUT] = SHORT_SNAPLEN,
    };

    for (int i = 0; i < TW_FLAWS; i++) {
        uint32_t named = MIN(flaws->count[i], TW_FLAW_FRAMES);

        for (uint32_t j = 0; j < named; j++)
            note(q, facts[i], 1, (struct evidence) { stream, flaws->frame[i][j] });
        q->count[facts[i]] += flaws->count[i] - named;
    }
}

/* A SYN alone is an unanswered question, not half a capture. */
static bool is_one_sided(const struct tw_connection *c)
{
    const struct tw_side *silent = &c->side[c->side[0].frames == 0 ? 0 : 1];
    const struct tw_side *heard = &c->side[c->side[0].frames == 0 ? 1 : 0];

    return silent->frames == 0 && (heard->bytes > 0 || silent->acked > 1);
}

void tw_quality_add(struct tw_quality *q, const struct tw_connection_row *conn)
{
    const struct tw_connection *c = conn->connection;
    const struct evidence e = { c->stream, c->first_frame };

    if (conn->counters.has_flaws)
        add_flaws(q, c->stream, &conn->counters.flaws);
    if (conn->n_leaps)
        note(q, CLOCK_LEAPS, conn->n_leaps, (struct evidence) { c->stream, conn->first_leap });
    if (conn->data_only)
        note(q, DATA_ONLY, 1, e);
    if (conn->log->n_filtered)
        note(q, FILTER_TAKES, conn->log->n_filtered,
             (struct evidence) { c->stream, conn->log->first_filtered });
    if (conn->log->n_elsewhere)
        note(q, TWO_POINTS, 1, e);
    if (c->misplaced)
        note(q, MISPLACED_FRAMES, c->misplaced,
             (struct evidence) { c->stream, c->first_misplaced });
    if (!conn->first)
        return;
    if (is_one_sided(c))
        note(q, ONE_DIRECTION, 1, e);
    if (tw_connection_late_ns(c) > 0)
        note(q, LATE_STAMPS, 1, e);
    if (!c->side[0].syn && !c->side[1].syn)
        note(q, MIDSTREAM, 1, e);
}

void tw_quality_bound(struct tw_quality *q, enum tw_bound bound, uint64_t count, uint32_t frame)
{
    static const enum fact facts[] = {
        [TW_BOUND_SPLIT] = SPLIT,
        [TW_BOUND_FORGOTTEN] = FORGOTTEN,
        [TW_BOUND_ROWS] = ROWS_LEFT_OUT,
        [TW_BOUND_OPENINGS] = OPENINGS_LEFT_OUT,
        [TW_BOUND_ENDPOINTS] = ENDPOINTS_LEFT_OUT,
        [TW_BOUND_FAILURES] = FAILURES_LEFT_OUT,
        [TW_BOUND_LOOKUPS] = LOOKUPS_LEFT_OUT,
    };

    note_frame(q, facts[bound], count, frame);
}

static enum fact fact_of(enum tw_source_fact_kind kind)
{
    switch (kind) {
    case TW_SOURCE_CUT_SHORT:
        return CUT_SHORT;
    case TW_SOURCE_BAD_ARCHIVE:
        return BAD_ARCHIVE;
    case TW_SOURCE_UNPACK_MAX:
        return UNPACK_LIMIT;
    case TW_SOURCE_BAD_FILE:
        return BAD_FILE;
    case TW_SOURCE_BAD_OPTION:
        return BAD_OPTION;
    case TW_SOURCE_NO_INTERFACE:
        return NO_INTERFACE;
    case TW_SOURCE_NOT_FILTERED:
        return NOT_FILTERED;
    case TW_SOURCE_NO_TIME:
        return NO_TIME;
    case TW_SOURCE_LOCAL_TIME:
        return LOCAL_TIME;
    case TW_SOURCE_DROPPED:
        return DROPPED_BY_CAPTURE;
    case TW_SOURCE_LEN_MISMATCH:
        return LENGTH_MISMATCH;
    default:
        return BAD_RECORD;
    }
}

/* A filter is meant to leave out frames, so that is reported only if no others are left. */
static void note_source(struct tw_quality *q, const struct tw_source *source, bool is_empty)
{
    size_t n = 0;
    const struct tw_source_fact *fact = tw_source_facts(source, &n);

    for (size_t i = 0; i < n; i++) {
        if (fact[i].kind != TW_SOURCE_HELD_BACK)
            note_frame(q, fact_of(fact[i].kind), fact[i].count, fact[i].frame);
        else if (is_empty)
            note_frame(q, FILTERED_OUT, fact[i].count, 0);
    }
}

/* A text in the report's memory. */
static const char *coarse_text(tcpwhy_ns step_ns, struct tcpwhy_report *report)
{
    bool seconds = step_ns >= TCPWHY_S(1);
    tcpwhy_ns tenth = seconds ? TCPWHY_MS(100) : TCPWHY_US(100);
    int64_t tenths = (step_ns + tenth / 2) / tenth;
    char *text = tw_strdup_printf("Timestamp resolution is %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT
                                  " %s: shorter times are unreliable.",
                                  tenths / 10, tenths % 10, seconds ? "s" : "ms");

    tw_ptr_array_add(report->blocks, text);
    return text;
}

void tw_quality_close(struct tw_quality *q, const struct tw_totals *t,
                      const struct tw_source *source, struct tcpwhy_report *report)
{
    struct tcpwhy_quality *facts = tw_new0(struct tcpwhy_quality, N_FACTS);
    size_t n = 0;

    note_frame(q, DROPPED_BY_CAPTURE, t->dropped, 0);
    note_frame(q, FRAGMENTS, t->fragments, t->first_fragment);
    note_frame(q, FRAGMENT_OVERLAPS, t->overlaps, t->first_overlap);
    note_frame(q, HEADERS_CUT, t->cut_short, t->first_cut_short);
    note_frame(q, MALFORMED, t->malformed, t->first_malformed);
    note_frame(q, CLOCK_COARSE, t->clock_step_ns > 0, 0);
    note_frame(q, UNSUPPORTED, t->unsupported, t->first_unsupported);
    if (source)
        note_source(q, source, t->frames == 0);
    for (int i = 0; i < N_FACTS; i++) {
        if (!q->count[i])
            continue;
        facts[n].fact = words[i].name;
        facts[n].text = i == CLOCK_COARSE ? coarse_text(t->clock_step_ns, report) : words[i].text;
        facts[n].count = q->count[i];

        uint32_t *frames = tw_new(uint32_t, MAX_FRAMES);

        for (size_t k = 0; k < q->n_evidence[i]; k++)
            frames[k] = q->evidence[i][k].frame;
        facts[n].frames = frames;
        facts[n++].n_frames = q->n_evidence[i];
        tw_ptr_array_add(report->blocks, frames);
    }
    report->capture.quality = facts;
    report->capture.n_quality = n;
    tw_ptr_array_add(report->blocks, facts);
}
