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

/* One half this many times the other: the vantage is at that side's host. */
#define AT_HOST_RATIO 8
/* Half round trips below this are made of host latency as much as of the path. */
#define HOST_LATENCY TCPWHY_US(300)

/* Fewer samples than this show no spread. */
#define JITTER_SAMPLES 8

/* The one segment of a side that is being timed, as in RFC 6298 with Karn's rule. */
struct timed {
    int64_t end;
    tcpwhy_ns sent_ns;
    bool running;
};

/*
 * A timestamp under way to be echoed: where data flows one way only, its receiver has no other
 * round trip than from its ACK to the first segment that echoes it (RFC 7323, 4).
 */
struct echoed {
    uint32_t tsval, last_tsval;
    tcpwhy_ns sent_ns;
    bool running, any;
};

/* Of a short connection there are few. */
#define FEW 8

struct samples {
    tcpwhy_ns few[FEW];
    tcpwhy_ns *many; /* all of them, once there are more; NULL before */
    uint32_t n, capacity;
};

struct halves {
    struct tw_scratch *scratch;
    struct echoed echoed[2]; /* by the side whose timestamp it is */
    struct timed timed[2];   /* by sender */
    tcpwhy_ns min_ns[2];     /* by answering side: to it and back */
    struct samples samples[2];
    struct samples echoes[2]; /* what time_echo() found, as long as there is nothing else: the peer
                                 may have idled before it echoed */
    struct samples
        kernel[2]; /* of the first, those of pure ACKs: no application had a part in them */
};

static bool is_repeat(const struct tw_record *r)
{
    return r->frame_class == TCPWHY_CLASS_RETRANSMISSION ||
           r->frame_class == TCPWHY_CLASS_OUT_OF_ORDER || (r->facts & TW_FACT_SEEN_BEFORE);
}

static tcpwhy_ns *all_of(struct samples *s)
{
    return s->many ? s->many : s->few;
}

static void make_room(struct tw_scratch *scratch, struct samples *s)
{
    if (s->n < s->capacity)
        return;
    if (s->many) {
        s->many = tw_scratch_twice(scratch, s->many, &s->capacity, sizeof *s->many);
        return;
    }
    s->capacity = 4 * FEW;
    s->many = tw_scratch_get(scratch, s->capacity, sizeof *s->many);
    memcpy(s->many, s->few, sizeof s->few);
}

static inline void add(struct halves *h, struct samples *s, tcpwhy_ns half)
{
    if (s->n >= FEW)
        make_room(h->scratch, s);
    all_of(s)[s->n++] = half;
}

static void note_shortest(struct halves *h, int side, tcpwhy_ns half)
{
    if (h->min_ns[side] == TCPWHY_NS_UNKNOWN || half < h->min_ns[side])
        h->min_ns[side] = half;
}

static void time_echo(struct halves *h, const struct tw_record *r)
{
    struct echoed *own = &h->echoed[r->from], *peer = &h->echoed[!r->from];

    if (peer->running && !tw_seq_before(r->tsecr, peer->tsval)) {
        peer->running = false;
        note_shortest(h, r->from, r->time_ns - peer->sent_ns);
        if (h->samples[r->from].n == 0)
            add(h, &h->echoes[r->from], r->time_ns - peer->sent_ns);
    }
    /* Only a timestamp that is new with this frame cannot have been echoed before. */
    if (!own->running && own->any && r->tsval != own->last_tsval)
        *own = (struct echoed) { r->tsval, r->tsval, r->time_ns, true, true };
    own->last_tsval = r->tsval;
    own->any = true;
}

static void time_record(struct halves *h, const struct tw_record *r)
{
    struct timed *own = &h->timed[r->from], *peer = &h->timed[!r->from];

    if (peer->running && (r->flags & TW_ACK) && r->ack >= peer->end) {
        tcpwhy_ns half = r->time_ns - peer->sent_ns;

        peer->running = false;
        if (half >= 0) {
            note_shortest(h, r->from, half);
            add(h, &h->samples[r->from], half);
            if (r->len == 0)
                add(h, &h->kernel[r->from], half);
        }
    }
    if (r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME || tw_record_end(r) == r->seq)
        return;
    if (is_repeat(r))
        own->running = false;
    else if (!own->running && r->len + !!(r->flags & TW_SYN))
        *own = (struct timed) { tw_record_end(r), r->time_ns, true };
}

/* The clock was set: what ran across that moment is not known. */
static void stop_timing(struct halves *h)
{
    for (int i = 0; i < 2; i++)
        h->timed[i].running = h->echoed[i].running = false;
}

static void summarize(struct halves *h, struct tw_vantage *v)
{
    int far = h->min_ns[TCPWHY_SERVER] >= h->min_ns[TCPWHY_CLIENT] ? TCPWHY_SERVER : TCPWHY_CLIENT;
    struct samples *s = h->samples[far].n > 0 ? &h->samples[far] : &h->echoes[far];
    tcpwhy_ns near_ns = h->min_ns[!far] == TCPWHY_NS_UNKNOWN ? 0 : h->min_ns[!far];

    v->rtt_min_ns = v->rtt_median_ns = v->rtt_max_ns = TCPWHY_NS_UNKNOWN;
    if (s->n == 0)
        return;
    v->rtt_min_ns = h->min_ns[far] + near_ns;
    v->rtt_median_ns = tw_select_ns(all_of(s), s->n, s->n / 2) + near_ns;
    v->rtt_max_ns = v->rtt_median_ns;
    /* What is larger than the median stands behind it now. */
    for (uint32_t i = s->n / 2; i < s->n; i++)
        v->rtt_max_ns = MAX(v->rtt_max_ns, all_of(s)[i] + near_ns);
}

static void place(const struct halves *h, struct tw_vantage *v)
{
    tcpwhy_ns client = h->min_ns[TCPWHY_CLIENT], server = h->min_ns[TCPWHY_SERVER];
    tcpwhy_ns low = MIN(client, server), high = MAX(client, server);

    v->place = TCPWHY_VANTAGE_UNKNOWN;
    v->confidence = TCPWHY_AMBIGUOUS;
    if (low == TCPWHY_NS_UNKNOWN)
        return;
    v->place = client < server ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER;
    if (high < HOST_LATENCY)
        return;
    v->confidence = low * AT_HOST_RATIO <= high ? TCPWHY_CERTAIN : TCPWHY_LIKELY;
    if (low * 3 > high && low > HOST_LATENCY)
        v->place = TCPWHY_VANTAGE_MIDDLE;
}

/* At the host itself no path lies between; what shows is how long the host takes. */
static tcpwhy_ns one_way(const struct halves *h, int side)
{
    tcpwhy_ns half = h->min_ns[side];

    if (half == TCPWHY_NS_UNKNOWN ||
        (half < HOST_LATENCY && half * AT_HOST_RATIO <= h->min_ns[!side]))
        return 0;
    return half / 2;
}

/*
 * Three of four answers of the kernel come within this of the fastest. Delayed ACKs are among them:
 * more than a round trip is no jitter.
 */
static tcpwhy_ns jitter(struct halves *h, int side)
{
    struct samples *s = &h->kernel[side];
    tcpwhy_ns spread;

    if (s->n < JITTER_SAMPLES)
        return 0;
    spread = tw_select_ns(all_of(s), s->n, (size_t)s->n * 3 / 4) - h->min_ns[side];
    return MIN(spread, h->min_ns[side]);
}

static void look_at(struct halves *h, struct tw_survey *survey, const struct tw_record *r,
                    uint32_t index)
{
    survey->facts |= r->facts;
    survey->n_talks[r->from] += r->len || (r->flags & (TW_FIN | TW_RST));
    if (r->facts & TW_FACT_CLOCK_BACK)
        stop_timing(h);
    time_record(h, r);
    if (!tw_record_is_stamped(r))
        return;
    if (survey->first_stamped[r->from] == TW_NO_RECORD)
        survey->first_stamped[r->from] = index;
    survey->last_stamped[r->from] = index;
    time_echo(h, r);
}

void tw_vantage_infer(const struct tw_log *log, struct tw_scratch *scratch,
                      struct tw_survey *survey, struct tw_vantage *v)
{
    struct halves h = { .scratch = scratch, .min_ns = { TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN } };

    *survey = (struct tw_survey) { .first_stamped = { TW_NO_RECORD, TW_NO_RECORD } };
    for (uint32_t i = 0; i < log->n; i++)
        look_at(&h, survey, &log->record[i], i);
    place(&h, v);
    summarize(&h, v);
    for (int i = 0; i < 2; i++) {
        v->to_side_ns[i] = one_way(&h, i);
        v->jitter_ns[i] = jitter(&h, i);
    }
}
