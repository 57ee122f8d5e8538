/* SPDX-License-Identifier: MIT */
#include "engine/incidents.h"

#include "base/causes.h"
#include "base/grow.h"
#include "base/options.h"
#include "engine/connection_lifetime_internal.h"

/* TCP_DELACK_MIN of Linux (include/net/tcp.h): the shortest of the timers that somebody waits for.
 */
#define SHORTEST_NS TCPWHY_MS(40)

/* As tcpwhy_incident_fn promises. */
#define GROWS_BY 16

/* After a wait: with the frame that ended it, which may be an ACK, with the segment that this let
 * go, and with what answers that. */
#define LOOKS 3

/* To look at a record costs about a microsecond: what comes before its time takes a hundredth. */
#define SHARE_NS TCPWHY_US(100)

static tcpwhy_ns shortest_ns(const struct tw_lifetimes *lifetimes)
{
    return lifetimes->options->incident_ns > 0 ? lifetimes->options->incident_ns : SHORTEST_NS;
}

static uint32_t frame_of(const struct tw_log *log, uint32_t record)
{
    return record < log->n ? log->record[record].frame : 0;
}

static bool tell_span(const struct tw_lifetimes *lifetimes, const struct tw_ended *e,
                      const struct tw_span *span, tcpwhy_ns from_ns)
{
    const struct tcpwhy_callbacks *callbacks = tw_callbacks(lifetimes->options);
    const struct tw_tuple *tuple = &e->connection->tuple;
    const struct tcpwhy_incident incident = {
        .stream = e->connection->stream,
        .client = tw_tuple_endpoint(tuple, TCPWHY_CLIENT),
        .server = tw_tuple_endpoint(tuple, TCPWHY_SERVER),
        .from = span->from,
        .time_ns = *lifetimes->epoch_ns + from_ns,
        .start_ns = from_ns,
        .cost_ns = span->to_ns - from_ns,
        .cause = span->cause,
        .party = span->party,
        .confidence = span->confidence,
        .rival = span->rival,
        .first_frame = frame_of(e->log, span->first_record),
        .last_frame = frame_of(e->log, span->last_record),
        .decided_by = frame_of(e->log, span->key_record),
    };

    return callbacks->on_incident(callbacks->user, &incident);
}

struct telling {
    const struct tw_lifetimes *lifetimes;
    struct tw_life *life;
    bool ends; /* no more frames come */
};

/* The segment that a wait held tells its cause; of an ACK it is not known what it will let go. */
static bool is_settled(const struct telling *t, const struct tw_log *log,
                       const struct tw_span *span)
{
    const struct tw_record *last = &log->record[log->n - 1];

    return t->ends || span->last_record + 1 < log->n || last->len > 0 ||
           last->flags & (TW_SYN | TW_FIN | TW_RST);
}

/* Of a wait that goes on since it was told, what came after. */
static bool tell_spans(void *user, const struct tw_ended *e, const struct tw_explanation *x)
{
    const struct telling *t = user;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];
        tcpwhy_ns from_ns = MAX(span->from_ns, t->life->told_ns);

        if (!tw_cause_blames(span->cause) || span->to_ns - from_ns < shortest_ns(t->lifetimes) ||
            !is_settled(t, e->log, span))
            continue;
        t->life->told_ns = span->to_ns;
        if (!tell_span(t->lifetimes, e, span, from_ns))
            return false;
    }
    return true;
}

static bool tell(struct tw_lifetimes *lifetimes, struct tw_life *life, bool ends)
{
    struct tw_ended so_far = { life->connection, life->log, life->app, life->listener };
    struct telling telling = { lifetimes, life, ends };

    tw_lifetimes_set_surroundings(lifetimes, life->connection, life->log);
    return tw_connection_job_spans(lifetimes->options, &so_far, tell_spans, &telling);
}

void tw_incidents_clear(struct tw_lifetimes *lifetimes)
{
    tw_free(lifetimes->incidents.life);
}

void tw_incidents_leave(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    if (life->queued)
        lifetimes->incidents.life[life->queued - 1] = NULL;
    life->queued = 0;
}

static void put(struct tw_incident_queue *q, struct tw_life *life)
{
    q->life[q->n++] = life;
    life->queued = q->n;
}

/* The room of those that left comes before more. */
static void make_room(struct tw_incident_queue *q)
{
    uint32_t n = q->n;

    q->n = 0;
    for (uint32_t i = q->first; i < n; i++)
        if (q->life[i])
            put(q, q->life[i]);
    q->first = 0;
    if (q->n >= q->capacity / 2)
        q->life = tw_grow_from(q->life, NULL, q->n, &q->capacity, sizeof(struct tw_life *));
}

static void queue(struct tw_incident_queue *q, struct tw_life *life)
{
    if (life->queued)
        return;
    if (q->n == q->capacity)
        make_room(q);
    put(q, life);
}

static bool look(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    tw_incidents_leave(lifetimes, life);
    return tell(lifetimes, life, false);
}

/* Its frames have come that tell the cause, or it went quiet. */
static bool is_ripe(const struct tw_lifetimes *lifetimes, const struct tw_life *life,
                    tcpwhy_ns now_ns)
{
    const struct tw_log *log = life->log;

    return life->looks == 0 || now_ns - log->record[log->n - 1].time_ns >= shortest_ns(lifetimes);
}

/* As far as the time up to now suffices. */
static bool look_at_queued(struct tw_lifetimes *lifetimes, tcpwhy_ns now_ns)
{
    struct tw_incident_queue *q = &lifetimes->incidents;

    for (; q->first < q->n && now_ns >= q->free_ns; q->first++) {
        struct tw_life *life = q->life[q->first];

        if (!life)
            continue;
        if (!is_ripe(lifetimes, life, now_ns))
            break;
        q->free_ns = now_ns + life->log->n * SHARE_NS;
        if (!look(lifetimes, life))
            return false;
    }
    return true;
}

bool tw_incidents_see(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    const struct tw_log *log = life->log;
    const struct tw_record *last;

    if (!log || log->n < 2)
        return true;
    last = &log->record[log->n - 1];
    if (last->time_ns - last[-1].time_ns >= shortest_ns(lifetimes))
        life->looks = LOOKS;
    if (life->looks > 0) {
        life->looks--;
        queue(&lifetimes->incidents, life);
    }
    if (life->queued && log->n >= life->told_records + life->told_records / GROWS_BY) {
        life->told_records = log->n;
        return look(lifetimes, life);
    }
    return look_at_queued(lifetimes, last->time_ns);
}

bool tw_incidents_end(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    bool waited = life->queued > 0 && life->log->n > 0;

    tw_incidents_leave(lifetimes, life);
    return !waited || tell(lifetimes, life, true);
}
