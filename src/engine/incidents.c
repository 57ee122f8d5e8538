/* SPDX-License-Identifier: MIT */
#include "engine/incidents.h"

#include "base/causes.h"
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
    life->told_records = life->log->n;
    return tw_connection_job_spans(lifetimes->options, &so_far, tell_spans, &telling);
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
    if (life->looks == 0 || log->n < life->told_records + life->told_records / GROWS_BY)
        return true;
    life->looks--;
    return tell(lifetimes, life, false);
}

bool tw_incidents_end(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    return life->looks == 0 || life->log->n == 0 || tell(lifetimes, life, true);
}
