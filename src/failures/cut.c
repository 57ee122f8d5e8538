/* SPDX-License-Identifier: MIT */
#include "failures/cut.h"

#include <string.h>

#include <glib.h>

#include "explain/model/full_segment.h"

/* The longest one-way delay to allow for, however short the RTTs seen. */
#define GRACE_NS TCPWHY_S(1)

/* Votes for the usual TTL of a side: the one that most segments have (Boyer-Moore). */
struct usual_ttl {
    uint8_t ttl;
    uint32_t votes; /* all segments, while they agree */
    bool varies;
};

static void vote(struct usual_ttl *u, uint8_t ttl)
{
    if (ttl != u->ttl && u->votes > 0) {
        u->varies = true;
        u->votes--;
        return;
    }
    u->ttl = ttl;
    u->votes++;
}

/* A copy of a frame, or a RST. */
static bool is_no_segment(const struct tw_record *r)
{
    return !r->usual && (r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME || r->flags & TW_RST);
}

static void read_record(struct tw_cut *cut, uint32_t i, struct usual_ttl ttl[2])
{
    const struct tw_record *r = &cut->log->record[i];
    const uint8_t side = r->from;

    if (is_no_segment(r))
        return;
    if (!r->usual && r->flags & TW_FIN && cut->fin[side] == TW_NO_RECORD)
        cut->fin[side] = i;
    cut->heard[side] = i;
    if (r->flags & TW_ACK && r->ack > MAX(cut->sent[!side], 1) + 1) /* behind SYN, data and FIN */
        cut->unseen[!side] = i;
    if (r->flags & TW_ACK && r->ack > cut->acked[!side]) {
        cut->acked[!side] = r->ack;
        cut->taken[!side] = i;
    }
    if (r->len > 0 && r->seq + r->len > cut->sent[side]) {
        cut->sent[side] = r->seq + r->len;
        cut->data[side] = i;
    }
    vote(&ttl[side], r->ttl);
}

/* Does the side send anything but RSTs behind that record? If not, they are its answer to all that
 * comes (RFC 9293, 3.10.7.1), however long the other side goes on. */
static bool is_heard_from(const struct tw_cut *cut, unsigned side, uint32_t record)
{
    return cut->heard[side] != TW_NO_RECORD && cut->heard[side] > record;
}

tcpwhy_ns tw_cut_under_way(const struct tw_cut *cut)
{
    return MAX(cut->vantage->rtt_max_ns, GRACE_NS);
}

/* A RST after which the connection continues was not acceptable (RFC 5961, 3): the other side sends
 * new data although it must have seen it, or accepts data that its side sent later (sent: the
 * offset after the earlier data). A side that continues in vain did not send the RST. */
static bool is_believed(const struct tw_cut *cut, uint32_t i, int64_t sent)
{
    const struct tw_record *rst = &cut->log->record[i];
    const struct tw_record *other = tw_cut_record(cut, cut->data[!rst->from]);
    uint32_t own = cut->data[rst->from];

    if (other && other->time_ns > rst->time_ns + tw_cut_under_way(cut) &&
        is_heard_from(cut, rst->from, i))
        return false;
    return own == TW_NO_RECORD || own < i || cut->acked[rst->from] <= sent;
}

static void find_resets(struct tw_cut *cut)
{
    int64_t sent[2] = { 0 };

    for (uint32_t i = 0; i < cut->log->n; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (!(r->flags & TW_RST))
            sent[r->from] = MAX(sent[r->from], tw_record_end(r));
        if (r->flags & TW_RST && cut->rst[r->from] == TW_NO_RECORD &&
            is_believed(cut, i, sent[r->from]))
            cut->rst[r->from] = i;
    }
}

static void read_log(struct tw_cut *cut)
{
    const struct tw_connection *c = cut->connection;
    struct usual_ttl ttl[2];

    memset(ttl, 0, sizeof ttl);
    for (uint32_t i = 0; i < cut->log->n; i++)
        read_record(cut, i, ttl);
    for (int side = 0; side < 2; side++) {
        cut->ttl[side] = ttl[side].ttl;
        cut->ttl_steady[side] = !ttl[side].varies && ttl[side].votes >= 2;
    }
    if (c->side[TCPWHY_CLIENT].rst || c->side[TCPWHY_SERVER].rst)
        find_resets(cut);
}

/* A side that closed and resets the answer that comes then has no program left to read it. */
static bool is_left(const struct tw_cut *cut, const struct tw_exchange *e)
{
    uint32_t fin = cut->fin[e->asker], rst = cut->rst[e->asker];

    return fin < e->response_first && rst != TW_NO_RECORD && rst > e->response_first;
}

/* An answer after a RST in its sender's name reaches no program. */
static bool is_answered(const struct tw_cut *cut, const struct tw_exchange *e)
{
    return e->response_first < cut->rst[!e->asker] && e->response_to > e->response_from &&
           !is_left(cut, e);
}

static bool is_complete(const struct tw_cut *cut, const struct tw_exchange *e)
{
    return e->complete && e->response_last < cut->rst[!e->asker];
}

/* A RST behind a full segment, with which a message of many ends by a rare chance, and no later
 * than what is under way: its sender had more, which no longer came (RFC 9293, 3.9.1: ABORT). */
static bool is_torn_off(const struct tw_cut *cut, const struct tw_exchange *e)
{
    const struct tw_record *last = tw_cut_record(cut, e->response_last);
    const uint32_t rst = cut->rst[!e->asker];

    return !e->framed && last && rst != TW_NO_RECORD && cut->fin[!e->asker] == TW_NO_RECORD &&
           e->response_last == cut->data[!e->asker] &&
           e->response_to - e->response_from > last->len &&
           tw_cut_between(cut, e->response_last, rst) <= tw_cut_under_way(cut) &&
           last->len % tw_full_segment_find(cut->log, last->from) == 0;
}

/* Silence before a request. */
static tcpwhy_ns silence_before(const struct tw_cut *cut, const struct tw_exchange *e)
{
    uint32_t first = e->request_first;

    return first > 0 && first < cut->log->n ? tw_cut_between(cut, first - 1, first) : 0;
}

static bool is_request(const struct tw_exchange *e)
{
    return e->request_first != TW_NO_RECORD && e->request_to > e->request_from && !e->at_will &&
           !e->stands && !e->one_way && !e->lapsed && !tw_exchange_is_farewell(e);
}

/* Something came after the request that the capture lacks, as the ACKs of its sender show. */
static bool is_answered_unseen(const struct tw_cut *cut, const struct tw_exchange *e)
{
    const struct tw_record *ack = tw_cut_record(cut, cut->unseen[!e->asker]);

    return ack && e->request_last < cut->unseen[!e->asker] &&
           ack->ack > cut->log->record[e->request_last].ack;
}

/* The asker, or else the server, reported that the rest of the stream is not needed (RFC 9113, 7:
 * CANCEL). */
static bool is_cancelled(const struct tw_cut *cut, const struct tw_exchange *e)
{
    const char *detail = e->more ? cut->exchanges->more[e->more - 1].detail : NULL;

    return detail && strcmp(detail, "RST_STREAM CANCEL") == 0;
}

static void forget_exchanges(struct tw_cut *cut)
{
    cut->open = cut->part = cut->last = NULL;
    cut->suspect = false;
    cut->n_answered = 0;
    cut->survived_ns = cut->idle_ns = 0;
    cut->asker = TCPWHY_CLIENT;
    cut->request = cut->request_end = TW_NO_RECORD;
}

/* Answers come in order: a request before one that was answered was not meant to have one. */
static void read_exchanges(struct tw_cut *cut)
{
    const struct tw_exchanges *all = cut->exchanges;

    forget_exchanges(cut);
    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = &all->exchange[i];

        cut->suspect |= e->expects || e->to_close || e->request_part || e->lapsed;
        if (is_answered(cut, e)) {
            cut->last = e;
            cut->open = NULL;
            cut->part =
                (is_complete(cut, e) && !is_torn_off(cut, e)) || is_cancelled(cut, e) ? NULL : e;
            cut->n_answered += is_complete(cut, e);
            cut->survived_ns = MAX(cut->survived_ns, silence_before(cut, e));
        } else if (is_answered_unseen(cut, e)) {
            cut->open = cut->part = NULL;
        } else if (!cut->open && is_request(e)) {
            cut->open = e;
        }
    }
    if (!cut->open)
        return;
    cut->asker = cut->open->asker;
    cut->request = cut->open->request_first;
    cut->request_end = cut->open->request_last;
    if (cut->request_end == TW_NO_RECORD || cut->request_end < cut->request)
        cut->request_end = cut->request;
    cut->idle_ns = silence_before(cut, cut->open);
}

/* Usual records have ordinary classes. */
static uint32_t unusual_classes(const struct tw_log *log)
{
    uint32_t classes = 0;

    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++)
        if (!r->usual && !is_no_segment(r))
            classes |= 1u << r->frame_class;
    return classes;
}

void tw_cut_begin(const struct tw_connection *c, const struct tw_log *log,
                  const struct tw_exchanges *exchanges, const struct tw_vantage *vantage,
                  struct tw_cut *out)
{
    *out = (struct tw_cut) {
        .connection = c,
        .log = log,
        .vantage = vantage,
        .exchanges = exchanges,
        .fin = { TW_NO_RECORD, TW_NO_RECORD },
        .rst = { TW_NO_RECORD, TW_NO_RECORD },
        .heard = { TW_NO_RECORD, TW_NO_RECORD },
        .data = { TW_NO_RECORD, TW_NO_RECORD },
        .taken = { TW_NO_RECORD, TW_NO_RECORD },
        .unseen = { TW_NO_RECORD, TW_NO_RECORD },
    };
    out->classes = unusual_classes(log);
    read_exchanges(out);
}

void tw_cut_read(struct tw_cut *cut)
{
    read_log(cut);
    read_exchanges(cut);
}

tcpwhy_ns tw_cut_between(const struct tw_cut *cut, uint32_t from, uint32_t to)
{
    if (from >= cut->log->n || to >= cut->log->n)
        return TCPWHY_NS_UNKNOWN;
    return cut->log->record[to].time_ns - cut->log->record[from].time_ns;
}

int64_t tw_cut_received(const struct tw_cut *cut, const struct tw_exchange *e)
{
    int64_t acked = cut->acked[!e->asker];

    return (acked > e->response_from ? MIN(acked, e->response_to) : e->response_to) -
           e->response_from;
}

/* A FIN that acknowledges the other side's FIN answers it. */
bool tw_cut_closed_unasked(const struct tw_cut *cut, enum tcpwhy_side side)
{
    const struct tw_record *own = tw_cut_record(cut, cut->fin[side]);
    const struct tw_record *other = tw_cut_record(cut, cut->fin[!side]);

    if (own && cut->fin[side] < cut->rst[!side])
        return !other || own->ack < tw_record_end(other);
    return cut->rst[side] < cut->rst[!side] && cut->rst[side] < cut->fin[!side];
}

bool tw_cut_is_dialog(const struct tw_cut *cut, uint32_t least_turns)
{
    return (cut->open && (cut->open->framed || strcmp(cut->open->protocol, "turn") != 0)) ||
           cut->n_answered >= least_turns;
}

void tw_cut_tell_hello(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->open;
    uint32_t parts = 0;

    if (!e || strcmp(e->protocol, "tls") != 0 || !e->request[0])
        return;
    out->name = cut->exchanges->server_name;
    if (cut->acked[cut->asker] >= e->request_to)
        return;
    for (uint32_t i = cut->request; i <= cut->request_end; i++)
        parts += cut->log->record[i].from == e->asker && cut->log->record[i].fresh > 0;
    if (parts > 1)
        tw_failure_clue(out, TW_CLUE_HELLO_PARTS, parts, 0);
}

void tw_failure_begin(struct tw_failure *out, enum tcpwhy_failure_kind kind,
                      enum tcpwhy_failed failed, enum tcpwhy_seen_as seen_as)
{
    *out = (struct tw_failure) {
        .kind = kind,
        .failed = failed,
        .seen_as = seen_as,
        .confidence = TCPWHY_CERTAIN,
        .after_ns = TCPWHY_NS_UNKNOWN,
    };
}

void tw_failure_frame(struct tw_failure *out, const struct tw_cut *cut, uint32_t record)
{
    if (record < cut->log->n)
        tw_failure_frame_number(out, cut->log->record[record].frame);
}

void tw_failure_frame_number(struct tw_failure *out, uint32_t frame)
{
    if (out->n_frames < TW_FAILURE_FRAMES)
        out->frames[out->n_frames++] = frame;
}

void tw_failure_clue(struct tw_failure *out, enum tw_clue_kind kind, double a, double b)
{
    if (out->n_clues < TW_FAILURE_CLUES)
        out->clue[out->n_clues++] = (struct tw_clue) { kind, a, b };
}

void tw_failure_waited(struct tw_failure *out, const struct tw_cut *cut, uint32_t from, uint32_t to)
{
    out->after_ns = tw_cut_between(cut, from, to);
    tw_failure_frame(out, cut, from);
    tw_failure_frame(out, cut, to);
    tw_failure_clue(out, TW_CLUE_KNOWN_TIMEOUT, (double)out->after_ns / 1e9, 0);
}
