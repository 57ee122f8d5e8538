/* SPDX-License-Identifier: MIT */
/*
 * The path's changes to a connection's segments, as far as one vantage shows it.
 */
#include "base/digits.h"
#include "base/tuple.h"
#include "report/rows/stream_facts.h"

/* One odd segment shows nothing. */
#define LEAST_SEGMENTS 3

/* A frame of Ethernet, which no offload has put together. */
#define ETHERNET_MTU 1500
#define HEADERS_4    40
#define HEADERS_6    60

static const char *name(int side)
{
    return side == TCPWHY_CLIENT ? "client" : "server";
}

static struct tcpwhy_fact fact_of(const struct tw_connection_result *r, const char *word, int side,
                                  uint32_t frame)
{
    return (struct tcpwhy_fact) {
        .fact = word,
        .confidence = TCPWHY_LIKELY,
        .endpoint = tw_tuple_endpoint(&r->connection->tuple, (enum tcpwhy_side)side),
        .count = 1,
        .frame = frame,
    };
}

/* ---- hop limits ------------------------------------------------------------------------------ */

struct hops {
    uint32_t n, changes;
    uint8_t first, last, least, most;
    uint32_t frame; /* of the first change */
};

static void count_hops(struct hops *h, const struct tw_record *r)
{
    if (h->n++ == 0) {
        h->first = h->last = h->least = h->most = r->ttl;
        return;
    }
    if (r->ttl != h->last && h->changes++ == 0)
        h->frame = r->frame;
    h->last = r->ttl;
    h->least = MIN(h->least, r->ttl);
    h->most = MAX(h->most, r->ttl);
}

/* Do any two of a side's segments differ in TTL? Usually none do. */
static bool ttl_varies(const struct tw_log *log)
{
    const struct tw_record *last[2] = { NULL, NULL };

    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++) {
        if (last[r->from] && r->ttl != last[r->from]->ttl)
            return true;
        last[r->from] = r;
    }
    return false;
}

/* RSTs are handled by their failures; a quoted or copied segment counts once. */
static void read_hops(const struct tw_log *log, struct hops hops[2])
{
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (!(r->flags & TW_RST) && r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
            count_hops(&hops[r->from], r);
    }
}

static void tell_hops(const struct tw_connection_result *r, const struct hops *h, int side,
                      struct tw_fact_list *list)
{
    struct tcpwhy_fact fact;

    if (h->changes == 0)
        return;
    fact = fact_of(r, "ttl_changes", side, h->frame);
    fact.count = h->changes;
    fact.of = h->n;
    if (h->changes == 1)
        tw_fact_list_add(list, &fact,
                         "The TTL of the %s's segments changes once, from %u to %u in frame %u: "
                         "another path, or another device that answers for it.",
                         name(side), h->first, h->last, (unsigned)h->frame);
    else
        tw_fact_list_add(list, &fact,
                         "The TTL of the %s's segments changes %u times between %u and %u, first "
                         "in frame %u: several paths, or a middlebox that answers for it.",
                         name(side), (unsigned)h->changes, h->least, h->most, (unsigned)h->frame);
}

/* ---- boxes that end connections ------------------------------------------------------------- */

/* Each connection through such a box has this fact: printf() would be a quarter of all that a short
 * one costs. */
static void tell_ending(tw_string *text, int side, unsigned ttl)
{
    char digits[TW_DIGITS + 1];
    const char *const pieces[] = {
        "A NAT or proxy beside the ",
        name(!side),
        " ends the connection in the ",
        name(side),
        "'s name: the ",
        name(side),
        " has a public address, but no router counted down its TTL of ",
        digits,
        ", and it answers faster than any distance.",
        " What happens behind that box is not in the capture.",
    };

    *tw_digits_put(digits, ttl) = '\0';
    for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++)
        tw_string_append(text, pieces[i]);
    tw_string_append_c(text, '\0');
}

static void look_at_ending(const struct tw_connection_result *r, int side,
                           struct tw_fact_list *list)
{
    struct tcpwhy_fact fact;

    if (!r->explanation->vantage.ended_nearby[side])
        return;
    fact = fact_of(r, "ended_nearby", side, r->log->record[0].frame);
    tell_ending(tw_fact_list_begin(list, &fact), side, r->connection->side[side].ttl);
}

/* ---- checksums ------------------------------------------------------------------------------- */

static const struct tw_record *record_of(const struct tw_log *log, uint32_t frame)
{
    for (uint32_t i = 0; i < log->n; i++)
        if (log->record[i].frame == frame)
            return &log->record[i];
    return NULL;
}

/* A segment that its receiver acknowledged and nobody repeated was right when it arrived. */
static bool was_accepted(const struct tw_connection_result *r, uint32_t frame)
{
    const struct tw_record *record = record_of(r->log, frame);
    const struct tw_side *own = record ? &r->connection->side[record->from] : NULL;

    return own && own->retransmissions == 0 && own->acked >= tw_record_end(record);
}

static void tell_sums(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    struct tcpwhy_fact fact = { .fact = "checksums_wrong", .confidence = TCPWHY_CERTAIN };
    bool outer = false;

    if (r->log->n_sum == 0 || was_accepted(r, r->log->sum[0].frame))
        return;
    for (uint32_t i = 0; i < r->log->n_sum; i++)
        outer |= r->log->sum[i].outer;
    fact.count = r->log->n_sum;
    fact.frame = r->log->sum[0].frame;
    tw_fact_list_add(list, &fact, "Segments with a wrong %s checksum: %u, first in frame %u.",
                     outer ? "outer UDP" : "TCP", (unsigned)r->log->n_sum, (unsigned)fact.frame);
}

/* ---- answers to nobody here ------------------------------------------------------------------ */

/* Is it all SYN/ACKs of one side, and RSTs? Who has sent no SYN is answered in somebody else's
 * place. */
static uint32_t count_unasked(const struct tw_log *log)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (tw_record_is(r, TW_SYN | TW_ACK))
            n += r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME;
        else if (!(r->flags & TW_RST))
            return 0;
    }
    return n;
}

static void look_at_backscatter(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    uint32_t n = r->connection->side[TCPWHY_CLIENT].syn ? 0 : count_unasked(r->log);
    struct tcpwhy_fact fact;

    if (n == 0)
        return;
    fact = fact_of(r, "backscatter", TCPWHY_SERVER, r->log->record[0].frame);
    fact.count = n;
    tw_fact_list_add(
        list, &fact,
        "SYN/ACKs (%u) without a SYN: not a connection, but responses to SYNs that another "
        "host sent with this address (backscatter); or a capture that misses the "
        "SYNs.",
        (unsigned)n);
}

/* ---- options of the handshake ---------------------------------------------------------------- */

static uint32_t syn_ack_frame(const struct tw_log *log)
{
    for (uint32_t i = 0; i < log->n; i++)
        if (tw_record_is(&log->record[i], TW_SYN | TW_ACK))
            return log->record[i].frame;
    return 0;
}

/* RFC 7323 brought both options, and kernels switch both on: one alone was taken out, or switched
 * off. */
static void look_at_scale(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    const struct tw_side *client = &r->connection->side[TCPWHY_CLIENT];
    const struct tw_side *server = &r->connection->side[TCPWHY_SERVER];
    struct tcpwhy_fact fact;

    if (!client->syn || !server->syn || !(client->syn_options & TW_OPT_WSCALE) ||
        server->syn_options & (TW_OPT_WSCALE | TW_OPT_CUT) ||
        !(server->syn_options & TW_OPT_TIMESTAMP))
        return;
    fact = fact_of(r, "window_scale_missing", TCPWHY_SERVER, syn_ack_frame(r->log));
    tw_fact_list_add(list, &fact,
                     "The SYN/ACK (frame %u) has timestamps and no window scale, which the SYN "
                     "offered: a middlebox removed it, or the server has it switched off. Windows "
                     "are limited to 65,535 bytes.",
                     (unsigned)fact.frame);
}

/* ---- segments larger than what was offered --------------------------------------------------- */

static void look_at_mss(const struct tw_connection_result *r, int side, struct tw_fact_list *list)
{
    const struct tw_side *sender = &r->connection->side[side];
    uint32_t mss = r->connection->side[!side].mss, largest = sender->largest, n = 0, n_large = 0;
    uint32_t headers = r->connection->tuple.version == 4 ? HEADERS_4 : HEADERS_6;
    struct tcpwhy_fact fact;

    if (mss == 0 || largest <= mss || largest + headers > ETHERNET_MTU)
        return;
    fact = fact_of(r, "mss_rewritten", !side, 0);
    for (uint32_t i = 0; i < r->log->n; i++) {
        const struct tw_record *record = &r->log->record[i];

        if (record->from != side || record->len <= mss / 2)
            continue;
        n_large++;
        if (record->len == largest && n++ == 0)
            fact.frame = record->frame;
    }
    if (n < LEAST_SEGMENTS || n * 2 < n_large)
        return;
    fact.count = n;
    tw_fact_list_add(list, &fact,
                     "The %s sends segments of %u bytes (first in frame %u), more than the MSS of "
                     "%u that the %s offers here: a middlebox between here and the %s rewrites it.",
                     name(side), (unsigned)largest, (unsigned)fact.frame, (unsigned)mss,
                     name(!side), name(side));
}

void tw_stream_path_find(const struct tw_connection_result *result, struct tw_fact_list *list)
{
    struct hops hops[2] = { { 0 }, { 0 } };

    look_at_scale(result, list);
    tell_sums(result, list);
    look_at_backscatter(result, list);
    if (ttl_varies(result->log))
        read_hops(result->log, hops);
    for (int side = 0; side < 2; side++) {
        look_at_ending(result, side, list);
        look_at_mss(result, side, list);
        tell_hops(result, &hops[side], side, list);
    }
}
