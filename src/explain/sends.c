/* SPDX-License-Identifier: MIT */
#include "explain/sends.h"

#include <string.h>

#include <glib.h>

#include "base/seq.h"
#include "explain/clock.h"
#include "explain/packet_counter.h"

/* TCP's timestamp option takes this much of each segment (RFC 7323, with its padding). */
#define TIMESTAMP_BYTES 12

/* The shortest answer we saw includes the answering host's own time; a release by an ACK can come
 * sooner than that by this much. */
#define HOST_SLACK       TCPWHY_US(500)
#define HOST_SLACK_SHARE 16

#define AT_ONCE_NS    TCPWHY_US(500)
#define AT_ONCE_SHARE 4

/* IPv6's minimum (RFC 9293, 3.7.1): assumed when neither a SYN nor two segments tell. */
#define DEFAULT_MSS 1220

/* Larger payloads are several segments that a card has not cut up yet. */
#define JUMBO_MSS 9000

/* What the sender has heard by a moment of the walk; in the order of struct tw_send, so that it is
 * copied as a whole. */
struct heard {
    int64_t acked, edge;
    tcpwhy_ns moved_ns;
    uint32_t ack_record, moved_record;
    tcpwhy_ns closed_ns;          /* since when the window is 0, or unknown */
    int64_t window;               /* of the newest that told one; -1 before */
    const struct tw_record *next; /* from here on the peer's are still to be heard */
};

/* A step of the window's right edge, to ask later when it had room. */
struct edge_step {
    int64_t edge;
    tcpwhy_ns at_ns;
    bool was_closed;
};

struct walk {
    const struct tw_log *log;
    const struct tw_vantage *vantage;
    struct tw_scratch *scratch;
    struct tw_sends *out;
    struct heard heard;
    struct edge_step *edge; /* rising */
    uint32_t n_edges, edge_capacity, next_edge;
    bool edges_left;       /* there were others before them */
    tcpwhy_ns to_sender;   /* one way */
    tcpwhy_ns soonest_ns;  /* to the sender, of what the peer says: less than that by some slack */
    tcpwhy_ns at_once_ns;  /* tw_sends_at_once() */
    struct tw_clock clock; /* the sender's, where it is not here; its packets likewise */
    struct tw_packet_counter packets;
    tcpwhy_ns shortest_ns; /* round trip; 0 when not known */
    int64_t highest;       /* offset after the highest byte sent */
    int64_t partial_end;   /* end of the newest partial segment */
    uint32_t told;         /* first record that acknowledged partial_end, as far as looked for */
    struct tw_send *next;  /* where the next send goes */
    struct tw_send *open;  /* first send whose round trip is not over */
    int64_t open_end;      /* its end; INT64_MAX without one, or where round trips tell nothing */
    tcpwhy_ns *rtt_ns;     /* where its round trip goes */
};

static bool acknowledges(const struct tw_record *r)
{
    return (r->flags & (TW_ACK | TW_RST)) == TW_ACK &&
           r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME;
}

static bool is_send(const struct tw_record *r)
{
    return (r->len || (r->flags & TW_FIN)) && !(r->flags & (TW_SYN | TW_RST)) &&
           r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME &&
           r->frame_class != TCPWHY_CLASS_KEEP_ALIVE;
}

/*
 * Full segments carry the smaller MSS of the SYNs less the options of each segment; offload shows
 * multiples of it. Without SYNs the largest payload stands in.
 */
static uint32_t full_segment(const struct tw_connection *c, enum tcpwhy_side from)
{
    const struct tw_side *own = &c->side[from], *peer = &c->side[!from];
    uint32_t mss = peer->mss;

    if (mss == 0)
        return CLAMP(own->largest, DEFAULT_MSS, JUMBO_MSS);
    if (own->mss && own->mss < mss)
        mss = own->mss;
    if (own->timestamps && peer->timestamps && mss > TIMESTAMP_BYTES)
        mss -= TIMESTAMP_BYTES;
    return mss;
}

/* A window that shrinks takes back what it allowed (RFC 9293, 3.8.6: discouraged, but it happens).
 */
static void take_back(struct walk *w, int64_t edge)
{
    while (w->n_edges && w->edge[w->n_edges - 1].edge > edge)
        w->n_edges--;
    w->next_edge = MIN(w->next_edge, w->n_edges);
}

/* For one more step. Those that no send is held against any more leave. */
static void make_room(struct walk *w)
{
    if (w->n_edges == w->edge_capacity && w->next_edge > w->n_edges / 2) {
        w->n_edges -= w->next_edge;
        memmove(w->edge, w->edge + w->next_edge, w->n_edges * sizeof *w->edge);
        w->next_edge = 0;
        w->edges_left = true;
    }
    w->edge = tw_scratch_grow(w->scratch, w->edge, w->n_edges, &w->edge_capacity, sizeof *w->edge);
}

static void hear_window(struct walk *w, const struct tw_record *r, uint32_t index, tcpwhy_ns at)
{
    struct heard *h = &w->heard;
    bool known = r->window_bytes != TW_LOG_WINDOW_UNKNOWN;
    int64_t edge = known ? r->ack + (int64_t)r->window_bytes : INT64_MAX;
    tcpwhy_ns closed_ns = h->closed_ns;

    if (r->window_bytes > 0)
        h->closed_ns = TCPWHY_NS_UNKNOWN;
    else if (closed_ns == TCPWHY_NS_UNKNOWN)
        h->closed_ns = at;
    if (edge == h->edge)
        return;
    /* Scaling rounds the edge down by less than a segment: no step back. */
    if (edge < h->edge - (int64_t)w->out->mss_bytes &&
        (h->edge != INT64_MAX || w->n_edges || w->edges_left))
        take_back(w, edge);
    else if (h->edge != INT64_MAX && edge <= h->edge)
        return;
    h->edge = edge;
    if (r->window_bytes > 0) {
        h->moved_record = index;
        h->moved_ns = at;
    }
    make_room(w);
    w->edge[w->n_edges++] = (struct edge_step) { edge, at, closed_ns != TCPWHY_NS_UNKNOWN };
}

static void hear(struct walk *w, const struct tw_record *r, uint32_t index)
{
    struct heard *h = &w->heard;
    tcpwhy_ns at = r->time_ns + w->to_sender;

    h->ack_record = index;
    if (r->ack < h->acked || (r->ack == h->acked && r->window_bytes == h->window))
        return;
    if (r->ack > h->acked) {
        h->acked = r->ack;
        h->moved_record = index;
        h->moved_ns = at;
    }
    if (r->flags & TW_SYN)
        return;
    h->window = r->window_bytes;
    hear_window(w, r, index, at);
}

/* Had the sender heard this record when it sent the other? By time, and by the echoed timestamp. */
static bool heard_before(const struct walk *w, const struct tw_record *ack,
                         const struct tw_record *send, tcpwhy_ns sent_ns)
{
    if (ack->time_ns + w->soonest_ns > sent_ns)
        return false;
    /* RFC 7323, 4.3: a pure ACK in sequence is echoed at once; data may be echoed late. */
    return !(ack->options & send->options & TW_OPT_TIMESTAMP) || ack->len ||
           !tw_seq_after(ack->tsval, send->tsecr);
}

/* Of the peer's records before the send, those that acknowledge. */
static void hear_until(struct walk *w, const struct tw_record *send, tcpwhy_ns sent_ns)
{
    const struct tw_record *r = w->heard.next;
    const uint8_t own = send->from;

    for (; r < send; r++) {
        if (r->from == own || !acknowledges(r))
            continue;
        if (!heard_before(w, r, send, sent_ns))
            break;
        hear(w, r, (uint32_t)(r - w->log->record));
    }
    w->heard.next = r;
}

/* The step with which the window first had room for the segment, where that is known. */
static void set_allowance(struct walk *w, struct tw_send *s)
{
    const struct edge_step *step;

    while (w->next_edge < w->n_edges && w->edge[w->next_edge].edge < s->end)
        w->next_edge++;
    if (w->next_edge >= w->n_edges || (w->next_edge == 0 && !w->edges_left))
        return;
    step = &w->edge[w->next_edge];
    s->allowed_ns = step->at_ns;
    s->closed = step->was_closed;
}

/* Not even an ACK that came half as fast as any we saw could have told the sender that the newest
 * partial segment arrived. Its end only grows, so the search goes on where it stopped. */
static bool surely_unheard(struct walk *w, uint32_t index)
{
    const struct tw_record *record = w->log->record;

    while (w->told < index &&
           (record[w->told].from == w->out->from || record[w->told].ack < w->partial_end))
        w->told++;
    return w->told == index || record[w->told].time_ns + w->to_sender > record[index].time_ns;
}

tcpwhy_ns tw_sends_at_once(const struct tw_vantage *vantage, enum tcpwhy_side from)
{
    if (vantage->to_side_ns[from] == 0)
        return AT_ONCE_NS;
    return MAX(AT_ONCE_NS, vantage->rtt_min_ns / AT_ONCE_SHARE);
}

/* The pattern of Nagle's algorithm: once may be chance, three times is not. Of a partial segment
 * of new bytes, the newest send. */
static bool was_held(const struct walk *w, const struct tw_send *s)
{
    const struct tw_send *before = s - 1;

    return s > w->out->send && before->partial && before->fresh &&
           s->moved_ns != TCPWHY_NS_UNKNOWN && s->moved_ns > before->sent_ns &&
           s->acked >= tw_send_seq(s) && w->log->record[s->moved_record].len == 0 &&
           s->sent_ns - s->moved_ns <= w->at_once_ns;
}

/* What a partial segment of new bytes tells of Nagle's algorithm. */
static void note_partial(struct walk *w, const struct tw_record *r, uint32_t index,
                         const struct tw_send *s)
{
    /* Minshall's rule broken: no Nagle here. FIN and RST are exempt from it. */
    if (!(r->flags & (TW_FIN | TW_URG)) && w->partial_end > s->acked && r->seq >= w->partial_end &&
        surely_unheard(w, index))
        w->out->nagle_off = true;
    w->partial_end = s->end;
    w->out->held += was_held(w, s);
}

static void add_send(struct walk *w, const struct tw_record *r, uint32_t index, tcpwhy_ns sent_ns)
{
    struct tw_sends *out = w->out;
    struct tw_send *s = w->next++;
    bool fin = r->flags & TW_FIN;
    int64_t end = r->seq + r->len + fin;
    bool fresh = end > w->highest, repeat = r->frame_class == TCPWHY_CLASS_RETRANSMISSION;

    w->highest = MAX(w->highest, end);
    *s = (struct tw_send) {
        .sent_ns = sent_ns,
        .end = end,
        .acked = w->heard.acked,
        .edge = w->heard.edge,
        .moved_ns = w->heard.moved_ns,
        .ack_record = w->heard.ack_record,
        .moved_record = w->heard.moved_record,
        .allowed_ns = TCPWHY_NS_UNKNOWN,
        .record = index,
        .len = r->len,
        .behind = (uint32_t)(w->highest - end), /* sequence numbers tell no more than 2^31 */
        .fresh = fresh,
        .repeat = repeat,
        .partial = r->len != out->mss_bytes && r->len % out->mss_bytes != 0,
        .fin = fin,
    };
    if (repeat)
        out->repeats++;
    else if (fresh && w->n_edges)
        set_allowance(w, s);
    if (fresh && s->partial)
        note_partial(w, r, index, s);
    if (w->open == s && out->queues_seen)
        w->open_end = end;
}

/* When a frame left its sender: the shortest way ago, and what its own clock says beyond that. */
static tcpwhy_ns left_at(const struct walk *w, const struct tw_record *r)
{
    tcpwhy_ns delay = w->clock.tick_ns ? tw_clock_delay(&w->clock, r) : 0;

    return r->time_ns - w->to_sender - delay;
}

static void void_round_trip(struct walk *w)
{
    uint32_t index = (uint32_t)(w->rtt_ns - w->out->rtt_ns);

    w->out->first_unknown = MIN(w->out->first_unknown, index);
    *w->rtt_ns++ = TCPWHY_NS_UNKNOWN;
}

/* Note the round trip of each send that this record of the peer is the first to cover; repeats void
 * it (Karn). */
static void end_round_trips(struct walk *w, const struct tw_record *r)
{
    tcpwhy_ns heard_ns = r->time_ns + w->to_sender;
    struct tw_send *s = w->open;

    for (; s < w->next && s->end <= r->ack; s++)
        if (s->fresh && !s->repeat)
            *w->rtt_ns++ = heard_ns - s->sent_ns;
        else
            void_round_trip(w);
    w->open = s;
    w->open_end = s < w->next ? s->end : INT64_MAX;
}

static void take_record(struct walk *own, struct walk *peer, const struct tw_record *r,
                        uint32_t index)
{
    if (own->to_sender > 0)
        tw_packets_step(&own->packets, r, own->shortest_ns);
    if (r->ack >= peer->open_end && !(r->flags & TW_RST) &&
        r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
        end_round_trips(peer, r);
    if (is_send(r)) {
        tcpwhy_ns sent_ns = left_at(own, r);

        hear_until(own, r, sent_ns);
        add_send(own, r, index, sent_ns);
    }
}

static void begin(struct walk *w, const struct tw_connection *c, const struct tw_log *log,
                  const struct tw_survey *survey, const struct tw_vantage *vantage,
                  struct tw_scratch *scratch, struct tw_sends *out, enum tcpwhy_side from)
{
    *w = (struct walk) {
        .log = log,
        .vantage = vantage,
        .scratch = scratch,
        .out = out,
        .heard = { .ack_record = TW_NO_RECORD,
                   .moved_record = TW_NO_RECORD,
                   .moved_ns = TCPWHY_NS_UNKNOWN,
                   .edge = INT64_MAX,
                   .closed_ns = TCPWHY_NS_UNKNOWN,
                   .window = -1,
                   .next = log->record },
        .to_sender = vantage->to_side_ns[from],
        .shortest_ns = MAX(vantage->rtt_min_ns, 0),
        .soonest_ns = vantage->to_side_ns[from] -
                      MAX(HOST_SLACK, vantage->to_side_ns[from] / HOST_SLACK_SHARE),
        .at_once_ns = tw_sends_at_once(vantage, from),
        .highest = 1,
        .open_end = INT64_MAX,
    };
    *out = (struct tw_sends) { .from = from,
                               .mss_bytes = full_segment(c, from),
                               .first_unknown = UINT32_MAX };
    if (w->to_sender > 0)
        tw_clock_build(log, survey, from, scratch, &w->clock);
    out->queues_seen = w->to_sender == 0 || w->clock.tick_ns > 0;
    if (survey->n_records[from] == 0)
        return;
    out->send = tw_scratch_get(scratch, survey->n_records[from], sizeof *out->send);
    out->rtt_ns = tw_scratch_get(scratch, survey->n_records[from], sizeof *out->rtt_ns);
    w->next = w->open = out->send;
    w->rtt_ns = out->rtt_ns;
}

static void finish(struct walk *w)
{
    struct tw_sends *out = w->out;

    out->packets_lack = tw_packets_lack(&w->packets);
    if (!w->rtt_ns)
        return;
    out->n = (uint32_t)(w->next - out->send);
    out->first_unknown = MIN(out->first_unknown, out->n);
    while (out->queues_seen && w->rtt_ns < out->rtt_ns + out->n)
        void_round_trip(w);
}

void tw_sends_build(const struct tw_connection *c, const struct tw_log *log,
                    const struct tw_survey *survey, const struct tw_vantage *vantage,
                    struct tw_scratch *scratch, struct tw_sends out[2])
{
    const struct tw_record *record = log->record;
    struct walk walk[2], *client = &walk[TCPWHY_CLIENT], *server = &walk[TCPWHY_SERVER];

    for (int side = 0; side < 2; side++)
        begin(&walk[side], c, log, survey, vantage, scratch, &out[side], (enum tcpwhy_side)side);
    for (uint32_t i = 0, n = log->n; i < n; i++) {
        bool by_server = record[i].from == TCPWHY_SERVER;

        take_record(by_server ? server : client, by_server ? client : server, &record[i], i);
    }
    finish(client);
    finish(server);
}
