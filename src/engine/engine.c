/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <string.h>

#include <glib.h>

#include "app/follow.h"
#include "dissect/defrag.h"
#include "dissect/dissect.h"
#include "engine/selection.h"
#include "explain/explain.h"
#include "track/track.h"

/* What the stages after the tracker keep of a connection. */
struct attached {
    struct tw_log *log;
    struct tw_app *app;
    struct tw_follow *follow;
};

struct tw_engine {
    struct tcpwhy_options options;
    struct tw_selection selection;
    struct tw_defrag *defrag;
    struct tw_tracker *tracker;
    struct tw_totals totals;
    struct tw_traffic *traffic;
    tw_watch_fn *watch; /* or NULL */
    void *watcher;
    bool started; /* a frame with a time was seen */
    bool stopped; /* a callback said so */
};

struct tw_engine *tw_engine_new(const struct tcpwhy_options *options, char *error)
{
    struct tw_engine *engine = g_new0(struct tw_engine, 1);

    engine->options = *options;
    if (!tw_selection_parse(&engine->selection, engine->options.streams)) {
        if (error)
            g_snprintf(error, TCPWHY_ERROR_TEXT,
                       "\"%.100s\" is no list of streams: write 3, or 0,4-7",
                       engine->options.streams);
        g_free(engine);
        return NULL;
    }
    engine->defrag = tw_defrag_new();
    engine->tracker = tw_tracker_new(engine->options.wireshark);
    engine->traffic = tw_traffic_new(engine->options.interval_ns);
    return engine;
}

void tw_engine_watch(struct tw_engine *engine, tw_watch_fn *watch, void *user)
{
    engine->watch = watch;
    engine->watcher = user;
}

void tw_engine_dropped(struct tw_engine *engine, uint64_t packets)
{
    engine->totals.dropped = packets;
}

static void free_attached(struct attached *a)
{
    if (!a)
        return;
    tw_log_free(a->log);
    tw_app_free(a->app);
    tw_follow_free(a->follow);
    g_free(a);
}

void tw_engine_free(struct tw_engine *engine)
{
    if (!engine)
        return;
    for (uint32_t i = 0; i < tw_tracker_n_connections(engine->tracker); i++)
        free_attached(tw_tracker_connection(engine->tracker, i)->log);
    tw_tracker_free(engine->tracker);
    tw_traffic_free(engine->traffic);
    tw_defrag_free(engine->defrag);
    tw_selection_clear(&engine->selection);
    g_free(engine);
}

static struct attached *attach(struct tw_engine *engine, struct tw_connection *c)
{
    struct attached *a = g_new0(struct attached, 1);

    a->log = tw_log_new();
    a->app = tw_app_new();
    if (engine->options.on_follow)
        a->follow = tw_follow_new(engine->options.on_follow, engine->options.user);
    c->log = a;
    return a;
}

static bool tell_segment(const struct tw_engine *engine, const struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;
    struct tcpwhy_segment view = {
        .frame = t->frame,
        .time_ns = engine->totals.first_ns + t->time_ns,
        .relative_ns = t->time_ns,
        .stream = t->connection->stream,
        .from = t->from,
        .source = tw_tuple_endpoint(&s->tuple, 0),
        .destination = tw_tuple_endpoint(&s->tuple, 1),
        .flags = s->flags,
        .seq = t->seq,
        .ack = t->ack,
        .len = s->len,
        .window_bytes = t->window_bytes,
        .window_raw = s->window,
        .frame_class = t->frame_class,
        .wireshark = t->wireshark,
    };

    return engine->options.on_segment(engine->options.user, &view);
}

static void take_segment(struct tw_engine *engine, const struct tw_segment *segment, tcpwhy_ns now,
                         uint32_t frame)
{
    struct tw_tracked tracked;

    engine->totals.tcp_frames++;
    tw_tracker_push(engine->tracker, segment, now, frame, &tracked);
    if (engine->watch)
        engine->watch(engine->watcher, tracked.connection->stream, frame);
    if (!tw_selection_has(&engine->selection, tracked.connection->stream))
        return;

    struct attached *a = tracked.connection->log;

    if (!a)
        a = attach(engine, tracked.connection);
    tw_log_append(a->log, &tracked);
    tw_app_push(a->app, &tracked);
    if (engine->options.on_segment && !tell_segment(engine, &tracked))
        engine->stopped = true;
    if (a->follow && !engine->stopped && !tw_follow_push(a->follow, &tracked))
        engine->stopped = true;
}

/* An ICMP error belongs to the connection whose segment it quotes; the quote's source is told. */
static void take_icmp(struct tw_engine *engine, const struct tw_dissection *d, tcpwhy_ns now,
                      uint32_t frame)
{
    struct tw_connection *c = tw_tracker_find(engine->tracker, &d->segment.tuple);

    if (c && engine->watch)
        engine->watch(engine->watcher, c->stream, frame);
    if (!c || !c->log)
        return;

    struct attached *a = c->log;
    bool by_client = memcmp(c->tuple.address[0], d->segment.tuple.address[0], 16) == 0 &&
                     c->tuple.port[0] == d->segment.tuple.port[0];
    struct tw_log_icmp icmp = {
        .time_ns = now,
        .frame = frame,
        .kind = d->icmp,
        .code = d->icmp_code,
        .mtu = d->icmp_mtu,
        .to = by_client ? TCPWHY_CLIENT : TCPWHY_SERVER,
    };

    tw_log_append_icmp(a->log, &icmp);
}

static void count(uint64_t *n, uint32_t *first, uint32_t frame)
{
    if ((*n)++ == 0)
        *first = frame;
}

/* 146 years either way: more than a savefile's 32-bit seconds span, and differences still fit. */
#define TIME_REACH (INT64_MAX / 2)

/* Time of the frame since the capture's first; a frame without one stands where the last stood. */
static tcpwhy_ns relative_time(struct tw_engine *engine, int64_t time_ns)
{
    struct tw_totals *totals = &engine->totals;
    tcpwhy_ns since;

    if (time_ns == TCPWHY_NS_UNKNOWN)
        time_ns = engine->started ? totals->last_ns : 0;
    if (!engine->started)
        totals->first_ns = time_ns;
    engine->started = true;
    if (__builtin_sub_overflow(time_ns, totals->first_ns, &since))
        since = time_ns > 0 ? TIME_REACH : -TIME_REACH;
    since = CLAMP(since, -TIME_REACH, TIME_REACH);
    totals->last_ns = totals->first_ns + since;
    return since;
}

bool tw_engine_push(struct tw_engine *engine, const struct tw_frame *frame)
{
    struct tw_totals *totals = &engine->totals;
    struct tw_dissection dissection;
    tcpwhy_ns now = relative_time(engine, frame->time_ns);

    totals->frames++;
    totals->bytes += frame->original_len;
    tw_traffic_frame(engine->traffic, now, frame->original_len);
    tw_defrag_begin(engine->defrag, now, frame->number);
    switch (tw_dissect(engine->defrag, frame->link_type, frame->bytes, frame->original_len,
                       &dissection)) {
    case TW_FRAME_TCP:
        take_segment(engine, &dissection.segment, now, frame->number);
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
    case TW_FRAME_FRAGMENT:
    case TW_FRAME_OTHER:
        break;
    }
    return !engine->stopped;
}

/* Explain one connection as it stands, and hand its story to the report. */
static bool tell_story(struct tw_builder *builder, const struct tw_connection *c,
                       struct tw_exchanges *exchanges, struct tw_log **log)
{
    struct tw_explanation explanation = { 0 };
    struct tw_story story = { c, *log, exchanges, &explanation };
    bool goes_on;

    tw_explain(c, *log, exchanges, &explanation);
    goes_on = tw_builder_add(builder, &story);
    *log = story.log;
    tw_explanation_clear(&explanation);
    tw_exchanges_clear(exchanges);
    return goes_on;
}

/* The connection is over. @return false when a callback asked to stop. */
static bool tell_end(struct tw_builder *builder, struct tw_connection *c)
{
    struct attached *a = c->log;
    struct tw_exchanges exchanges = { 0 };
    bool goes_on;

    tw_exchanges_build(a->log, a->app, &exchanges);
    goes_on = tell_story(builder, c, &exchanges, &a->log);
    free_attached(a);
    c->log = NULL;
    return goes_on;
}

static void tell_so_far(struct tw_builder *builder, const struct tw_connection *c, bool keep_log)
{
    const struct attached *a = c->log;
    struct tw_log *log = keep_log ? tw_log_copy(a->log) : a->log;
    struct tw_exchanges exchanges = { 0 };

    tw_exchanges_peek(log, a->app, &exchanges);
    tell_story(builder, c, &exchanges, &log);
}

static struct tw_totals close_totals(const struct tw_engine *engine)
{
    struct tw_defrag_facts facts = tw_defrag_facts(engine->defrag);
    struct tw_totals totals = engine->totals;

    totals.fragments = facts.incomplete;
    totals.first_fragment = facts.first_incomplete;
    totals.overlaps = facts.overlaps;
    totals.first_overlap = facts.first_overlap;
    return totals;
}

tcpwhy_report *tw_engine_snapshot(const struct tw_engine *engine)
{
    struct tcpwhy_options options = engine->options;
    struct tw_traffic *traffic = tw_traffic_copy(engine->traffic);
    struct tw_totals totals = close_totals(engine);
    tcpwhy_report *report;
    struct tw_builder *builder;

    options.on_stream = NULL;
    options.on_finding = NULL;
    builder = tw_builder_new(&options, traffic);
    for (uint32_t i = 0; i < tw_tracker_n_connections(engine->tracker); i++) {
        const struct tw_connection *c = tw_tracker_connection(engine->tracker, i);

        if (c->log)
            tell_so_far(builder, c, options.keep_spans);
    }
    report = tw_builder_finish(builder, "", &totals, NULL);
    tw_traffic_free(traffic);
    return report;
}

tcpwhy_report *tw_engine_finish(struct tw_engine *engine, const char *file,
                                const struct tw_source *source)
{
    struct tw_builder *builder = tw_builder_new(&engine->options, engine->traffic);
    struct tw_totals totals = close_totals(engine);
    tcpwhy_report *report;

    for (uint32_t i = 0; i < tw_tracker_n_connections(engine->tracker) && !engine->stopped; i++) {
        struct tw_connection *c = tw_tracker_connection(engine->tracker, i);

        if (c->log && !tell_end(builder, c))
            engine->stopped = true;
    }
    report = tw_builder_finish(builder, file, &totals, source);
    if (!engine->stopped)
        return report;
    tcpwhy_report_free(report);
    return NULL;
}
