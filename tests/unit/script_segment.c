/* SPDX-License-Identifier: MIT */
/*
 * A line that is a segment:
 *
 *     TIME SIDE > FLAGS SEQ:END(LEN) ack N win N id N ttl N <OPTIONS> again lost xN every TIME
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/script.h"

#define HEADERS     54 /* of Ethernet, IPv4 and TCP, without options */
#define MOST_SUMMED 4u /* bytes of a frame whose checksum is told */
#define CHECKSUM_AT 16 /* in the TCP header */

/* The values that a line states, beside the flags; the others follow from the lines before. */
struct told {
    enum tcpwhy_side from;
    uint16_t flags;
    bool has_seq, has_ack, has_id, again, lost;
    struct tw_segment segment; /* ... of which win, ttl and the options count as told */
    bool has_win, has_ttl, has_options;
    bool has_sum, sum_begun;
    bool is_bare, is_padded;
    bool exact;              /* these options, and no others on a SYN */
    const tw_array *payload; /* NULL: zeros */
    int64_t times;
    tcpwhy_ns every_ns;
};

static uint16_t flags(struct script_at *a)
{
    static const char letters[] = "FSRP.UEWA";
    uint16_t set = 0;
    const char *letter;

    if (script_takes(a, "{")) {
        set = (uint16_t)script_number(a->script, script_expression(a));
        if (!script_takes(a, "}"))
            script_wrong(a->script, "'}' is missing");
        return set;
    }
    if (script_takes(a, "-"))
        return 0;
    for (; *a->p && (letter = strchr(letters, *a->p)); a->p++)
        set |= (uint16_t)(1 << (letter - letters));
    if (!set)
        script_wrong(a->script, "flags are missing before \"%s\"", a->p);
    return set;
}

static uint32_t counted(struct script_at *a)
{
    return (uint32_t)script_number(a->script, script_sum(a));
}

static void sack_ranges(struct script_at *a, struct told *told)
{
    const struct talk *t = &a->script->talk;
    struct tw_segment *s = &told->segment;

    s->options |= TW_OPT_SACK;
    do {
        uint32_t first = counted(a);

        if (!script_takes(a, ":") || s->n_sack == TW_MAX_SACK)
            script_wrong(a->script, "sack FROM:TO, four times at most");
        s->sack[s->n_sack][0] = t->isn[!told->from] + first;
        s->sack[s->n_sack++][1] = t->isn[!told->from] + counted(a);
        script_blank(a);
    } while (*a->p != ',' && *a->p != '>');
}

static void option(struct script_at *a, struct told *told)
{
    struct tw_segment *s = &told->segment;

    if (script_takes(a, "mss")) {
        told->exact = true;
        s->options |= TW_OPT_MSS;
        s->mss = (uint16_t)counted(a);
    } else if (script_takes(a, "wscale")) {
        s->options |= TW_OPT_WSCALE;
        s->wscale = (uint8_t)counted(a);
    } else if (script_takes(a, "sackOK")) {
        s->options |= TW_OPT_SACK_PERMITTED;
    } else if (script_takes(a, "TS")) {
        s->options |= TW_OPT_TIMESTAMP;
        if (script_takes(a, "val"))
            s->tsval = counted(a);
        if (script_takes(a, "ecr"))
            s->tsecr = counted(a);
    } else if (script_takes(a, "sack")) {
        sack_ranges(a, told);
    } else if (script_takes(a, "cut")) {
        s->options |= TW_OPT_CUT;
    } else if (script_takes(a, "eol")) {
        told->exact = true;
    } else if (!script_takes(a, "nop")) {
        script_wrong(a->script, "no option is \"%s\"", a->p);
    }
}

static void options(struct script_at *a, struct told *told)
{
    told->has_options = true;
    while (!script_takes(a, ">")) {
        option(a, told);
        script_takes(a, ",");
    }
}

/* [SEQ[:END]](LEN) */
static void bytes(struct script_at *a, struct told *told)
{
    int64_t seq = 0, end = -1;

    script_blank(a);
    if (*a->p != '(') {
        told->has_seq = true;
        seq = script_number(a->script, script_sum(a));
        if (script_takes(a, ":"))
            end = script_number(a->script, script_sum(a));
    }
    if (!script_takes(a, "("))
        script_wrong(a->script, "\"(BYTES)\" is missing before \"%s\"", a->p);
    told->segment.len = counted(a);
    if (!script_takes(a, ")"))
        script_wrong(a->script, "')' is missing before \"%s\"", a->p);
    if (end >= 0 && end != seq + told->segment.len)
        script_wrong(a->script, "the range is not so long as it says");
    told->segment.seq = a->script->talk.isn[told->from] + (uint32_t)seq;
}

static void field(struct script_at *a, struct told *told)
{
    struct script *s = a->script;

    if (script_takes(a, "ack")) {
        told->has_ack = true;
        told->segment.ack = s->talk.isn[!told->from] + counted(a);
    } else if (script_takes(a, "win")) {
        told->has_win = true;
        told->segment.window = (uint16_t)counted(a);
    } else if (script_takes(a, "id")) {
        told->has_id = true;
        told->segment.ip_id = (uint16_t)counted(a);
    } else if (script_takes(a, "ttl")) {
        told->has_ttl = true;
        told->segment.ttl = (uint8_t)counted(a);
    } else if (script_takes(a, "<")) {
        options(a, told);
    } else if (script_takes(a, "sum")) {
        told->has_sum = true;
        told->sum_begun = script_true(s, script_operand(a));
    } else if (script_takes(a, "padded")) {
        told->is_bare = true;
        told->is_padded = script_true(s, script_operand(a));
    } else if (script_takes(a, "again")) {
        told->again = true;
    } else if (script_takes(a, "lost")) {
        told->lost = true;
    } else if (script_takes(a, "every")) {
        told->every_ns = script_ns(s, script_sum(a));
    } else if (a->p[0] == 'x' && isdigit((unsigned char)a->p[1])) {
        a->p++;
        told->times = counted(a);
    } else {
        bytes(a, told);
    }
}

static struct tw_segment segment_of(struct talk *t, const struct told *told)
{
    struct tw_segment s;
    uint32_t seq = told->has_seq ? told->segment.seq : t->next[told->from];

    if (!told->has_id)
        t->ip_id[told->from]++;
    s = talk_segment(t, told->from, seq, told->segment.len, told->flags);
    if (told->has_ack)
        s.ack = told->segment.ack;
    if (told->has_win)
        s.window = told->segment.window;
    if (told->has_id)
        s.ip_id = told->segment.ip_id;
    if (told->has_ttl)
        s.ttl = told->segment.ttl;
    if (!told->has_options)
        return s;
    if (told->exact) {
        s.options = 0;
        s.mss = told->segment.mss;
        s.wscale = told->segment.wscale;
    } else if (told->segment.options & TW_OPT_WSCALE) {
        s.wscale = told->segment.wscale;
    }
    s.options |= told->segment.options;
    s.tsval = told->segment.tsval;
    s.tsecr = told->segment.tsecr;
    s.n_sack = told->segment.n_sack;
    memcpy(s.sack, told->segment.sack, sizeof(s.sack));
    return s;
}

static void dump(const struct tw_segment *s, tcpwhy_ns at_ns)
{
    printf("%" PRId64
           " %u>%u seq %u ack %u len %u flags %x win %u id %u ttl %u opt %x mss %u ws %u "
           "ts %u %u sack %u %u %u\n",
           at_ns, s->tuple.port[0], s->tuple.port[1], s->seq, s->ack, s->len, s->flags, s->window,
           s->ip_id, s->ttl, s->options, s->mss, s->wscale, s->tsval, s->tsecr, s->n_sack,
           s->sack[0][0], s->sack[0][1]);
}

/* Its header has the checksum of the pseudo header alone, as its sender's card has yet to sum up
 * the rest; or another one. Bytes live as long as the frame. */
static void put_sum(const struct script *script, struct tw_segment *s, bool begun,
                    uint8_t bytes[TW_TCP_HEADER + MOST_SUMMED])
{
    /* Protocol 6, and 10.0.0.0 and 10.20.0.0. */
    uint16_t sum = (uint16_t)(6 + TW_TCP_HEADER + s->len + 0x0a00 + 0x0a14 + !begun);

    if (s->len > MOST_SUMMED)
        script_wrong(script, "a frame with a checksum has %u bytes at most", MOST_SUMMED);
    bytes[CHECKSUM_AT] = (uint8_t)(sum >> 8);
    bytes[CHECKSUM_AT + 1] = (uint8_t)sum;
    s->header_len = TW_TCP_HEADER;
    s->payload = tw_bytes(bytes + TW_TCP_HEADER, s->len);
}

static void push(struct script *script, const struct told *told)
{
    uint8_t bytes[TW_TCP_HEADER + MOST_SUMMED] = { 0 };
    struct talk *t = &script->talk;
    struct tw_segment s = segment_of(t, told);

    uint32_t end = s.seq + s.len + !!(s.flags & TW_SYN) + !!(s.flags & TW_FIN);

    if (!told->again && (!told->has_seq || (int32_t)(end - t->next[told->from]) > 0))
        t->next[told->from] = end;
    if (script->snaplen && HEADERS + s.len > script->snaplen)
        s.facts |= TW_SEG_PAYLOAD_CUT;
    if (told->is_bare) {
        s.header_len = TW_TCP_HEADER;
        s.facts |= told->is_padded ? 0 : TW_SEG_UNPADDED;
    }
    if (told->has_sum)
        put_sum(script, &s, told->sum_begun, bytes);
    if (told->lost)
        return;
    if (script->dump)
        dump(&s, script->now_ns);
    if (script->session)
        script_session_push(script, &s, told->payload ? told->payload->data : NULL);
    tw_tracker_push(t->tracker, &s, script->now_ns, ++t->frame, &t->last);
    tw_log_append(t->log, &t->last);
    t->last.segment = NULL;
    if (script->ws)
        script_labels_push(script, told->from, s);
}

void script_say(struct script *s, tcpwhy_ns at_ns, enum tcpwhy_side from, uint16_t flags)
{
    struct told told = { .from = from, .flags = flags };

    s->now_ns = at_ns;
    push(s, &told);
}

/* The time may be left out, when the segment is lost or leaves with the one before. */
static tcpwhy_ns time_of(struct script_at *a)
{
    struct script *s = a->script;
    struct script_at ahead = *a;
    bool later;

    if (script_name(&ahead) && script_takes(&ahead, ">"))
        return s->now_ns;
    later = script_takes(a, "+");
    return (later ? s->now_ns : 0) + script_ns(s, script_sum(a));
}

void script_segment(struct script_at *a)
{
    struct script *s = a->script;
    struct told told = { .times = 1 };

    if (!s->talking)
        script_begin(s);
    s->now_ns = time_of(a);
    told.from = script_number(s, script_operand(a)) ? S : C;
    if (s->session && script_takes(a, ":")) {
        told.payload = script_bytes(s, script_sum(a));
        told.segment.len = told.payload->len;
        told.flags = TW_PSH | TW_ACK;
    } else if (script_takes(a, ">")) {
        script_blank(a);
        told.flags = flags(a);
    } else {
        script_wrong(s, "neither a segment nor anything else: '>' is missing before \"%s\"", a->p);
    }
    for (script_blank(a); *a->p; script_blank(a))
        field(a, &told);
    for (int64_t i = 0; i < told.times; i++) {
        if (i > 0)
            s->now_ns += told.every_ns;
        push(s, &told);
    }
    s->explained = false;
}
