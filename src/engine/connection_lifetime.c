/* SPDX-License-Identifier: MIT */
#include "engine/connection_lifetime.h"

#include <string.h>

#include "app/plain.h"
#include "base/memory.h"
#include "base/options.h"
#include "engine/connection_lifetime_internal.h"
#include "engine/incidents.h"
#include "engine/prefetch.h"

/* After FIN or RST, frames may still arrive for as long as Linux keeps TIME_WAIT
 * (TCP_TIMEWAIT_LEN, include/net/tcp.h), during which it also retransmits FINs. */
#define QUIET_NS TCPWHY_S(60)

/* Limit for closed connections that wait for late frames. A busy server has this much at once (a
 * quarter of a million frames); more would wait in vain. */
#define WAITING_BYTES (16u << 20)

/* The first frames of a connection allocate for later ones. */
#define FEW_FRAMES 16

/* A report row with its attachments. */
#define ROW_BYTES 1024

struct tw_lifetimes *tw_lifetimes_new(const struct tcpwhy_options *options,
                                      struct tw_tracker *tracker, const struct tw_clock_step *clock,
                                      const int64_t *epoch_ns, struct tw_builder *builder,
                                      struct tw_worker_pool *pool)
{
    struct tw_lifetimes *lifetimes = tw_new0(struct tw_lifetimes, 1);

    lifetimes->options = options;
    lifetimes->tracker = tracker;
    lifetimes->clock = clock;
    lifetimes->epoch_ns = epoch_ns;
    tw_tracker_set_room(tracker, sizeof(struct tw_life));
    lifetimes->memory.frames = CHECK_FRAMES;
    lifetimes->due_ns = INT64_MAX;
    lifetimes->builder = builder;
    lifetimes->pool = pool;
    tw_lifetimes_set_bounds(lifetimes);
    return lifetimes;
}

void tw_lifetimes_use_keys(struct tw_lifetimes *lifetimes, const struct tw_tls_keys *keys)
{
    lifetimes->keys = keys;
}

/* Callbacks are this thread's: tell what still waits behind holes. */
static void end_sink(struct tw_app *app)
{
    if (!app->plain_sink)
        return;
    tw_app_end(app);
    tw_free(app->plain_sink);
    app->plain_sink = NULL;
}

/* But not the connection, which contains it. */
static void clear_life(struct tw_life *life)
{
    tw_log_free(life->log);
    end_sink(&life->app);
    tw_app_clear(&life->app);
    tw_follow_free(life->follow);
}

void tw_lifetimes_free(struct tw_lifetimes *lifetimes)
{
    if (!lifetimes)
        return;
    for (struct tw_connection *c = tw_tracker_first(lifetimes->tracker); c; c = c->next)
        if (c->log)
            clear_life(c->log);
    tw_log_blocks_clear(&lifetimes->blocks);
    tw_incidents_clear(lifetimes);
    tw_free(lifetimes);
}

/* ---- closed connections ---------------------------------------------------------------------- */

/* If payload is followed, that of late frames is needed, too. */
static bool may_end(const struct tw_lifetimes *lifetimes)
{
    return !tw_callbacks(lifetimes->options)->on_follow;
}

void tw_lifetimes_set_due(struct tw_lifetimes *lifetimes)
{
    if (!lifetimes->first || !may_end(lifetimes))
        lifetimes->due_ns = INT64_MAX;
    else if (lifetimes->memory.waiting_bytes > WAITING_BYTES)
        lifetimes->due_ns = INT64_MIN;
    else
        lifetimes->due_ns = lifetimes->first->connection->last_ns + QUIET_NS;
}

static void begin_to_wait(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    life->waits = true;
    life->next = NULL;
    life->previous = lifetimes->last;
    if (lifetimes->last)
        lifetimes->last->next = life;
    else
        lifetimes->first = life;
    lifetimes->last = life;
    lifetimes->memory.waiting_bytes += life->bytes;
    tw_lifetimes_set_due(lifetimes);
}

static void stop_waiting(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    if (!life->waits)
        return;
    if (life->previous)
        life->previous->next = life->next;
    else
        lifetimes->first = life->next;
    if (life->next)
        life->next->previous = life->previous;
    else
        lifetimes->last = life->previous;
    life->waits = false;
    lifetimes->memory.waiting_bytes -= life->bytes;
    tw_lifetimes_set_due(lifetimes);
}

/* ---- end of a connection --------------------------------------------------------------------- */

static struct tw_past past_of(struct tw_lifetimes *lifetimes, const struct tw_connection *c,
                              const struct tw_log *log)
{
    struct tw_past past = c->past;
    bool reset = c->side[0].rst || c->side[1].rst;

    if (past.row == TW_NO_ROW)
        past.row = lifetimes->n_rows++;
    if (past.ending == TCPWHY_CAUSE_NONE && (reset || c->side[0].fin || c->side[1].fin)) {
        past.ending = reset ? TCPWHY_RESET : TCPWHY_CLOSE;
        past.ending_from = log->ended_by;
    }
    past.reset = reset;
    past.last_ns = log->last_ns;
    for (int i = 0; i < 2; i++) {
        past.frames[i] = c->side[i].frames;
        past.bytes[i] = c->side[i].bytes;
    }
    past.retransmissions = c->side[0].retransmissions + c->side[1].retransmissions;
    return past;
}

void tw_lifetimes_set_surroundings(const struct tw_lifetimes *lifetimes,
                                   const struct tw_connection *c, struct tw_log *log)
{
    log->clock_step_ns = MAX(tw_clock_step_ns(lifetimes->clock), tw_connection_late_ns(c));
    for (int i = 0; i < 2; i++) {
        log->inflow_rate[i] = tw_tracker_inflow_rate(lifetimes->tracker, c, (enum tcpwhy_side)i);
        log->ip_id_scope[i] = tw_tracker_ip_id_scope(lifetimes->tracker, c, (enum tcpwhy_side)i);
    }
}

static void tell(struct tw_lifetimes *lifetimes, const struct tw_ended *ended)
{
    lifetimes->memory.told_bytes += ROW_BYTES + tw_app_bytes(&ended->app);
    tw_lifetimes_set_surroundings(lifetimes, ended->connection, ended->log);
    if (!tw_worker_pool_submit(lifetimes->pool, ended))
        lifetimes->stopped = true;
}

/* Remove it from the accounting. */
static void leave(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    stop_waiting(lifetimes, life);
    lifetimes->memory.live_bytes -= life->bytes;
    if (life->grown)
        lifetimes->memory.grown[life->grown - 1] = NULL;
}

void tw_lifetimes_end(struct tw_lifetimes *lifetimes, struct tw_connection *c)
{
    struct tw_life *life = c->log;
    struct tw_past before = c->past;

    if (life)
        leave(lifetimes, life);
    if (life && life->log && life->log->n > 0) {
        if (!tw_incidents_end(lifetimes, life))
            lifetimes->stopped = true;
        c->past = past_of(lifetimes, c, life->log);
        tw_tracker_take(lifetimes->tracker, c);
        c->past = before;
        tw_follow_free(life->follow);
        end_sink(&life->app);
        tell(lifetimes, &(struct tw_ended) { c, life->log, life->app, life->listener });
        return;
    }
    tw_tracker_take(lifetimes->tracker, c);
    if (life)
        tw_incidents_leave(lifetimes, life);
    if (life)
        clear_life(life);
    tw_connection_free(c);
}

void tw_lifetimes_split(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    struct tw_connection *c = life->connection;
    struct tw_past past;
    tcpwhy_ns shift_ns = life->log->shift_ns;
    struct tw_plain_sink *sink = life->app.plain_sink;

    if (!tw_incidents_end(lifetimes, life))
        lifetimes->stopped = true;
    if (sink)
        tw_app_end(&life->app);
    life->app.plain_sink = NULL;
    past = past_of(lifetimes, c, life->log);
    tell(lifetimes, &(struct tw_ended) { tw_connection_copy(c), tw_log_take(life->log), life->app,
                                         life->listener });
    c->past = past;
    c->misplaced = 0;
    tw_log_place(life->log, c, &lifetimes->blocks);
    life->log->shift_ns = shift_ns;
    life->log_records = 0;
    life->told_records = 0;
    life->app = (struct tw_app) { .keys = lifetimes->keys,
                                  .plain_sink = sink,
                                  .values = lifetimes->options->show_values };
    tw_lifetimes_count(lifetimes, life);
}

/* ---- per frame ------------------------------------------------------------------------------- */

/* Memory beside the application layer's changes with the first frames, with a larger block of
 * records, and with unusual frames, which bring holes and SACK blocks. An unwanted connection
 * has no records, so that each frame counts as a first one. */
static bool may_have_grown(const struct tw_life *life, const struct tw_tracked *t)
{
    const uint32_t n = life->own.n;

    return n <= FEW_FRAMES || n > life->log_records || !t->usual;
}

/* Memory is counted only when the budget is checked: most connections have several frames by
 * then. */
static void count_later(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    lifetimes->memory.grown[lifetimes->memory.n_grown++] = life;
    life->grown = lifetimes->memory.n_grown;
}

static struct tw_plain_sink *new_sink(const struct tcpwhy_callbacks *callbacks, uint32_t stream)
{
    struct tw_plain_sink *sink = tw_new0(struct tw_plain_sink, 1);

    sink->fn = callbacks->on_follow;
    sink->user = callbacks->user;
    sink->stream = stream;
    return sink;
}

void tw_lifetimes_begin(struct tw_lifetimes *lifetimes, const struct tw_tracked *t, bool wanted)
{
    const struct tcpwhy_callbacks *callbacks = tw_callbacks(lifetimes->options);
    struct tw_connection *c = t->connection;
    struct tw_life *life = tw_connection_room(c);

    if (c->supersedes)
        tw_lifetimes_end(lifetimes, c->supersedes);
    c->supersedes = NULL;
    memset(life, 0, offsetof(struct tw_life, own));
    life->connection = c;
    life->own.n = 0;
    c->log = life;
    if (!wanted)
        return;
    life->log = &life->own;
    life->app.keys = lifetimes->keys;
    life->app.values = lifetimes->options->show_values;
    tw_log_place(life->log, c, &lifetimes->blocks);
    life->listener = tw_builder_listener(lifetimes->builder, c);
    if (callbacks->on_follow && lifetimes->options->follow_decrypted)
        life->app.plain_sink = new_sink(callbacks, c->stream);
    else if (callbacks->on_follow)
        life->follow = tw_follow_new(callbacks->on_follow, callbacks->user);
}

bool tw_life_log(struct tw_life *life, const struct tw_tracked *t)
{
    tw_log_append(&life->own, t);
    return tw_app_push(&life->app, t);
}

/* Both sides have closed and acknowledged it, or one has reset. */
static bool is_over(const struct tw_tracked *t)
{
    const struct tw_side *side = t->connection->side;

    if (t->segment->flags & TW_RST)
        return true;
    return side[0].fin && side[1].fin && side[0].acked >= side[0].next &&
           side[1].acked >= side[1].next && t->frame_class != TCPWHY_CLASS_DATA;
}

/* Rare paths are not inlined: they would take registers from the common one. */

/* Waiting connections are no longer in any cache. */
static void fetch_waiting(const struct tw_lifetimes *lifetimes, const struct tw_life *next)
{
    if (!next)
        return;
    tw_tracker_fetch(lifetimes->tracker, next->connection);
    if (next->log && tw_worker_pool_is_alone(lifetimes->pool))
        tw_prefetch_load_result(next->log, &next->app);
    if (next->next)
        tw_prefetch_load_ended(next->next->connection);
}

__attribute__((noinline)) static void end_those_over(struct tw_lifetimes *lifetimes, tcpwhy_ns now)
{
    while (now >= lifetimes->due_ns) {
        struct tw_life *life = lifetimes->first;

        fetch_waiting(lifetimes, life->next);
        tw_lifetimes_end(lifetimes, life->connection);
    }
}

/* A frame of a connection with a FIN or RST. */
__attribute__((noinline)) static void
go_on_closing(struct tw_lifetimes *lifetimes, struct tw_life *life, const struct tw_tracked *t)
{
    if (life->waits && t->frame_class == TCPWHY_CLASS_DATA)
        stop_waiting(lifetimes, life);
    else if (!life->waits && is_over(t))
        begin_to_wait(lifetimes, life);
    else if (lifetimes->first == life)
        tw_lifetimes_set_due(lifetimes);
}

__attribute__((noinline)) static void split_long(struct tw_lifetimes *lifetimes,
                                                 struct tw_life *life, uint32_t frame)
{
    tw_lifetimes_split(lifetimes, life);
    tw_builder_note(lifetimes->builder, TW_BOUND_SPLIT, 1, frame);
}

bool tw_lifetimes_go_on(struct tw_lifetimes *lifetimes, struct tw_life *life,
                        const struct tw_tracked *t, bool grows)
{
    if (!life->grown && (grows || may_have_grown(life, t)))
        count_later(lifetimes, life);
    if (t->connection->closing)
        go_on_closing(lifetimes, life, t);
    if (life->own.n >= lifetimes->memory.most_records)
        split_long(lifetimes, life, t->frame);
    if (--lifetimes->memory.frames == 0)
        tw_lifetimes_look_at_memory(lifetimes, life, t);
    if (t->time_ns >= lifetimes->due_ns)
        end_those_over(lifetimes, t->time_ns);
    return !lifetimes->stopped;
}

bool tw_lifetimes_end_all(struct tw_lifetimes *lifetimes)
{
    struct tw_connection *next;

    tw_tracker_close(lifetimes->tracker);
    for (struct tw_connection *c = tw_tracker_first(lifetimes->tracker); c && !lifetimes->stopped;
         c = next) {
        next = c->next;
        tw_lifetimes_end(lifetimes, c);
    }
    return tw_worker_pool_drain(lifetimes->pool) && !lifetimes->stopped;
}

bool tw_lifetimes_submit_ended(struct tw_lifetimes *lifetimes)
{
    if (!tw_worker_pool_drain(lifetimes->pool))
        lifetimes->stopped = true;
    return !lifetimes->stopped;
}

bool tw_lifetimes_peek_one(const struct tw_lifetimes *lifetimes, struct tw_connection *c,
                           const struct tcpwhy_options *options, struct tw_builder *builder)
{
    const struct tw_life *life = c->log;
    const uint32_t row = c->past.row;

    if (!life || !life->log || life->log->n == 0)
        return false;
    tw_lifetimes_set_surroundings(lifetimes, c, life->log);
    /* Of a connection that was split, too, this report has one row. */
    c->past.row = TW_NO_ROW;
    tw_connection_job_so_far(
        options, builder,
        &(struct tw_ended) { c, life->log, life->app, tw_builder_listener(builder, c) });
    c->past.row = row;
    return true;
}

void tw_lifetimes_peek(const struct tw_lifetimes *lifetimes, const struct tcpwhy_options *options,
                       struct tw_builder *builder)
{
    for (struct tw_connection *c = tw_tracker_first(lifetimes->tracker); c; c = c->next) {
        const struct tw_life *life = c->log;
        struct tw_ended so_far;

        if (!life || !life->log || life->log->n == 0)
            continue;
        tw_lifetimes_set_surroundings(lifetimes, c, life->log);
        so_far = (struct tw_ended) { c, life->log, life->app, life->listener };
        tw_connection_job_so_far(options, builder, &so_far);
    }
}
