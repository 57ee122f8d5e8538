/* SPDX-License-Identifier: MIT */
#include "explain/vantage/half_rtt.h"

#include <string.h>

#include <glib.h>

#include "base/seq.h"
#include "explain/thresholds.h"

/* An offset that no ACK reaches. */
#define NOTHING INT64_MAX
/* The end of a SYN alone, which is at offset 0. */
#define SYN_END 1

#define REPEATS (1u << TCPWHY_CLASS_RETRANSMISSION | 1u << TCPWHY_CLASS_OUT_OF_ORDER)

static bool is_repeat(const struct tw_record *r)
{
    return (1u << r->frame_class & REPEATS) || (r->facts & TW_FACT_SEEN_BEFORE);
}

static void make_room(struct tw_scratch *scratch, struct tw_samples *s)
{
    if (s->value != s->few) {
        s->value = tw_scratch_twice(scratch, s->value, &s->capacity, sizeof *s->value);
        return;
    }
    s->capacity = 4 * TW_SAMPLES_INLINE;
    s->value = tw_scratch_get(scratch, s->capacity, sizeof *s->value);
    memcpy(s->value, s->few, sizeof s->few);
}

static inline void add(struct tw_half_rtts *h, struct tw_samples *s, tcpwhy_ns half)
{
    if (s->n == s->capacity)
        make_room(h->scratch, s);
    s->value[s->n++] = half;
}

static inline void note_shortest(struct tw_half_rtt *answering, tcpwhy_ns half)
{
    if (half < answering->min_ns)
        answering->min_ns = half;
}

/* Only a TSval first used in this frame cannot have been echoed before; retransmitted data is
 * answered anew. */
static void await_echo(struct tw_half_rtt *own, const struct tw_record *r)
{
    if (!own->last_stamped) {
        own->first_stamped = r;
    } else if (r->tsval != own->last_stamped->tsval) {
        own->tsval = r->tsval;
        own->echo_ns = r->time_ns;
        own->echo_awaited = true;
    }
}

static inline void note_echo(struct tw_half_rtts *h, struct tw_half_rtt *own,
                             const struct tw_record *r, tcpwhy_ns half)
{
    note_shortest(own, half);
    if (r->flags & TW_SYN)
        own->answered_by = TW_BY_SYN;
    if (own->samples.n == 0)
        add(h, &own->echoes, half);
}

/*
 * A host that repeated its SYN and then finishes the handshake with the TSval of the first SYN/ACK
 * acknowledges that one: the second answered the repeated SYN, and is not there yet. Without a
 * repeated SYN the ACK may be the second to the same SYN/ACK.
 */
static bool answers_first_syn(const struct tw_half_rtt *own, const struct tw_half_rtt *peer,
                              const struct tw_record *r)
{
    const struct tw_record *first = peer->first_stamped;

    return own->n_segments > 1 && own->answered_by == TW_BY_PROGRAM && r->ack == SYN_END &&
           r->flags == TW_ACK && first && (first->flags & TW_SYN) && r->tsecr == first->tsval &&
           peer->last_stamped->tsval != first->tsval;
}

static inline void time_echo(struct tw_half_rtts *h, struct tw_half_rtt *own,
                             struct tw_half_rtt *peer, const struct tw_record *r, bool repeats)
{
    if (peer->echo_awaited && !tw_seq_before(r->tsecr, peer->tsval)) {
        tcpwhy_ns half = r->time_ns - peer->echo_ns;

        peer->echo_awaited = false;
        if (half <= h->longest_ns || own->answered_by != TW_BY_PROGRAM || r->flags & TW_SYN)
            note_echo(h, own, r, half);
    } else if (peer->echo_awaited && answers_first_syn(own, peer, r)) {
        note_echo(h, own, r, r->time_ns - peer->first_stamped->time_ns);
        own->answered_by = TW_BY_SYN;
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

/* Without the handshake the first segment in the capture may be a retransmission: a TSecr older
 * than anything held of its sender answers an earlier copy (RFC 3522, 3.2). Some stacks echo 0
 * before they have one. */
static bool answers_what_was_before(const struct tw_half_rtt *peer, const struct tw_record *r)
{
    return peer->first_stamped && r->tsecr && r->options & TW_OPT_TIMESTAMP &&
           tw_seq_before(r->tsecr, peer->first_stamped->tsval);
}

static inline void end_timing(struct tw_half_rtts *h, struct tw_half_rtt *own,
                              struct tw_half_rtt *peer, const struct tw_record *r, unsigned flags)
{
    tcpwhy_ns half = r->time_ns - peer->timed_ns;
    int64_t timed_end = peer->timed_end;

    peer->timed_end = NOTHING;
    if (G_UNLIKELY(peer->n_segments == 1) && answers_what_was_before(peer, r))
        return;
    if (G_UNLIKELY(peer->timed_fin)) {
        if (own->samples.n > 0)
            note_shortest(own, half);
        return;
    }
    if (own->answered_by != TW_BY_SYN)
        own->answered_by = MAX(own->answered_by, who_answers(r, flags, timed_end));
    if (half > h->longest_ns && own->answered_by == TW_BY_PROGRAM)
        return;
    if (flags & TW_SYN)
        own->syn_ns = half;
    note_shortest(own, half);
    add(h, &own->samples, half);
    if (r->len == 0)
        add(h, &own->kernel, half);
}

/* Time a segment that occupies sequence space. Data in a SYN may be ignored and retransmitted. */
static inline void time_segment(struct tw_half_rtt *own, const struct tw_record *r, unsigned flags,
                                bool repeats)
{
    const uint32_t len = r->len;

    own->n_segments++;
    if (repeats) {
        own->timed_end = NOTHING;
    } else if (own->timed_end == NOTHING) {
        own->timed_end = r->seq + (flags & TW_SYN ? SYN_END : len + !!(flags & TW_FIN));
        own->timed_ns = r->time_ns;
        own->timed_fin = !len && !(flags & TW_SYN);
    }
}

static void begin_samples(struct tw_samples *s)
{
    s->value = s->few;
    s->n = 0;
    s->capacity = TW_SAMPLES_INLINE;
}

/* Not cleared as a whole: most of it is space for samples, and most connections are short. */
static void begin(struct tw_half_rtt *h)
{
    h->timed_end = NOTHING;
    h->timed_ns = h->echo_ns = 0;
    h->timed_fin = h->echo_awaited = false;
    h->answered_by = TW_BY_PROGRAM;
    h->n_segments = 0;
    h->first_stamped = h->last_stamped = NULL;
    h->min_ns = INT64_MAX;
    h->syn_ns = 0;
    begin_samples(&h->samples);
    begin_samples(&h->echoes);
    begin_samples(&h->kernel);
}

/* The clock was set: times across that moment are unknown, and those of data sent before it has
 * caught up. */
static void stop_timing(struct tw_half_rtts *h)
{
    for (int i = 0; i < 2; i++) {
        h->half[i].timed_end = NOTHING;
        h->half[i].echo_awaited = false;
    }
}

/* A box may have sent a RST in the name of that side, and is nearer; what refuses a SYN is all that
 * answers there. */
static inline bool is_reset(unsigned flags, const struct tw_half_rtt *peer)
{
    return flags & TW_RST && peer->timed_end != SYN_END;
}

/* Rare flags are looked at only in unusual records. */
static inline void look_at(struct tw_half_rtts *h, struct tw_half_rtt *own,
                           struct tw_half_rtt *peer, const struct tw_record *r, bool usual)
{
    const unsigned flags = usual ? TW_ACK : r->flags;

    if (!usual && (r->moved || r->facts & TW_FACT_CLOCK_BACK))
        stop_timing(h);
    if (r->ack >= peer->timed_end && (flags & TW_ACK) && !is_reset(flags, peer))
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

void tw_half_rtts_look(const struct tw_log *log, struct tw_scratch *scratch,
                       struct tw_prescan *prescan, struct tw_half_rtts *h)
{
    struct tw_half_rtt *client = &h->half[TCPWHY_CLIENT], *server = &h->half[TCPWHY_SERVER];

    h->scratch = scratch;
    h->longest_ns =
        prescan->pure_acks == TW_ACKS_THERE ? TW_OLD_INITIAL_RTO_NS : TW_FORBIDDEN_DELAY_NS;
    begin(client);
    begin(server);
    prescan->lacks = false;
    prescan->last_beyond[0] = prescan->last_beyond[1] = NULL;
    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++) {
        struct tw_half_rtt *own = r->from ? server : client, *peer = r->from ? client : server;

        if (G_LIKELY(r->usual)) {
            look_at(h, own, peer, r, true);
            continue;
        }
        prescan->lacks |= tw_record_is_behind_gap(r);
        if (r->facts & TW_FACT_HOLE_BEFORE)
            prescan->last_beyond[r->from] = r;
        look_at(h, own, peer, r, false);
        if (r->moved)
            stop_timing(h);
    }
    for (int i = 0; i < 2; i++) {
        if (h->half[i].min_ns == INT64_MAX)
            h->half[i].min_ns = TCPWHY_NS_UNKNOWN;
        prescan->n_segments[i] = h->half[i].n_segments;
        prescan->first_stamped[i] = h->half[i].first_stamped;
        prescan->last_stamped[i] = h->half[i].last_stamped;
        prescan->last_of[i] = last_of(log, i);
    }
}
