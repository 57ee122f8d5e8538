/* SPDX-License-Identifier: MIT */
/*
 * Where the capture was taken: the round trip is cut in two at the vantage, and each half shows as
 * the shortest time between a segment and what answers it (the handshake gives the first samples).
 */
#include "explain/vantage.h"

#include <string.h>

#include <glib.h>

#include "base/select.h"
#include "base/seq.h"
#include "explain/wait.h"

/* One half this many times the other: the vantage is at that side's host. */
#define AT_HOST_RATIO 8
/* Half round trips below this are made of host latency as much as of the path. */
#define HOST_LATENCY TCPWHY_US(300)

/* Fewer samples than this show no spread, nor that the shortest is the way's own. */
#define JITTER_SAMPLES 8

/* What is not acknowledged by then goes again (RFC 1122, 4.2.3.1: the first timer is 3 s; RFC 6298:
 * 1 s). A segment that did not was acknowledged before, and not by what a program says later. */
#define LONGEST_TRIP TCPWHY_S(3)

/* Of a short connection there are few. */
#define FEW 8

/* Must not move: it may point into itself. */
struct samples {
    tcpwhy_ns *value;
    uint32_t n, capacity;
    tcpwhy_ns few[FEW]; /* all of them, until there are more */
};

/* What one side sends, and how it answers. */
struct half {
    /* The one segment of it that is being timed, as in RFC 6298 with Karn's rule. */
    int64_t timed_end; /* NOTHING while none is */
    tcpwhy_ns timed_ns;
    /* A timestamp of it under way to be echoed: where data flows one way only, its receiver has no
     * other round trip than from its ACK to the first segment that echoes it (RFC 7323, 4). */
    tcpwhy_ns echo_ns;
    uint32_t tsval;
    bool echo_awaited;
    enum tw_answerer answered_by;                         /* as in struct tw_vantage, so far */
    uint32_t n_segments;                                  /* as in struct tw_survey, so far */
    const struct tw_record *first_stamped, *last_stamped; /* likewise */
    tcpwhy_ns min_ns;                                     /* to it and back */
    tcpwhy_ns syn_ns;       /* likewise, of the SYN that it answered with its own; 0 without one */
    struct samples samples; /* of that */
    struct samples echoes;  /* what time_echo() found, as long as there is nothing else: the side
                               may have idled before it echoed */
    struct samples kernel; /* of the first, those of pure ACKs: no application had a part in them */
};

/* An end that no ACK reaches. */
#define NOTHING INT64_MAX
/* That of a SYN alone, which is at offset 0. */
#define SYN_END 1

struct halves {
    struct tw_scratch *scratch;
    struct half half[2];
};

#define REPEATS (1u << TCPWHY_CLASS_RETRANSMISSION | 1u << TCPWHY_CLASS_OUT_OF_ORDER)

static bool is_repeat(const struct tw_record *r)
{
    return (1u << r->frame_class & REPEATS) || (r->facts & TW_FACT_SEEN_BEFORE);
}

static void make_room(struct tw_scratch *scratch, struct samples *s)
{
    if (s->value != s->few) {
        s->value = tw_scratch_twice(scratch, s->value, &s->capacity, sizeof *s->value);
        return;
    }
    s->capacity = 4 * FEW;
    s->value = tw_scratch_get(scratch, s->capacity, sizeof *s->value);
    memcpy(s->value, s->few, sizeof s->few);
}

static inline void add(struct halves *h, struct samples *s, tcpwhy_ns half)
{
    if (s->n == s->capacity)
        make_room(h->scratch, s);
    s->value[s->n++] = half;
}

static inline void note_shortest(struct half *answering, tcpwhy_ns half)
{
    if (half < answering->min_ns)
        answering->min_ns = half;
}

/* Only a timestamp that is new with this frame cannot have been echoed before; what is sent again
 * is answered anew. */
static void await_echo(struct half *own, const struct tw_record *r)
{
    if (!own->last_stamped) {
        own->first_stamped = r;
    } else if (r->tsval != own->last_stamped->tsval) {
        own->tsval = r->tsval;
        own->echo_ns = r->time_ns;
        own->echo_awaited = true;
    }
}

static inline void note_echo(struct halves *h, struct half *own, const struct tw_record *r,
                             tcpwhy_ns half)
{
    note_shortest(own, half);
    if (r->flags & TW_SYN)
        own->answered_by = TW_BY_SYN;
    if (own->samples.n == 0)
        add(h, &own->echoes, half);
}

static inline void time_echo(struct halves *h, struct half *own, struct half *peer,
                             const struct tw_record *r, bool repeats)
{
    if (peer->echo_awaited && !tw_seq_before(r->tsecr, peer->tsval)) {
        tcpwhy_ns half = r->time_ns - peer->echo_ns;

        peer->echo_awaited = false;
        if (half <= LONGEST_TRIP || own->answered_by != TW_BY_PROGRAM || r->flags & TW_SYN)
            note_echo(h, own, r, half);
    }
    if (!own->echo_awaited || repeats)
        await_echo(own, r);
    own->last_stamped = r;
}

static enum tw_answerer who_answers(const struct tw_record *r, unsigned flags, int64_t timed_end)
{
    if (flags & TW_SYN)
        return TW_BY_SYN;
    if (r->len || (flags & TW_FIN))
        return TW_BY_PROGRAM;
    return timed_end == SYN_END && r->ack == SYN_END ? TW_BY_SYN : TW_BY_ACK;
}

/* Without the handshake the first segment in the capture may be a repeat: what echoes a timestamp
 * from before all that is held of its sender answers an earlier copy (RFC 3522, 3.2). Some who have
 * none yet echo 0. */
static bool answers_what_was_before(const struct half *peer, const struct tw_record *r)
{
    return peer->first_stamped && r->tsecr && r->options & TW_OPT_TIMESTAMP &&
           tw_seq_before(r->tsecr, peer->first_stamped->tsval);
}

static inline void end_timing(struct halves *h, struct half *own, struct half *peer,
                              const struct tw_record *r, unsigned flags)
{
    tcpwhy_ns half = r->time_ns - peer->timed_ns;
    int64_t timed_end = peer->timed_end;

    peer->timed_end = NOTHING;
    if (G_UNLIKELY(peer->n_segments == 1) && answers_what_was_before(peer, r))
        return;
    if (own->answered_by != TW_BY_SYN)
        own->answered_by = MAX(own->answered_by, who_answers(r, flags, timed_end));
    if (half > LONGEST_TRIP && own->answered_by == TW_BY_PROGRAM)
        return;
    if (flags & TW_SYN)
        own->syn_ns = half;
    note_shortest(own, half);
    add(h, &own->samples, half);
    if (r->len == 0)
        add(h, &own->kernel, half);
}

/* Of a segment that takes up room in the sequence. */
static inline void time_segment(struct half *own, const struct tw_record *r, unsigned flags,
                                bool repeats)
{
    own->n_segments++;
    if (repeats) {
        own->timed_end = NOTHING;
    } else if (own->timed_end == NOTHING && (r->len || (flags & TW_SYN))) {
        own->timed_end = r->seq + r->len + !!(flags & TW_SYN) + !!(flags & TW_FIN);
        own->timed_ns = r->time_ns;
    }
}

static void begin_samples(struct samples *s)
{
    s->value = s->few;
    s->n = 0;
    s->capacity = FEW;
}

/* Not as a whole: most of it is room for samples, and most connections are short. */
static void begin(struct half *h)
{
    h->timed_end = NOTHING;
    h->timed_ns = h->echo_ns = 0;
    h->echo_awaited = false;
    h->answered_by = TW_BY_PROGRAM;
    h->n_segments = 0;
    h->first_stamped = h->last_stamped = NULL;
    h->min_ns = INT64_MAX;
    h->syn_ns = 0;
    begin_samples(&h->samples);
    begin_samples(&h->echoes);
    begin_samples(&h->kernel);
}

/* The clock was set: what ran across that moment is not known, nor how long what is sent before it
 * has caught up. */
static void stop_timing(struct halves *h)
{
    for (int i = 0; i < 2; i++) {
        h->half[i].timed_end = NOTHING;
        h->half[i].echo_awaited = false;
    }
}

/* The half that is known is how long a host takes, as much as a path, and the other one may be of
 * any length. */
static bool is_host_alone(tcpwhy_ns known, tcpwhy_ns other)
{
    return known < HOST_LATENCY && other == TCPWHY_NS_UNKNOWN;
}

static void summarize(struct halves *h, struct tw_vantage *v)
{
    struct half *server = &h->half[TCPWHY_SERVER], *client = &h->half[TCPWHY_CLIENT];
    struct half *far = server->min_ns >= client->min_ns ? server : client;
    struct half *near = far == server ? client : server;
    struct samples *s = far->samples.n > 0 ? &far->samples : &far->echoes;
    tcpwhy_ns near_ns = near->min_ns == TCPWHY_NS_UNKNOWN ? 0 : near->min_ns;

    v->rtt_min_ns = v->rtt_median_ns = v->rtt_max_ns = TCPWHY_NS_UNKNOWN;
    if (s->n == 0 || is_host_alone(far->min_ns, near->min_ns))
        return;
    v->rtt_min_ns = far->min_ns + near_ns;
    v->rtt_median_ns = tw_select_ns(s->value, s->n, s->n / 2) + near_ns;
    v->rtt_max_ns = v->rtt_median_ns;
    /* What is larger than the median stands behind it now. */
    for (uint32_t i = s->n / 2; i < s->n; i++)
        v->rtt_max_ns = MAX(v->rtt_max_ns, s->value[i] + near_ns);
}

static void place(const struct halves *h, struct tw_vantage *v)
{
    tcpwhy_ns client = h->half[TCPWHY_CLIENT].min_ns, server = h->half[TCPWHY_SERVER].min_ns;
    tcpwhy_ns low = MIN(client, server), high = MAX(client, server);
    const struct half *far = &h->half[client < server ? TCPWHY_SERVER : TCPWHY_CLIENT];

    v->place = TCPWHY_VANTAGE_UNKNOWN;
    v->confidence = TCPWHY_AMBIGUOUS;
    if (low == TCPWHY_NS_UNKNOWN)
        return;
    v->place = client < server ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER;
    if (high < HOST_LATENCY)
        return;
    v->confidence = low * AT_HOST_RATIO <= high && far->answered_by != TW_BY_PROGRAM
                        ? TCPWHY_CERTAIN
                        : TCPWHY_LIKELY;
    if (low * 3 > high && low > HOST_LATENCY)
        v->place = TCPWHY_VANTAGE_MIDDLE;
}

/* At the host itself no path lies between; what shows is how long the host takes. */
static tcpwhy_ns one_way(const struct halves *h, int side)
{
    tcpwhy_ns half = h->half[side].min_ns;

    if (half == TCPWHY_NS_UNKNOWN ||
        (half < HOST_LATENCY && half * AT_HOST_RATIO <= h->half[!side].min_ns))
        return 0;
    return half / 2;
}

/*
 * Three of four answers of the kernel come within this of the fastest. Delayed ACKs are among them:
 * more than a round trip is no jitter.
 */
static tcpwhy_ns jitter(struct half *h)
{
    const struct samples *s = &h->kernel;
    size_t rank = (size_t)s->n * 3 / 4, close = 0;

    if (s->n < JITTER_SAMPLES)
        return 0;
    for (uint32_t i = 0; i < s->n; i++)
        close += s->value[i] < 2 * h->min_ns;
    return close > rank ? tw_select_ns(s->value, s->n, rank) - h->min_ns : h->min_ns;
}

/*
 * No ACKs and no timestamps tell a way that varies from a program that does. One that takes its
 * time takes it always: where answers spread from the fastest on, so that one in ten comes in half
 * of what the median takes beyond it, half a round trip may be the way's.
 */
static tcpwhy_ns may_vary(struct half *h)
{
    struct samples *s = &h->samples;
    tcpwhy_ns soon_ns, median_ns;

    if (h->first_stamped || h->kernel.n >= JITTER_SAMPLES || s->n < JITTER_SAMPLES)
        return 0;
    soon_ns = tw_select_ns(s->value, s->n, s->n / 10) - h->min_ns;
    median_ns = tw_select_ns(s->value, s->n, s->n / 2) - h->min_ns;
    return 2 * soon_ns <= median_ns ? h->min_ns / 2 : 0;
}

/* One of many ACKs came at once; not where each may have been a delayed one. */
static enum tw_answerer answerer(const struct half *h)
{
    bool often = h->echoes.n >= JITTER_SAMPLES ||
                 (h->kernel.n >= JITTER_SAMPLES && h->min_ns < TW_DELAYED_ACK_NS);

    return often ? MAX(h->answered_by, TW_BY_ACKS) : h->answered_by;
}

/* A SYN that took many times what anything after it does was answered when a host further on had
 * answered: a proxy or a NAT that ends connections. */
static tcpwhy_ns behind(const struct half *h)
{
    return h->min_ns != TCPWHY_NS_UNKNOWN && h->syn_ns > h->min_ns * AT_HOST_RATIO
               ? h->syn_ns - h->min_ns
               : 0;
}

/* What no usual record is or has is asked of the others only. */
static inline void look_at(struct halves *h, struct half *own, struct half *peer,
                           const struct tw_record *r, bool usual)
{
    const unsigned flags = usual ? TW_ACK : r->flags;

    if (!usual && (r->moved || r->facts & TW_FACT_CLOCK_BACK))
        stop_timing(h);
    if (r->ack >= peer->timed_end && (flags & TW_ACK))
        end_timing(h, own, peer, r, flags);
    if (!usual && r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
        return;

    const bool repeats = !usual && is_repeat(r);

    if (r->len || (flags & (TW_SYN | TW_FIN)))
        time_segment(own, r, flags, repeats);
    if ((r->options & TW_OPT_TIMESTAMP) && !(flags & TW_RST))
        time_echo(h, own, peer, r, repeats);
}

static const struct tw_record *last_of(const struct tw_log *log, enum tcpwhy_side side)
{
    for (uint32_t i = log->n; i-- > 0;)
        if (log->record[i].from == side)
            return &log->record[i];
    return NULL;
}

static void look_at_all(const struct tw_log *log, struct halves *h, struct tw_survey *survey)
{
    struct half *client = &h->half[TCPWHY_CLIENT], *server = &h->half[TCPWHY_SERVER];

    survey->lacks = false;
    survey->last_beyond[0] = survey->last_beyond[1] = NULL;
    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++) {
        struct half *own = r->from ? server : client, *peer = r->from ? client : server;

        if (G_LIKELY(r->usual)) {
            look_at(h, own, peer, r, true);
            continue;
        }
        survey->lacks |= tw_record_is_behind_gap(r);
        if (r->facts & TW_FACT_HOLE_BEFORE)
            survey->last_beyond[r->from] = r;
        look_at(h, own, peer, r, false);
        if (r->moved)
            stop_timing(h);
    }
    for (int i = 0; i < 2; i++) {
        if (h->half[i].min_ns == INT64_MAX)
            h->half[i].min_ns = TCPWHY_NS_UNKNOWN;
        survey->n_segments[i] = h->half[i].n_segments;
        survey->first_stamped[i] = h->half[i].first_stamped;
        survey->last_stamped[i] = h->half[i].last_stamped;
        survey->last_of[i] = last_of(log, i);
    }
}

void tw_vantage_infer(const struct tw_log *log, struct tw_scratch *scratch,
                      struct tw_survey *survey, struct tw_vantage *v)
{
    struct halves h;

    h.scratch = scratch;
    begin(&h.half[TCPWHY_CLIENT]);
    begin(&h.half[TCPWHY_SERVER]);
    look_at_all(log, &h, survey);
    place(&h, v);
    summarize(&h, v);
    for (int i = 0; i < 2; i++) {
        v->to_side_ns[i] = one_way(&h, i);
        v->jitter_ns[i] = jitter(&h.half[i]);
        v->varies_ns[i] = may_vary(&h.half[i]);
        v->behind_ns[i] = behind(&h.half[i]);
        v->answered_by[i] = answerer(&h.half[i]);
    }
}
