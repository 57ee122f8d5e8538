/* SPDX-License-Identifier: MIT */
/*
 * stages CAPTURE: processor seconds of each stage. The capture is read once for each of the stages
 * that look at every frame, each time with one stage more; what a pass takes longer is the stage's
 * own. What follows when a connection is over is timed by the clock.
 */
#include <stdio.h>
#include <time.h>

#include <glib.h>

#include "base/memory.h"
#include "app/app.h"
#include "dissect/defrag.h"
#include "dissect/dissect.h"
#include "dissect/fast.h"
#include "explain/explain.h"
#include "report/build.h"
#include "source/source.h"
#include "track/track.h"

enum stage { SOURCE, DISSECT, TRACK, LOG, APP, EXPLAIN, REPORT, N_STAGES };

static const char *const names[N_STAGES] = { "source", "dissect", "track", "log",
                                             "app",    "explain", "report" };

/* One reading of the capture, up to a stage. */
struct pass {
    enum stage last;
    struct tw_source *source;
    struct tw_defrag *defrag;
    struct tw_tracker *tracker;
    struct tw_traffic *traffic;
    struct tw_totals totals;
    uint64_t mixed; /* so that nothing is optimized away */
};

struct kept {
    struct tw_log *log;
    struct tw_app app;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct kept *kept_of(struct tw_connection *c)
{
    struct kept *k = c->log;

    if (k)
        return k;
    c->log = k = tw_new0(struct kept, 1);
    k->log = tw_log_new();
    return k;
}

static void keep(struct pass *p, const struct tw_tracked *t)
{
    struct kept *k = kept_of(t->connection);

    tw_log_append(k->log, t);
    if (p->last >= APP)
        tw_app_push(&k->app, t);
}

/* As the engine does. @return whether it is TCP. */
static bool dissect(struct pass *p, const struct tw_frame *frame, tcpwhy_ns at,
                    struct tw_dissection *d)
{
    if (tw_dissect_fast(frame->link_type, frame->bytes, frame->original_len, &d->segment))
        return true;
    tw_defrag_begin(p->defrag, at, frame->number);
    return tw_dissect(p->defrag, frame->link_type, frame->bytes, frame->original_len, d) ==
           TW_FRAME_TCP;
}

static void take(struct pass *p, const struct tw_frame *frame)
{
    struct tw_dissection d;
    struct tw_tracked t;
    tcpwhy_ns at = frame->time_ns - p->totals.first_ns;

    p->mixed ^= frame->bytes.len ? frame->bytes.data[frame->bytes.len / 2] : 0;
    if (p->last < DISSECT)
        return;
    tw_traffic_frame(p->traffic, at, frame->original_len);
    if (!dissect(p, frame, at, &d))
        return;
    p->mixed ^= d.segment.seq;
    if (p->last < TRACK)
        return;
    p->totals.tcp_frames++;
    tw_tracker_push(p->tracker, &d.segment, at, frame->number, &t);
    if (p->last >= LOG)
        keep(p, &t);
}

static bool open_pass(struct pass *p, const char *path, enum stage last)
{
    struct tw_source_error error;

    *p = (struct pass) { .last = last, .source = tw_source_open(path, NULL, &error) };
    if (!p->source) {
        fprintf(stderr, "stages: %s: %s\n", path, error.text);
        return false;
    }
    p->defrag = tw_defrag_new();
    p->tracker = tw_tracker_new(false);
    p->traffic = tw_traffic_new(0);
    return true;
}

static void read_all(struct pass *p)
{
    struct tw_frame frame;

    while (tw_source_next(p->source, &frame) > 0) {
        if (p->totals.frames++ == 0)
            p->totals.first_ns = frame.time_ns;
        p->totals.last_ns = frame.time_ns;
        take(p, &frame);
    }
}

static void close_pass(struct pass *p)
{
    for (struct tw_connection *c = tw_tracker_first(p->tracker); c; c = c->next) {
        struct kept *k = c->log;

        if (!k)
            continue;
        tw_log_free(k->log);
        tw_app_clear(&k->app);
        tw_free(k);
    }
    tw_traffic_free(p->traffic);
    tw_tracker_free(p->tracker);
    tw_defrag_free(p->defrag);
    tw_source_close(p->source);
}

static void tell(struct tw_builder *builder, const struct tw_connection_result *story,
                 const struct tcpwhy_options *options, struct tw_connection_findings *alone)
{
    guint listener = tw_builder_listener(builder, story->connection);
    struct tw_connection_row told;

    tw_connection_row_make(&told, story, options, alone);
    tw_builder_tell(builder, listener, &told);
    tw_connection_row_clear(&told);
}

/* Explain and report what the last pass kept. */
static void finish(struct pass *p, const char *path, double *seconds)
{
    static const struct tcpwhy_options options;
    struct tw_builder *builder = tw_builder_new(&options, p->traffic);
    struct tw_connection_findings *alone = tw_connection_findings_new(true);
    double begin = now(), end;

    for (struct tw_connection *c = tw_tracker_first(p->tracker); c; c = c->next) {
        struct kept *k = c->log;
        struct tw_exchanges exchanges = { 0 };
        struct tw_explanation explanation = { 0 };
        struct tw_connection_result story = { c, k->log, &exchanges, &explanation };

        tw_app_end(&k->app);
        tw_exchanges_build(k->log, &k->app, &exchanges);
        tw_explain(c, k->log, &exchanges, tw_connection_findings_explainer(alone), &explanation);
        end = now();
        seconds[EXPLAIN] += end - begin;
        tell(builder, &story, &options, alone);
        tw_explanation_clear(&explanation);
        tw_exchanges_clear(&exchanges);
        begin = now();
        seconds[REPORT] += begin - end;
    }
    tw_connection_findings_free(alone);
    tcpwhy_report_free(tw_builder_finish(builder, path, &p->totals, p->source));
    seconds[REPORT] += now() - begin;
}

int main(int argc, char **argv)
{
    double seconds[N_STAGES] = { 0 }, before = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: stages CAPTURE\n");
        return 2;
    }
    for (int last = SOURCE; last <= APP; last++) {
        struct pass p;
        double begin = now(), took;

        if (!open_pass(&p, argv[1], (enum stage)last))
            return 1;
        read_all(&p);
        took = now() - begin;
        seconds[last] = MAX(took - before, 0);
        before = took;
        if (last == APP)
            finish(&p, argv[1], seconds);
        close_pass(&p);
    }
    for (int i = 0; i < N_STAGES; i++)
        printf("%s %.4f\n", names[i], seconds[i]);
    return 0;
}
