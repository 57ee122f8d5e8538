/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <string.h>

#include <glib.h>

#include "app/plain.h"
#include "base/clock_step.h"
#include "base/memory.h"
#include "base/options.h"
#include "dissect/checksum.h"
#include "dissect/defrag.h"
#include "dissect/dissect.h"
#include "dissect/fast.h"
#include "engine/prefetch.h"
#include "engine/capture_time.h"
#include "engine/connection_lifetime.h"
#include "engine/incidents.h"
#include "engine/rejected.h"
#include "engine/resequencer.h"
#include "engine/selection.h"
#include "names/names.h"
#include "report/facts/udp_flows.h"
#include "track/track.h"

#define DEFAULT_MEMORY (UINT64_C(2) << 30)
/* Share of the memory bound for traffic over time. */
#define TRAFFIC_SHARE 64
/* ... and for five-tuples that a filter rejects. */
#define REJECTED_SHARE 64
/* ... and for UDP flows. */
#define UDP_SHARE 64
/* ... and for what comes before SYNs: DNS, ARP, NDP. */
#define NAMES_SHARE 64

/* Larger segments have been joined by a card, which leaves one of their sums. */
#define MOST_SUMMED 2048
/* Minimum for the program itself. */
#define LEAST_MEMORY (UINT64_C(16) << 20)

/* The caller sets these before the first frame. */
struct asked {
    struct tcpwhy_options options;
    struct tw_selection selection;
    tw_watch_fn *watch; /* or NULL */
    void *watcher;
};

/* The engine counts these for each frame, whatever is in it. */
struct counted {
    struct tw_totals totals;
    struct tw_clock_step clock;
    struct tw_traffic *traffic;
};

/* Frames without TCP feed these; each is NULL until the first such frame. */
struct beside {
    struct tw_udp_flows *udp;
    struct tw_names *names;       /* of DNS, ARP or NDP */
    struct tw_rejected *rejected; /* by the filter */
};

struct tw_engine {
    struct asked asked;
    struct counted counted;
    struct beside beside;
    /* The stages, each of which writes its own. */
    struct tw_defrag *defrag;
    struct tw_prefetch prefetch;
    struct tw_tracker *tracker;
    struct tw_resequencer order;
    struct tw_lifetimes *lifetimes;
    struct tw_worker_pool *pool;
    struct tw_builder *builder;
    /* Segments change these. */
    bool told;       /* someone is told of each: a callback, a watcher, or the names */
    bool sums_wrong; /* of a segment that was looked at */
    bool stopped;    /* by a callback */
};

/* Process a segment that need not wait, or no longer. @return false if a callback asked to stop. */
static bool take_now(void *user, const struct tw_prefetch_segment *a);

struct tw_engine *tw_engine_new(const struct tcpwhy_options *options, struct tw_source_error *error)
{
    const struct tcpwhy_callbacks *callbacks = tw_callbacks(options);
    struct tw_engine *engine = tw_new0(struct tw_engine, 1);

    engine->asked.options = *options;
    if (!tw_selection_parse(&engine->asked.selection, engine->asked.options.streams)) {
        tw_source_refuse(error, TCPWHY_ERR_ARGUMENT,
                         "\"%.100s\" is no list of streams: write 3, or 0,4-7",
                         engine->asked.options.streams);
        tw_free(engine);
        return NULL;
    }
    engine->defrag = tw_defrag_new();
    engine->told = callbacks->on_segment || callbacks->on_follow || callbacks->on_incident;
    engine->tracker = tw_tracker_new(engine->asked.options.wireshark);
    engine->counted.traffic = tw_traffic_new(engine->asked.options.interval_ns);
    if (engine->asked.options.memory_bytes == 0)
        engine->asked.options.memory_bytes = DEFAULT_MEMORY;
    engine->asked.options.memory_bytes = MAX(engine->asked.options.memory_bytes, LEAST_MEMORY);
    tw_traffic_bound(engine->counted.traffic, engine->asked.options.memory_bytes / TRAFFIC_SHARE);
    engine->builder = tw_builder_new(&engine->asked.options, engine->counted.traffic);
    engine->pool = tw_worker_pool_new(&engine->asked.options, engine->builder);
    engine->lifetimes =
        tw_lifetimes_new(&engine->asked.options, engine->tracker, &engine->counted.clock,
                         &engine->counted.totals.first_ns, engine->builder, engine->pool);
    /* Wireshark's labels, and its follow, use the file's order. */
    tw_tracker_set_patient(engine->tracker,
                           !engine->asked.options.wireshark && !callbacks->on_follow);
    tw_resequencer_init(&engine->order, engine->tracker, take_now, engine);
    return engine;
}

void tw_engine_watch(struct tw_engine *engine, tw_watch_fn *watch, void *user)
{
    engine->asked.watch = watch;
    engine->asked.watcher = user;
    engine->told = true;
    tw_tracker_set_patient(engine->tracker, false);
}

void tw_engine_use_keys(struct tw_engine *engine, const struct tw_tls_keys *keys)
{
    tw_lifetimes_use_keys(engine->lifetimes, keys);
}

void tw_engine_read_on(struct tw_engine *engine, struct tw_read_ahead *prefetch)
{
    tw_worker_pool_read_on(engine->pool, prefetch);
}

void tw_engine_dropped(struct tw_engine *engine, uint64_t packets)
{
    engine->counted.totals.dropped = packets;
}

void tw_engine_free(struct tw_engine *engine)
{
    if (!engine)
        return;
    /* Logs in progress return their records to it. */
    tw_resequencer_clear(&engine->order);
    tw_worker_pool_free(engine->pool);
    tw_lifetimes_free(engine->lifetimes);
    tw_builder_free(engine->builder);
    tw_rejected_free(engine->beside.rejected);
    tw_udp_flows_free(engine->beside.udp);
    tw_names_free(engine->beside.names);
    tw_tracker_free(engine->tracker);
    tw_traffic_free(engine->counted.traffic);
    tw_defrag_free(engine->defrag);
    tw_selection_clear(&engine->asked.selection);
    tw_free(engine);
}

static bool tell_segment(const struct tw_engine *engine, const struct tw_tracked *t)
{
    const struct tcpwhy_callbacks *callbacks = engine->asked.options.callbacks;
    const struct tw_segment *s = t->segment;
    struct tcpwhy_segment view = {
        .frame = t->frame,
        .time_ns = engine->counted.totals.first_ns + t->time_ns,
        .relative_ns = t->time_ns,
        .stream = t->connection->stream,
        .from = t->from,
        .source = tw_tuple_endpoint(&s->tuple, 0),
        .destination = tw_tuple_endpoint(&s->tuple, 1),
        .flags = s->flags,
        .seq = t->seq,
        .ack = t->ack,
        .len = s->len,
        .window_bytes = MAX(t->window_bytes, TW_WINDOW_UNKNOWN),
        .window_raw = s->window,
        .frame_class = t->frame_class,
        .wireshark = t->wireshark,
        .ip_id = s->ip_id,
        .ttl = s->ttl,
        .wscale = s->options & TW_OPT_WSCALE ? (int8_t)MIN(s->wscale, INT8_MAX) : -1,
        .mss = s->options & TW_OPT_MSS ? s->mss : 0,
        .sack_permitted = s->options & TW_OPT_SACK_PERMITTED,
        .timestamps = s->options & TW_OPT_TIMESTAMP,
        .tsval = s->options & TW_OPT_TIMESTAMP ? s->tsval : 0,
        .tsecr = s->options & TW_OPT_TIMESTAMP ? s->tsecr : 0,
        .n_sack = t->n_sack,
    };

    memcpy(view.sack, t->sack, t->n_sack * sizeof(view.sack[0]));
    return callbacks->on_segment(callbacks->user, &view);
}

static struct tw_names *names_of(struct tw_engine *engine)
{
    if (!engine->beside.names)
        engine->beside.names = tw_names_new(engine->asked.options.memory_bytes / NAMES_SHARE);
    return engine->beside.names;
}

static bool is_dns(const struct tw_tuple *t)
{
    return t->port[0] == TW_DNS_PORT || t->port[1] == TW_DNS_PORT;
}

/* @return false if a callback asked to stop. */
__attribute__((noinline)) static bool tell(struct tw_engine *engine, struct tw_life *life,
                                           const struct tw_tracked *t)
{
    if (engine->beside.names && is_dns(&t->segment->tuple))
        tw_names_take_stream(engine->beside.names, t->segment, t->connection->stream, t->from,
                             t->time_ns, t->frame);
    if (engine->asked.watch)
        engine->asked.watch(engine->asked.watcher, t->connection->stream, t->frame);
    if (!life->log)
        return true;
    if (tw_callbacks(&engine->asked.options)->on_segment && !tell_segment(engine, t))
        return false;
    if (life->app.plain_sink && life->app.plain_sink->stopped)
        return false;
    if (tw_callbacks(&engine->asked.options)->on_incident &&
        !tw_incidents_see(engine->lifetimes, life))
        return false;
    return !life->follow || tw_follow_push(life->follow, t);
}

__attribute__((noinline)) static void begin_life(struct tw_engine *engine,
                                                 const struct tw_tracked *t)
{
    bool wanted = tw_selection_has(&engine->asked.selection, t->connection->stream);

    tw_lifetimes_begin(engine->lifetimes, t, wanted);
    tw_rejected_begin(engine->beside.rejected, t->connection);
    if (is_dns(&t->segment->tuple)) {
        names_of(engine);
        engine->told = true;
    }
    if (engine->beside.names && (t->segment->flags & (TW_SYN | TW_ACK)) == TW_SYN)
        tw_names_join(engine->beside.names, &t->connection->tuple, t->connection->stream,
                      t->time_ns, t->frame, wanted);
}

/* Of which segments is the checksum looked at? Of all once one was wrong; before, of SYNs, and of
 * connections that repair something: a sum over each payload would take as long as all the rest. */
static inline bool asks_sum(const struct tw_engine *engine, const struct tw_tracked *t)
{
    return t->segment->flags & TW_SYN || t->segment->facts & TW_SEG_OUTER_SUM ||
           t->connection->doubtful || engine->sums_wrong;
}

/* A card that sums up what its host sends leaves no sum to check; one that joins segments neither.
 */
static void note_sum(struct tw_engine *engine, struct tw_life *life, const struct tw_tracked *t)
{
    const struct tw_side *own = &t->connection->side[t->from];
    const struct tw_segment *s = t->segment;
    bool outer = s->facts & TW_SEG_OUTER_SUM;

    if (!life->log ||
        (!outer && (own->sums & (TW_SUM_BEGUN_BARE | TW_SUM_BEGUN_DATA) ||
                    s->len + TW_TCP_HEADER > MOST_SUMMED || !tw_checksum_is_wrong(s))))
        return;
    engine->sums_wrong = true;
    tw_log_append_sum(life->log, t->frame, outer);
}

/* @return false if a callback asked to stop. */
static inline bool take_segment(struct tw_engine *engine, const struct tw_prefetch_segment *a)
{
    struct tw_tracked tracked;
    struct tw_life *life;
    bool grows;

    if (!tw_resequencer_is_empty(&engine->order) && tw_resequencer_keeps(&engine->order, a))
        return !engine->order.stopped;
    if (G_UNLIKELY(!tw_tracker_push_hashed(engine->tracker, &a->segment, a->hash, a->now, a->frame,
                                           &tracked)))
        return tw_resequencer_hold(&engine->order, a);
    /* Computed instead of loaded from the connection, which may not be in the cache yet. */
    life = tw_connection_room(tracked.connection);
    if (G_UNLIKELY(!tracked.connection->log))
        begin_life(engine, &tracked);
    grows = life->log && tw_life_log(life, &tracked);
    if (G_UNLIKELY(asks_sum(engine, &tracked)))
        note_sum(engine, life, &tracked);
    if (G_UNLIKELY(engine->told) && !tell(engine, life, &tracked))
        return false;
    return tw_lifetimes_go_on(engine->lifetimes, life, &tracked, grows);
}

/* The whole path of a segment in one place, for the compiler to inline, except rare cases, which
 * would take registers. @return false if a callback asked to stop. */
__attribute__((noinline)) static bool take_some(struct tw_engine *engine,
                                                const struct tw_prefetch_segment *a,
                                                const struct tw_prefetch_segment *end)
{
    for (; a < end; a++)
        if (!take_segment(engine, a))
            return false;
    return true;
}

static bool take_now(void *user, const struct tw_prefetch_segment *a)
{
    struct tw_engine *engine = user;
    bool go_on;

    tw_tracker_set_patient(engine->tracker, false);
    go_on = take_some(engine, a, a + 1);
    tw_tracker_set_patient(engine->tracker, true);
    return go_on;
}

/* Track the batch that was read ahead. */
static void take_ahead(struct tw_engine *engine)
{
    struct tw_prefetch *prefetch = &engine->prefetch;

    engine->counted.totals.tcp_frames += prefetch->n;
    if (!take_some(engine, prefetch->of, prefetch->of + prefetch->n))
        engine->stopped = true;
    prefetch->n = 0;
}

/* An ICMP error belongs to the connection of the quoted segment; it is reported to the quoted
 * source. */
static void take_icmp(struct tw_engine *engine, const struct tw_dissection *d, tcpwhy_ns now,
                      uint32_t frame)
{
    struct tw_connection *c = tw_tracker_find(engine->tracker, &d->segment.tuple);

    if (c && engine->asked.watch)
        engine->asked.watch(engine->asked.watcher, c->stream, frame);
    struct tw_life *life = c ? c->log : NULL;
    bool by_client;

    if (!life || !life->log)
        return;
    by_client = memcmp(c->tuple.address[0], d->segment.tuple.address[0], 16) == 0 &&
                c->tuple.port[0] == d->segment.tuple.port[0];
    struct tw_log_icmp icmp = {
        .time_ns = now,
        .frame = frame,
        .kind = d->icmp,
        .code = d->icmp_code,
        .mtu = d->icmp_mtu,
        .to = by_client ? TCPWHY_CLIENT : TCPWHY_SERVER,
        .quoted_id = d->segment.ip_id,
    };

    memcpy(icmp.from, d->icmp_from, sizeof icmp.from);
    tw_log_append_icmp(life->log, &icmp);
}

static void count(uint64_t *n, uint32_t *first, uint32_t frame)
{
    if ((*n)++ == 0)
        *first = frame;
}

static tcpwhy_ns begin_frame(struct tw_engine *engine, const struct tw_frame *frame)
{
    tcpwhy_ns now = tw_capture_time(&engine->counted.totals, frame->time_ns);

    engine->counted.totals.frames++;
    engine->counted.totals.bytes += frame->original_len;
    engine->counted.totals.latest_ns = MAX(engine->counted.totals.latest_ns, now);
    if (!engine->counted.clock.fine)
        tw_clock_step_look(&engine->counted.clock, now);
    tw_traffic_frame(engine->counted.traffic, now, frame->original_len);
    return now;
}

/* The batch between two times. */
static void count_ahead(struct tw_engine *engine, const struct tw_frame *frames, tcpwhy_ns from,
                        tcpwhy_ns to, uint64_t bytes)
{
    const struct tw_prefetch *prefetch = &engine->prefetch;

    engine->counted.totals.frames += prefetch->n;
    engine->counted.totals.bytes += bytes;
    engine->counted.totals.latest_ns = MAX(engine->counted.totals.latest_ns, to);
    for (unsigned i = 0; i < prefetch->n && !engine->counted.clock.fine; i++)
        tw_clock_step_look(&engine->counted.clock, prefetch->of[i].now);
    if (tw_traffic_frames(engine->counted.traffic, from, to, prefetch->n, bytes))
        return;
    for (unsigned i = 0; i < prefetch->n; i++)
        tw_traffic_frame(engine->counted.traffic, prefetch->of[i].now, frames[i].original_len);
}

/* Read the next ones that take the fast path, while there is room. @return their number. */
static unsigned read_ahead(struct tw_engine *engine, const struct tw_frame *frames, unsigned n)
{
    struct tw_prefetch *prefetch = &engine->prefetch;
    tcpwhy_ns from = INT64_MAX, to = INT64_MIN;
    unsigned most = MIN(n, TW_PREFETCH_MAX), i;
    uint64_t bytes = 0;

    for (i = 0; i < most; i++) {
        const struct tw_frame *frame = &frames[i];
        struct tw_prefetch_segment *next = &prefetch->of[i];

        if (!tw_dissect_fast(frame->link_type, frame->bytes, frame->original_len, &next->segment))
            break;
        next->hash = tw_tracker_hash(engine->tracker, &next->segment.tuple);
        tw_prefetch_note(prefetch, engine->tracker, next->hash);
        next->now = tw_capture_time(&engine->counted.totals, frame->time_ns);
        next->frame = frame->number;
        from = MIN(from, next->now);
        to = MAX(to, next->now);
        bytes += frame->original_len;
    }
    prefetch->n = i;
    if (i > 0)
        count_ahead(engine, frames, from, to, bytes);
    return i;
}

/* A segment beside those that were read ahead. */
static void take_tcp(struct tw_engine *engine, const struct tw_segment *segment, tcpwhy_ns now,
                     uint32_t frame)
{
    engine->prefetch.of[0] = (struct tw_prefetch_segment) {
        .segment = *segment,
        .hash = tw_tracker_hash(engine->tracker, &segment->tuple),
        .now = now,
        .frame = frame,
    };
    engine->prefetch.n = 1;
    take_ahead(engine);
}

/* A frame that takes the general path, or is not TCP. */
static void take_frame(struct tw_engine *engine, const struct tw_frame *frame)
{
    struct tw_totals *totals = &engine->counted.totals;
    tcpwhy_ns now = begin_frame(engine, frame);
    struct tw_dissection dissection;

    tw_defrag_begin(engine->defrag, now, frame->number);
    switch (tw_dissect(engine->defrag, frame->link_type, frame->bytes, frame->original_len,
                       &dissection)) {
    case TW_FRAME_TCP:
        take_tcp(engine, &dissection.segment, now, frame->number);
        break;
    case TW_FRAME_ICMP:
        take_icmp(engine, &dissection, now, frame->number);
        break;
    case TW_FRAME_CUT_SHORT:
        count(&totals->cut_short, &totals->first_cut_short, frame->number);
        break;
    case TW_FRAME_MALFORMED:
        count(&totals->malformed, &totals->first_malformed, frame->number);
        break;
    case TW_FRAME_UNSUPPORTED:
        count(&totals->unsupported, &totals->first_unsupported, frame->number);
        break;
    case TW_FRAME_UDP:
        if (dissection.segment.facts & TW_SEG_QUOTED) {
            if (is_dns(&dissection.segment.tuple))
                tw_names_take_icmp(names_of(engine), &dissection, now, frame->number);
            break;
        }
        if (!engine->beside.udp)
            engine->beside.udp = tw_udp_flows_new(engine->asked.options.memory_bytes / UDP_SHARE);
        tw_udp_flows_take(engine->beside.udp, &dissection.segment, now, frame->number);
        if (is_dns(&dissection.segment.tuple))
            tw_names_take(names_of(engine), &dissection.segment, now, frame->number);
        break;
    case TW_FRAME_NEIGHBOUR:
        tw_names_take_neighbour(names_of(engine), &dissection, now, frame->number);
        break;
    case TW_FRAME_FRAGMENT:
    case TW_FRAME_OTHER:
        tw_tracker_see_other(engine->tracker, &dissection.segment);
        break;
    }
}

bool tw_engine_push_some(struct tw_engine *engine, const struct tw_frame *frames, unsigned n)
{
    tw_capture_time_begin(&engine->counted.totals, frames, n);
    for (unsigned i = 0; i < n && !engine->stopped;) {
        unsigned waiting = read_ahead(engine, frames + i, n - i);

        if (waiting > 0) {
            tw_prefetch_load(&engine->prefetch, engine->tracker);
            take_ahead(engine);
        } else {
            take_frame(engine, &frames[i]);
        }
        i += MAX(waiting, 1);
    }
    return !engine->stopped;
}

bool tw_engine_push(struct tw_engine *engine, const struct tw_frame *frame)
{
    return tw_engine_push_some(engine, frame, 1);
}

bool tw_engine_push_segment(struct tw_engine *engine, const struct tw_frame *frame,
                            const struct tw_segment *segment)
{
    tw_capture_time_begin(&engine->counted.totals, frame, 1);
    if (!engine->stopped)
        take_tcp(engine, segment, begin_frame(engine, frame), frame->number);
    return !engine->stopped;
}

void tw_engine_reject(struct tw_engine *engine, const struct tw_frame *frame)
{
    if (!engine->beside.rejected)
        engine->beside.rejected =
            tw_rejected_new(engine->tracker, engine->asked.options.memory_bytes / REJECTED_SHARE);
    tw_rejected_take(engine->beside.rejected, frame);
}

static struct tw_totals close_totals(const struct tw_engine *engine)
{
    struct tw_defrag_facts facts = tw_defrag_facts(engine->defrag);
    struct tw_totals totals = engine->counted.totals;

    totals.fragments = facts.incomplete;
    totals.first_fragment = facts.first_incomplete;
    totals.overlaps = facts.overlaps;
    totals.first_overlap = facts.first_overlap;
    totals.udp = engine->beside.udp;
    totals.names = engine->beside.names;
    totals.clock_step_ns = tw_clock_step_ns(&engine->counted.clock);
    return totals;
}

void tw_engine_settle(struct tw_engine *engine)
{
    if (!tw_lifetimes_submit_ended(engine->lifetimes))
        engine->stopped = true;
}

tcpwhy_report *tw_engine_snapshot(const struct tw_engine *engine)
{
    struct tcpwhy_options options = engine->asked.options;
    struct tw_totals totals = close_totals(engine);
    struct tw_traffic *traffic;
    struct tw_builder *builder;
    tcpwhy_report *report;

    traffic = tw_traffic_copy(engine->counted.traffic);
    options.callbacks = NULL;
    builder = tw_builder_copy(engine->builder, &options, traffic);
    tw_lifetimes_peek(engine->lifetimes, &options, builder);
    report = tw_builder_finish(builder, "", &totals, NULL);
    tw_traffic_free(traffic);
    return report;
}

tcpwhy_report *tw_engine_connection(struct tw_engine *engine, const struct tw_tuple *tuple)
{
    struct tw_connection *c = tw_tracker_find(engine->tracker, tuple);
    struct tcpwhy_options options = engine->asked.options;
    struct tw_totals totals = close_totals(engine);
    struct tw_traffic *traffic;
    struct tw_builder *builder;
    tcpwhy_report *report = NULL;

    if (!c)
        return NULL;
    options.callbacks = NULL;
    totals.udp = NULL;
    traffic = tw_traffic_new(options.interval_ns);
    builder = tw_builder_new(&options, traffic);
    if (tw_lifetimes_peek_one(engine->lifetimes, c, &options, builder))
        report = tw_builder_finish(builder, "", &totals, NULL);
    else
        tw_builder_free(builder);
    tw_traffic_free(traffic);
    return report;
}

tcpwhy_report *tw_engine_finish(struct tw_engine *engine, const char *file,
                                const struct tw_source *source)
{
    struct tw_totals totals = close_totals(engine);
    struct tw_builder *builder = engine->builder;

    if (!engine->stopped)
        tw_resequencer_end(&engine->order);
    if (engine->stopped || engine->order.stopped || !tw_lifetimes_end_all(engine->lifetimes))
        return NULL;
    engine->builder = NULL;
    return tw_builder_finish(builder, file, &totals, source);
}
