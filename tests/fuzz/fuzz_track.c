/* SPDX-License-Identifier: MIT */
/*
 * Tracker, log, exchanges and explanation of a few connections. The input is a program: each
 * instruction is one segment, written relative to what its connection has seen, so that most inputs
 * are conversations and not noise.
 */
#include <assert.h>
#include <string.h>

#include <glib.h>

#include "app/app.h"
#include "base/counts.h"
#include "base/memory.h"
#include "explain/explain.h"
#include "log/log.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"
#include "tests/same_tracked.h"
#include "track/track.h"

#define CONNECTIONS  3
#define SEGMENTS_MAX 3000

/* As far as the engine lets times be from the first frame's. */
#define TIME_REACH (INT64_MAX / 2)

/* State that both sides of a conversation would have. */
struct talk {
    uint32_t next[2]; /* sequence numbers */
    uint32_t lost[2]; /* where a hole began last */
    uint32_t ts;
};

struct machine {
    struct input in;
    struct tw_tracker *tracker, *plain; /* plain: never the short way */
    struct talk talk[CONNECTIONS];
    tcpwhy_ns now;
};

/* Data attached to a connection, as the engine attaches it. */
struct attached {
    struct tw_log *log;
    struct tw_app app;
};

static const uint8_t text[] = "GET /a HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 200 OK\r\n"
                              "Content-Length: 5\r\n\r\nhelloHTTP/1.1 204 No\r\n\r\nPOST / ";

enum op {
    OP_DATA,    /* in order, of a length */
    OP_ACK,     /* of all that was sent */
    OP_PART,    /* ACK of a part, or of too much */
    OP_SKIP,    /* bytes that the capture lacks, then data */
    OP_REPEAT,  /* bytes once more */
    OP_SACK,    /* an ACK with blocks */
    OP_WINDOW,  /* the window changes */
    OP_SYN,     /* SYN or SYN/ACK */
    OP_FLAGS,   /* FIN, RST, URG: any flags */
    OP_WILD,    /* any numbers */
    OP_OPTIONS, /* timestamps, scale, MSS */
    OP_PAUSE,   /* time goes on, or back */
    OP_ICMP,    /* a message of three bytes */
    OP_TAKE,    /* it is over, and explained: of what follows it was closed before */
    N_OPS,
};

static tcpwhy_ns pause_of(struct input *in)
{
    static const tcpwhy_ns unit[] = { 1000, TCPWHY_MS(1), TCPWHY_MS(10), TCPWHY_S(1) };
    uint8_t kind = input_u8(in), count = input_u8(in);

    if (kind == 0xff)
        return (tcpwhy_ns)(input_u64(in) >> 2);
    if (kind == 0xfe)
        return -(tcpwhy_ns)(input_u64(in) >> 2);
    return unit[kind % 4] * count;
}

static void make_sack(struct machine *m, const struct talk *t, struct tw_segment *s, int side)
{
    s->n_sack = 1 + input_u8(&m->in) % TW_MAX_SACK;
    s->options |= TW_OPT_SACK;
    for (int i = 0; i < s->n_sack; i++) {
        s->sack[i][0] = t->next[!side] - input_u16(&m->in);
        s->sack[i][1] = s->sack[i][0] + input_u16(&m->in);
    }
}

static void make_options(struct machine *m, struct talk *t, struct tw_segment *s)
{
    uint8_t which = input_u8(&m->in);

    if (which & 1) {
        s->options |= TW_OPT_TIMESTAMP;
        s->tsval = t->ts += which >> 4;
        s->tsecr = t->ts - input_u8(&m->in);
    }
    if (which & 2) {
        s->options |= TW_OPT_WSCALE;
        s->wscale = input_u8(&m->in);
    }
    if (which & 4) {
        s->options |= TW_OPT_MSS;
        s->mss = input_u16(&m->in);
    }
    if (which & 8)
        s->ip_id = input_u16(&m->in);
}

/* The instruction's changes to a plain ACK of that side. */
static void apply(struct machine *m, struct talk *t, enum op op, int side, struct tw_segment *s)
{
    struct input *in = &m->in;

    switch (op) {
    case OP_SKIP:
        t->lost[side] = t->next[side];
        t->next[side] += input_u16(in);
        s->seq = t->next[side];
        s->len = input_u8(in);
        break;
    case OP_DATA:
        s->len = input_u8(in) * (1 + (input_u8(in) & 15u));
        s->flags |= TW_PSH;
        break;
    case OP_REPEAT:
        s->seq = input_u8(in) & 1 ? t->lost[side] : t->next[side] - input_u16(in);
        s->len = input_u8(in);
        break;
    case OP_PART:
        s->ack += (uint32_t)(int16_t)input_u16(in);
        break;
    case OP_SACK:
        make_sack(m, t, s, side);
        break;
    case OP_WINDOW:
        s->window = input_u8(in) & 1 ? 0 : input_u16(in);
        break;
    case OP_SYN:
        s->flags = input_u8(in) & 1 ? TW_SYN | TW_ACK : TW_SYN;
        make_options(m, t, s);
        break;
    case OP_FLAGS:
        s->flags = input_u16(in) & 0x1ff;
        s->len = input_u8(in) & 7;
        break;
    case OP_WILD:
        s->seq = input_u32(in);
        s->ack = input_u32(in);
        s->flags = input_u16(in) & 0x1ff;
        s->len = input_u32(in) >> 12;
        s->facts = input_u8(in);
        break;
    case OP_OPTIONS:
        make_options(m, t, s);
        break;
    default:
        break;
    }
}

static void take(struct machine *m, const struct tw_segment *s, uint32_t frame)
{
    struct tw_tracked tracked;
    struct attached *a;

    tw_tracker_push(m->tracker, s, m->now, frame, &tracked);
    assert(plain_tracker_agrees(m->plain, &tracked));
    a = tracked.connection->log;
    if (!a) {
        a = tw_new0(struct attached, 1);
        a->log = tw_log_new();
        tracked.connection->log = a;
    }
    tw_log_append(a->log, &tracked);
    tw_app_push(&a->app, &tracked);
}

static void take_icmp(struct machine *m, const struct tw_tuple *tuple, int side, uint32_t frame)
{
    struct tw_connection *c = tw_tracker_find(m->tracker, tuple);
    struct tw_log_icmp icmp = { .time_ns = m->now,
                                .frame = frame,
                                .kind = input_u8(&m->in) % 4,
                                .mtu = input_u16(&m->in),
                                .to = (enum tcpwhy_side)side };

    if (c && c->log)
        tw_log_append_icmp(((struct attached *)c->log)->log, &icmp);
}

static struct tw_tuple tuple_of(unsigned connection, int side)
{
    struct tw_tuple t = { .version = 4 };

    t.address[side][0] = 10;
    t.address[!side][0] = 11;
    t.port[side] = (uint16_t)(40000 + connection);
    t.port[!side] = 80;
    return t;
}

/* Spans follow each other without a hole and add up to the life, to the nanosecond. */
static void check_spans(const struct tw_log *log, const struct tw_explanation *x)
{
    tcpwhy_ns at = log->record[0].time_ns;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *s = &x->span[i];

        assert(s->from_ns == at);
        assert(s->to_ns > at || (s->cause == TCPWHY_CONNECT_REFUSED && s->to_ns == at));
        assert(s->cause > TCPWHY_CAUSE_NONE && s->cause < TW_N_CAUSES);
        assert(s->first_record <= s->last_record && s->last_record < log->n);
        assert(s->confidence == TCPWHY_CERTAIN || s->rival != TCPWHY_CAUSE_NONE ||
               s->cause == TCPWHY_UNKNOWN);
        at = s->to_ns;
    }
    assert(at == log->record[log->n - 1].time_ns);
}

static void check_exchanges(const struct tw_log *log, const struct tw_exchanges *all)
{
    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = &all->exchange[i];

        assert(i == 0 || e->request_from >= e[-1].request_from);
        assert(e->request_from <= e->request_to && e->response_from <= e->response_to);
        assert(e->request_first == TW_NO_RECORD || e->request_first < log->n);
        assert(e->response_last == TW_NO_RECORD || e->response_last < log->n);
        assert(e->response_acked == TW_NO_RECORD || e->response_acked < log->n);
    }
}

static void finish(struct tw_connection *c)
{
    struct attached *a = c->log;
    struct tw_exchanges exchanges = { 0 };
    struct tw_explanation explanation = { 0 };
    struct tw_explainer explainer = { 0 };

    tw_app_end(&a->app);
    tw_exchanges_build(a->log, &a->app, &exchanges);
    check_exchanges(a->log, &exchanges);
    tw_explain(c, a->log, &exchanges, &explainer, &explanation);
    check_spans(a->log, &explanation);
    tw_explanation_clear(&explanation);
    tw_scratch_clear(&explainer.scratch);
    tw_exchanges_clear(&exchanges);
    tw_app_clear(&a->app);
    tw_log_free(a->log);
    tw_free(a);
    c->log = NULL;
}

static void take_from(struct tw_tracker *tracker, struct tw_connection *c, bool forgets)
{
    tw_tracker_take(tracker, c);
    tw_connection_free(c);
    if (forgets)
        tw_tracker_forget(tracker);
}

/* The last of the connections is forgotten, too. */
static void take_out(struct machine *m, const struct tw_tuple *tuple, bool forgets)
{
    struct tw_connection *c = tw_tracker_find(m->tracker, tuple);

    if (!c)
        return;
    finish(c);
    take_from(m->tracker, c, forgets);
    take_from(m->plain, tw_tracker_find(m->plain, tuple), forgets);
}

static void step(struct machine *m, uint32_t frame)
{
    uint8_t code = input_u8(&m->in);
    unsigned connection = (code >> 5) % CONNECTIONS;
    int side = code >> 4 & 1;
    enum op op = (code & 15) % N_OPS;
    struct talk *t = &m->talk[connection];
    struct tw_segment s = { .tuple = tuple_of(connection, side),
                            .seq = t->next[side],
                            .ack = t->next[!side],
                            .flags = TW_ACK,
                            .window = 65535,
                            .ttl = side ? 60 : 64,
                            .header_len = TW_TCP_HEADER };

    if (op == OP_PAUSE) {
        m->now += pause_of(&m->in);
        m->now = CLAMP(m->now, -TIME_REACH, TIME_REACH);
        return;
    }
    if (op == OP_ICMP) {
        take_icmp(m, &s.tuple, side, frame);
        return;
    }
    if (op == OP_TAKE) {
        take_out(m, &s.tuple, connection == CONNECTIONS - 1);
        return;
    }
    apply(m, t, op, side, &s);
    s.payload =
        tw_bytes(text + TW_TCP_HEADER + code % 32, MIN(s.len, sizeof text - TW_TCP_HEADER - 32));
    if (s.payload.len < s.len)
        s.facts |= TW_SEG_PAYLOAD_CUT;
    if (op != OP_WILD && op != OP_REPEAT)
        t->next[side] = s.seq + s.len + !!(s.flags & TW_SYN) + !!(s.flags & TW_FIN);
    m->now = MIN(m->now + 1000, TIME_REACH);
    take(m, &s, frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine m = { .in = { tw_bytes(data, size) },
                         .tracker = tw_tracker_new(size & 1),
                         .plain = tw_tracker_new(false) };

    for (uint32_t frame = 1; m.in.rest.len > 0 && frame < SEGMENTS_MAX; frame++)
        step(&m, frame);
    for (struct tw_connection *c = tw_tracker_first(m.tracker); c; c = c->next)
        finish(c);
    tw_tracker_free(m.tracker);
    tw_tracker_free(m.plain);
    return 0;
}

/* An instruction, as long as it is read. */
static size_t piece(struct tw_bytes rest)
{
    struct machine m = { .in = { rest } };
    struct tw_segment s = { 0 };
    struct talk t = { 0 };
    enum op op = (input_u8(&m.in) & 15) % N_OPS;

    if (op == OP_PAUSE)
        pause_of(&m.in);
    else if (op == OP_ICMP)
        input_bytes(&m.in, 3);
    else if (op != OP_TAKE)
        apply(&m, &t, op, 0, &s);
    return rest.len - m.in.rest.len;
}

MUTATE_PIECES(0, piece)
