/* SPDX-License-Identifier: MIT */
/* One gap in a script, changed in one thing after the other, and what the arbiter takes it for. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "explain/attribute/hypotheses.h"
#include "explain/path/cross_traffic.h"
#include "tests/unit/made_gap.h"
#include "tests/unit/script.h"

struct script_gap {
    struct made_gap made;
};

void script_drop_gap(struct script *s)
{
    tw_free(s->gap);
    s->gap = NULL;
}

/* gap [remote] */
void script_make_gap(struct script_at *a)
{
    script_drop_gap(a->script);
    a->script->gap = tw_new0(struct script_gap, 1);
    if (script_takes(a, "remote"))
        make_wait_remote(&a->script->gap->made);
    else
        make_gap(&a->script->gap->made);
}

/* ---- names -------------------------------------------------------------------------------------
 */

enum part { GAP, CLAIM, EPISODE, VANTAGE, RECORD, SEND, ROUND, SIDE };
enum kind { NUMBER, TIME, REAL, CAUSE, PARTY, TO_SEND, TO_ROUND, TO_EPISODE, TO_RECORD };

static const struct {
    const char *name;
    enum part part;
    size_t offset; /* of a side: its index */
} parts[] = {
    { "gap", GAP, offsetof(struct made_gap, gap) },
    { "claim", CLAIM, offsetof(struct made_gap, claim) },
    { "episode", EPISODE, offsetof(struct made_gap, episode) },
    { "vantage", VANTAGE, offsetof(struct made_gap, context.vantage) },
    { "first_ack", RECORD, offsetof(struct made_gap, record[FIRST_ACK]) },
    { "old_data", RECORD, offsetof(struct made_gap, record[OLD_DATA]) },
    { "before", RECORD, offsetof(struct made_gap, record[BEFORE]) },
    { "ack_before", RECORD, offsetof(struct made_gap, record[ACK_BEFORE]) },
    { "ack", RECORD, offsetof(struct made_gap, record[ACK]) },
    { "now", RECORD, offsetof(struct made_gap, record[NOW]) },
    { "later", RECORD, offsetof(struct made_gap, record[LATER]) },
    { "send0", SEND, offsetof(struct made_gap, send[0]) },
    { "send1", SEND, offsetof(struct made_gap, send[1]) },
    { "send2", SEND, offsetof(struct made_gap, send[2]) },
    { "send3", SEND, offsetof(struct made_gap, send[3]) },
    { "round0", ROUND, offsetof(struct made_gap, round[0]) },
    { "round1", ROUND, offsetof(struct made_gap, round[1]) },
    { "round2", ROUND, offsetof(struct made_gap, round[2]) },
    { "client", SIDE, TCPWHY_CLIENT },
    { "server", SIDE, TCPWHY_SERVER },
};

struct field {
    const char *name;
    enum part part;
    enum kind kind;
    size_t offset, size, stride; /* of a side: from one to the other */
};

#define FIELD(part, type, member, name, kind)                                                      \
    {                                                                                              \
        name, part, kind, offsetof(type, member), sizeof(((type *)0)->member), 0                   \
    }
#define OF_GAP(member, name, kind)    FIELD(GAP, struct tw_gap, member, name, kind)
#define OF_CLAIM(member, name, kind)  FIELD(CLAIM, struct tw_claim, member, name, kind)
#define OF_EPISODE(member)            FIELD(EPISODE, struct tw_recovery_episode, member, #member, NUMBER)
#define OF_VANTAGE(member, name)      FIELD(VANTAGE, struct tw_vantage, member, name, TIME)
#define OF_RECORD(member, name, kind) FIELD(RECORD, struct tw_record, member, name, kind)
#define OF_SEND(member, name, kind)   FIELD(SEND, struct tw_send, member, name, kind)
#define OF_ROUND(member, name, kind)  FIELD(ROUND, struct tw_round, member, name, kind)
#define OF_SIDE(array, member, name, kind)                                                         \
    {                                                                                              \
        name, SIDE, kind, offsetof(struct made_gap, array[0] member),                              \
            sizeof(((struct made_gap *)0)->array[0] member),                                       \
            sizeof(((struct made_gap *)0)->array[0])                                               \
    }

#define POINTER_OF_GAP(member, to_kind)                                                            \
    {                                                                                              \
        .name = #member, .part = GAP, .kind = to_kind, .offset = offsetof(struct tw_gap, member)   \
    }

static const struct field fields[] = {
    OF_GAP(phase, "phase", NUMBER),
    OF_GAP(sender, "sender", NUMBER),
    OF_GAP(from_ns, "from", TIME),
    OF_GAP(to_ns, "to", TIME),
    OF_GAP(propagation_ns, "propagation", TIME),
    OF_GAP(since_ack_ns, "since_ack", TIME),
    OF_GAP(first_record, "first_record", NUMBER),
    OF_GAP(ack_clocked, "ack_clocked", NUMBER),
    OF_GAP(flight_empty, "flight_empty", NUMBER),
    OF_GAP(busy, "busy", NUMBER),
    OF_GAP(final, "final", NUMBER),
    OF_GAP(uneven, "uneven", NUMBER),
    OF_GAP(way.ack_late_ns, "ack_late", TIME),
    OF_GAP(way.cross_traffic, "cross_traffic", NUMBER),
    OF_GAP(way.cross_traffic_ns, "crossed", TIME),
    OF_GAP(way.maybe_late_ns, "maybe_late", TIME),
    OF_GAP(way.queued, "queued", NUMBER),
    OF_GAP(turn.guessed, "guessed", NUMBER),
    OF_GAP(turn.unasked, "unasked", NUMBER),
    OF_GAP(closed.record, "closed", NUMBER),
    OF_GAP(closed.probe, "probe", NUMBER),
    OF_GAP(closed.sender, "closed_sender", NUMBER),
    POINTER_OF_GAP(send, TO_SEND),
    POINTER_OF_GAP(before, TO_SEND),
    POINTER_OF_GAP(round, TO_ROUND),
    POINTER_OF_GAP(episode, TO_EPISODE),
    OF_CLAIM(party, "party", PARTY),
    OF_CLAIM(rival, "rival", CAUSE),
    OF_CLAIM(from, "sender", NUMBER),
    OF_CLAIM(from_ns, "from", TIME),
    OF_CLAIM(to_ns, "to", TIME),
    OF_CLAIM(key_record, "key_record", NUMBER),
    OF_EPISODE(sender),
    OF_EPISODE(arrived),
    OF_EPISODE(first),
    OF_EPISODE(unseen),
    OF_EPISODE(black_hole),
    OF_EPISODE(hole_bytes),
    OF_EPISODE(first_record),
    OF_EPISODE(repair_record),
    OF_VANTAGE(rtt_min_ns, "rtt_min"),
    OF_VANTAGE(rtt_median_ns, "rtt_median"),
    OF_RECORD(time_ns, "time", TIME),
    OF_RECORD(from, "sender", NUMBER),
    OF_RECORD(seq, "seq", NUMBER),
    OF_RECORD(ack, "ack", NUMBER),
    OF_RECORD(len, "len", NUMBER),
    OF_RECORD(flags, "flags", NUMBER),
    OF_RECORD(facts, "facts", NUMBER),
    OF_RECORD(ip_id, "ip_id", NUMBER),
    OF_RECORD(options, "options", NUMBER),
    OF_RECORD(to_client, "to_client", NUMBER),
    OF_RECORD(tx_delay[TCPWHY_CLIENT], "tx_delay", NUMBER),
    OF_SEND(end, "end", NUMBER),
    OF_SEND(len, "len", NUMBER),
    OF_SEND(is, "is", NUMBER),
    OF_SEND(ack_late_ms, "ack_late_ms", NUMBER),
    OF_SEND(sent_ns, "sent", TIME),
    OF_SEND(acked, "acked", NUMBER),
    OF_SEND(edge, "edge", NUMBER),
    OF_SEND(allowed_ns, "allowed", TIME),
    OF_SEND(ack_record, "ack_record", NUMBER),
    OF_SEND(moved_record, "moved_record", NUMBER),
    OF_ROUND(first, "first", NUMBER),
    OF_ROUND(duration_ns, "duration", TIME),
    OF_ROUND(max_gap_ns, "max_gap", TIME),
    OF_ROUND(queue_ns, "queue", TIME),
    OF_ROUND(flight_bytes, "flight", NUMBER),
    OF_ROUND(most_bytes, "most", NUMBER),
    OF_ROUND(idle_bytes, "idle", NUMBER),
    OF_ROUND(window_bytes, "window", NUMBER),
    OF_ROUND(rate, "rate", REAL),
    OF_ROUND(repeats, "repeats", NUMBER),
    OF_ROUND(flat.rounds, "flat", NUMBER),
    OF_ROUND(flat.own_clock, "own_clock", NUMBER),
    OF_ROUND(flat.paced, "paced", NUMBER),
    OF_ROUND(flat.at_capacity, "at_capacity", NUMBER),
    OF_ROUND(flat.written, "written", NUMBER),
    OF_ROUND(flat.climbing, "climbing", NUMBER),
    OF_ROUND(queue.standing, "standing", NUMBER),
    OF_ROUND(queue.spread, "spread", NUMBER),
    OF_ROUND(queue.doubtful, "doubtful", NUMBER),
    OF_ROUND(queue.pushed, "pushed", NUMBER),
    OF_ROUND(queue.near_capacity, "near_capacity", NUMBER),
    OF_ROUND(restarted, "restarted", NUMBER),
    OF_ROUND(loss_before, "loss_before", NUMBER),
    OF_ROUND(misled_before, "misled_before", NUMBER),
    OF_ROUND(no_next, "no_next", NUMBER),
    OF_ROUND(window_full, "window_full", NUMBER),
    OF_ROUND(starved, "starved", NUMBER),
    OF_ROUND(ends_message, "ends_message", NUMBER),
    OF_SIDE(connection.side, .syn, "syn", NUMBER),
    OF_SIDE(connection.side, .wscale, "wscale", NUMBER),
    OF_SIDE(connection.side, .largest, "largest", NUMBER),
    OF_SIDE(connection.side, .next, "next", NUMBER),
    OF_SIDE(log.inflow_rate, , "inflow_rate", REAL),
    OF_SIDE(context.vantage.to_side_ns, , "way", TIME),
    OF_SIDE(context.vantage.jitter_ns, , "jitter", TIME),
    OF_SIDE(context.vantage.behind_proxy_ns, , "behind_proxy", TIME),
    OF_SIDE(context.vantage.answered_by, , "answered_by", NUMBER),
    OF_SIDE(context.sends, .n, "sends", NUMBER),
    OF_SIDE(context.sends, .wscale_inferred, "wscale_inferred", NUMBER),
    OF_SIDE(context.sends, .heard, "heard", NUMBER),
    OF_SIDE(context.sends, .queues_seen, "queues_seen", NUMBER),
    OF_SIDE(context.sends, .held, "held", NUMBER),
    OF_SIDE(context.sends, .nagle_held_alone, "nagle_held_alone", NUMBER),
    OF_SIDE(context.sends, .late, "late", NUMBER),
    OF_SIDE(context.sends, .slips, "slips", NUMBER),
    OF_SIDE(context.rounds, .growth, "growth", NUMBER),
    OF_SIDE(context.rounds, .spread_by_path, "spread_by_path", NUMBER),
    OF_SIDE(context.timer_ticks, , "timer_ticks", NUMBER),
    OF_SIDE(context.too_big, , "too_big", NUMBER),
    OF_SIDE(context.link_rate_known, , "link_rate_known", NUMBER),
    OF_SIDE(context.hole_bytes, , "hole_bytes", NUMBER),
    { .name = "last_beyond",
      .part = SIDE,
      .kind = TO_RECORD,
      .offset = offsetof(struct made_gap, context.prescan.last_beyond),
      .stride = sizeof(void *) },
    { .name = "beyond",
      .part = SIDE,
      .kind = TO_RECORD,
      .offset = offsetof(struct made_gap, context.beyond),
      .stride = sizeof(void *) },
};

static const struct {
    const char *name;
    int64_t n;
} constants[] = {
    { "IDLE", TW_PHASE_IDLE },
    { "TURN", TW_PHASE_TURN },
    { "MESSAGE", TW_PHASE_MESSAGE },
    { "ARRIVAL", TW_PHASE_ARRIVAL },
    { "FIRST_ACK", FIRST_ACK },
    { "OLD_DATA", OLD_DATA },
    { "BEFORE", BEFORE },
    { "ACK_BEFORE", ACK_BEFORE },
    { "ACK_RECORD", ACK },
    { "NOW", NOW },
    { "LATER", LATER },
    { "NO_RECORD", TW_NO_RECORD },
    { "FRESH", TW_SEND_FRESH },
    { "PARTIAL", TW_SEND_PARTIAL },
    { "REPEAT", TW_SEND_REPEAT },
    { "SPURIOUS", TW_SEND_SPURIOUS },
    { "REDUCED", TW_SEND_REDUCED },
    { "CLOSED", TW_SEND_CLOSED },
    { "NO_LIMIT", INT64_MAX },
    { "UNKNOWN_SCALE", TW_WSCALE_UNKNOWN },
    { "LIKELY", TW_INFERRED_LIKELY },
    { "SURELY", TW_INFERRED_SURELY },
    { "NO_TICKS", TW_TIMER_TICKS_NONE },
    { "TICKS", TW_TIMER_TICKS_SHOWN },
    { "SURE_TICKS", TW_TIMER_TICKS_SURE },
    { "QUEUES", TW_GROWTH_QUEUES },
    { "PASSES", TW_GROWTH_PASSES },
    { "NO_GROWTH", TW_GROWTH_UNKNOWN },
    { "BY_SYN", TW_BY_SYN },
    { "BY_ACKS", TW_BY_ACKS },
    { "BY_PROGRAM", TW_BY_PROGRAM },
    { "ACKS_UNSEEN", TW_FACT_ACKS_UNSEEN },
    { "TIMESTAMP", TW_OPT_TIMESTAMP },
    { "ELSEWHERE", TW_HOST_TX_DELAY_ELSEWHERE },
    { "DELAY_STEP_NS", TW_HOST_TX_DELAY_STEP_NS },
};

/* @return where the field of that name stands; NULL: there is none. */
static char *place_of(struct made_gap *m, const char *name, const struct field **field)
{
    const char *dot = strchr(name, '.');
    size_t i = 0, k = 0;

    while (dot && i < G_N_ELEMENTS(parts) &&
           (strlen(parts[i].name) != (size_t)(dot - name) ||
            strncmp(parts[i].name, name, (size_t)(dot - name)) != 0))
        i++;
    if (!dot || i == G_N_ELEMENTS(parts))
        return NULL;
    while (k < G_N_ELEMENTS(fields) &&
           (fields[k].part != parts[i].part || strcmp(fields[k].name, dot + 1) != 0))
        k++;
    if (k == G_N_ELEMENTS(fields))
        return NULL;
    *field = &fields[k];
    if (parts[i].part == SIDE)
        return (char *)m + fields[k].offset + parts[i].offset * fields[k].stride;
    return (char *)m + parts[i].offset + fields[k].offset;
}

/* ---- values ------------------------------------------------------------------------------------
 */

static int64_t number_at(const char *at, size_t size)
{
    uint16_t two;
    uint32_t four;
    int64_t eight;

    switch (size) {
    case 1:
        return (uint8_t)*at;
    case 2:
        memcpy(&two, at, size);
        return two;
    case 4:
        memcpy(&four, at, size);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

static struct script_value value_at(const char *at, const struct field *f)
{
    double real;

    switch (f->kind) {
    case TIME:
        return script_time(number_at(at, f->size));
    case REAL:
        memcpy(&real, at, sizeof real);
        return script_count((int64_t)real);
    case CAUSE:
        return (struct script_value) {
            .kind = SCRIPT_WORD,
            .word =
                g_intern_string(tcpwhy_cause_info((enum tcpwhy_cause)number_at(at, f->size))->name),
        };
    case PARTY:
        return (struct script_value) {
            .kind = SCRIPT_WORD,
            .word = g_intern_string(tcpwhy_party_name((enum tcpwhy_party)number_at(at, f->size))),
        };
    default:
        return script_count(number_at(at, f->size));
    }
}

bool script_read_gap(struct script *s, const char *name, struct script_value *value)
{
    const struct field *f = NULL;
    const char *at = s->gap ? place_of(&s->gap->made, name, &f) : NULL;

    if (at && f->kind < TO_SEND) {
        *value = value_at(at, f);
        return true;
    }
    if (strcmp(name, "RTT") == 0)
        *value = script_time(CLAIM_RTT);
    else if (strcmp(name, "RTO_SEEN") == 0)
        *value = script_time(TW_RTO_SEEN_NS);
    else if (strcmp(name, "DELAYED_ACK") == 0)
        *value = script_time(TW_DELAYED_ACK_NS);
    else if (s->gap && strcmp(name, "burst") == 0)
        *value = script_time(tw_burst_ns(&s->gap->made.context.vantage));
    else
        for (size_t i = 0;; i++) {
            if (!s->gap || i == G_N_ELEMENTS(constants))
                return false;
            if (strcmp(name, constants[i].name) == 0) {
                *value = script_count(constants[i].n);
                break;
            }
        }
    return true;
}

/* The element that a pointer of that kind is to point to; nothing for a word. */
static const void *pointed(struct made_gap *m, enum kind kind, const struct script *s,
                           struct script_value v)
{
    int64_t i = v.kind == SCRIPT_WORD ? -1 : script_number(s, v);

    if (i < 0)
        return NULL;
    switch (kind) {
    case TO_SEND:
        return &m->send[MIN(i, 3)];
    case TO_ROUND:
        return &m->round[MIN(i, 2)];
    case TO_RECORD:
        return &m->record[MIN(i, LATER)];
    default:
        return &m->episode;
    }
}

static void put_number(char *at, size_t size, int64_t n)
{
    const uint16_t two = (uint16_t)n;
    const uint32_t four = (uint32_t)n;

    if (size == 1)
        *at = (char)n;
    else if (size == 2)
        memcpy(at, &two, size);
    else if (size == 4)
        memcpy(at, &four, size);
    else
        memcpy(at, &n, size);
}

bool script_set_gap(struct script *s, const char *name, struct script_value v)
{
    const struct field *f = NULL;
    char *at = s->gap ? place_of(&s->gap->made, name, &f) : NULL;

    if (!at)
        return false;
    if (f->kind >= TO_SEND) {
        const void *to = pointed(&s->gap->made, f->kind, s, v);

        memcpy(at, &to, sizeof to);
    } else if (f->kind == REAL) {
        double real = (double)script_number(s, v);

        memcpy(at, &real, sizeof real);
    } else {
        put_number(at, f->size, f->kind == TIME ? script_ns(s, v) : script_number(s, v));
    }
    return true;
}

/* ---- statements --------------------------------------------------------------------------------
 */

/* take RECORD RECORD: the first becomes what the second is. queue_up: behind other connections.
 * both_send: the client as the server. */
bool script_change_gap(struct script_at *a)
{
    struct script *s = a->script;
    struct made_gap *m = s->gap ? &s->gap->made : NULL;

    if (m && script_takes(a, "queue_up")) {
        tw_cross_traffic_apply(&m->context, &m->gap);
    } else if (m && script_takes(a, "take")) {
        int64_t to = script_number(s, script_operand(a)), of = script_number(s, script_operand(a));

        m->record[CLAMP(to, 0, LATER)] = m->record[CLAMP(of, 0, LATER)];
    } else if (m && script_takes(a, "both_send")) {
        m->context.sends[TCPWHY_CLIENT] = m->context.sends[TCPWHY_SERVER];
    } else {
        return false;
    }
    return true;
}

/* Do a cause's conditions hold, and is it not refuted? */
static bool is_open(const struct made_gap *m, enum tcpwhy_cause cause)
{
    struct tw_asked asked = { 0 };
    struct tw_release release = { 0 };
    uint32_t left = tw_asked_of(&asked, &m->gap);

    for (unsigned i = 0; i < tw_n_hypotheses; i++)
        if (tw_hypotheses[i]->cause == cause)
            return left >> i & 1 && !tw_hypotheses[i]->weigh(&m->gap, &release);
    return false;
}

static void fail(struct script *s, const char *line)
{
    const struct tw_claim *c = &s->gap->made.claim;

    script_begin_failure(s, line);
    printf("  + %s %s", tcpwhy_cause_info(c->cause)->name, tcpwhy_confidence_name(c->confidence));
    if (c->rival != TCPWHY_CAUSE_NONE)
        printf(" rival %s", tcpwhy_cause_info(c->rival)->name);
    printf("\n");
}

/* CAUSE [CONFIDENCE [rival CAUSE]] [by PARTY], no CAUSE, open CAUSE, refuted CAUSE */
bool script_expect_gap(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    struct script_at ahead = *a;
    struct made_gap *m = s->gap ? &s->gap->made : NULL;
    bool open = m && script_takes(&ahead, "open"), refuted = m && script_takes(&ahead, "refuted");
    bool no = m && script_takes(&ahead, "no"), is;
    struct script_at word = ahead;
    enum tcpwhy_cause cause, rival = TCPWHY_CAUSE_NONE;
    int confidence;

    if (!m || !script_is_cause(script_word(&word)))
        return false;
    *a = ahead;
    cause = script_cause_of(a);
    is = claims(m, cause);
    if (open || refuted) {
        if (is_open(m, cause) != open)
            fail(s, line);
        return true;
    }
    ahead = *a;
    confidence = script_confidence_of(script_word(&ahead));
    if (confidence != SCRIPT_ANY)
        *a = ahead;
    if (script_takes(a, "rival"))
        rival = script_cause_of(a);
    if (confidence != SCRIPT_ANY)
        is = is && m->claim.confidence == (enum tcpwhy_confidence)confidence &&
             m->claim.rival == rival;
    if (script_takes(a, "by"))
        is = is && m->claim.party == (enum tcpwhy_party)script_party_of(a);
    if (is == no)
        fail(s, line);
    return true;
}
