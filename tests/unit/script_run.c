/* SPDX-License-Identifier: MIT */
/* Lines of a script that run: blocks, calls, and statements. */
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "tests/unit/script.h"

#define MOST_CALLS 50
#define HERE_NS    10000 /* what an answer takes of a host beside the capture */

unsigned script_behind_block(const struct script *s, unsigned at)
{
    unsigned indent = script_line_of(s, at).indent;

    for (at++; at < s->lines->len && script_line_of(s, at).indent > indent; at++)
        ;
    return at;
}

static void run_lines(struct script *s, unsigned from, unsigned to);

bool script_run_block(struct script *s, unsigned head)
{
    run_lines(s, head + 1, script_behind_block(s, head));
    return !s->returned;
}

static void assign(struct script *s, const char *name, struct script_value v)
{
    script_let(s->locals ? s->locals : s->globals, name, v);
}

/* for NAME in LIST, for NAME in FROM .. TO [by STEP] */
static void run_for(struct script_at *a)
{
    struct script *s = a->script;
    unsigned head = s->at;
    const char *name = script_name(a);
    struct script_value first, last, step = { .n = 1 };

    if (!name || !script_takes(a, "in"))
        script_wrong(s, "for NAME in LIST is wanted");
    first = script_sum(a);
    if (!script_takes(a, "..")) {
        for (guint i = 0; first.kind == SCRIPT_LIST && i < first.list->len; i++) {
            assign(s, name, tw_array_index(first.list, struct script_value, i));
            if (!script_run_block(s, head))
                break;
        }
        return;
    }
    last = script_sum(a);
    if (script_takes(a, "by"))
        step = script_sum(a);
    if (first.kind == SCRIPT_TIME || last.kind == SCRIPT_TIME || step.kind == SCRIPT_TIME) {
        first = (struct script_value) { .kind = SCRIPT_TIME, .n = script_ns(s, first) };
        last.n = script_ns(s, last);
        step.n = script_ns(s, step);
    }
    for (; first.n <= last.n; first.n += step.n) {
        assign(s, name, first);
        if (!script_run_block(s, head))
            break;
    }
}

static void run_while(struct script_at *a)
{
    struct script *s = a->script;
    unsigned head = s->at;
    const char *condition = a->p;

    for (;;) {
        struct script_at again = { .script = s, .p = condition };

        s->at = head;
        if (!script_true(s, script_expression(&again)) || !script_run_block(s, head))
            break;
    }
}

static void run_if(struct script_at *a)
{
    struct script *s = a->script;
    unsigned head = s->at, other = script_behind_block(s, head);
    bool is = script_true(s, script_expression(a));
    bool has_other = other < s->lines->len && strcmp(script_line_of(s, other).text, "else") == 0 &&
                     script_line_of(s, other).indent == script_line_of(s, head).indent;

    if (is)
        script_run_block(s, head);
    else if (has_other)
        script_run_block(s, other);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The '(' was taken. def NAME(PARAMETER, ...) with a block, or = EXPRESSION. */
struct script_value script_call(struct script_at *a, const char *name)
{
    struct script *s = a->script;
    unsigned head = GPOINTER_TO_UINT(tw_hash_table_lookup(s->defs, name)) - 1, at = s->at;
    struct script_at def = { .script = s, .p = script_line_of(s, head).text };
    tw_hash_table *locals = script_values(), *outer = s->locals;
    const char *parameter;

    script_takes(&def, "def");
    script_name(&def);
    script_takes(&def, "(");
    while ((parameter = script_name(&def))) {
        script_let(locals, parameter, script_expression(a));
        script_takes(a, ",");
        script_takes(&def, ",");
    }
    script_takes(&def, ")");
    if (!script_takes(a, ")"))
        script_wrong(s, "%s takes %u values", name, tw_hash_table_size(locals));
    if (++s->depth > MOST_CALLS)
        script_wrong(s, "too many calls in calls");
    s->locals = locals;
    s->result = (struct script_value) { 0 };
    if (!a->skips && script_takes(&def, "=")) {
        s->result = script_expression(&def);
    } else if (!a->skips) {
        s->at = head;
        script_run_block(s, head);
        s->at = at;
    }
    s->returned = false;
    s->depth--;
    s->locals = outer;
    tw_hash_table_unref(locals);
    return s->result;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* open VANTAGE RTT: a handshake over that path. */
static void run_open(struct script_at *a)
{
    struct script *s = a->script;
    struct talk *t = &s->talk;
    enum tcpwhy_side vantage = script_number(s, script_operand(a)) ? S : C;
    tcpwhy_ns rtt_ns = script_ns(s, script_sum(a));
    tcpwhy_ns to_server_ns = vantage == C ? rtt_ns : HERE_NS;
    tcpwhy_ns to_client_ns = vantage == C ? HERE_NS : rtt_ns;

    if (!script_takes(a, "again") || !s->talking)
        script_begin(s);
    if (script_takes(a, "wscale"))
        t->wscale = (uint8_t)script_number(s, script_sum(a));
    if (script_takes(a, "nosack"))
        t->no_sack = true;
    script_say(s, 0, C, TW_SYN);
    script_say(s, to_server_ns, S, TW_SYN | TW_ACK);
    script_say(s, to_server_ns + to_client_ns, C, TW_ACK);
    s->explained = false;
}

/* explain as framed | in_pieces | at_will | stands | each at_will: what the first exchange's
 * protocol tells. */
static void run_explain(struct script_at *a)
{
    struct script *s = a->script;
    struct tw_exchange *x;

    s->explained = false;
    script_explain(s);
    if (!script_takes(a, "as"))
        return;
    if (s->talk.exchanges.n == 0)
        script_wrong(s, "there is no exchange");
    x = s->talk.exchanges.exchange;
    if (script_takes(a, "each"))
        for (uint32_t i = 1; i < s->talk.exchanges.n; i++)
            x[i].at_will = true;
    x->in_pieces = script_takes(a, "in_pieces");
    if (script_takes(a, "to")) { /* the answer is as long as so many exchanges */
        uint32_t last = (uint32_t)script_number(s, script_sum(a)) - 1;

        if (last >= s->talk.exchanges.n)
            script_wrong(s, "there are not so many exchanges");
        x->response_to = x[last].response_to;
        x->response_last = x[last].response_last;
        s->talk.exchanges.n = 1;
    }
    x->framed = x->in_pieces || script_takes(a, "framed");
    x->stands = script_takes(a, "stands");
    x->at_will = x->stands || script_takes(a, "at_will");
    tw_explanation_clear(&s->talk.explanation);
    tw_explain(s->talk.last.connection, s->talk.log, &s->talk.exchanges, &s->talk.explainer,
               &s->talk.explanation);
}

/* icmp TIME KIND SIDE [mtu N]: an error that quotes a segment of that side. */
static void run_icmp(struct script_at *a)
{
    static const char *const kinds[] = { [TW_ICMP_UNREACHABLE] = "unreachable",
                                         [TW_ICMP_TOO_BIG] = "too_big",
                                         [TW_ICMP_TIME_EXCEEDED] = "time_exceeded",
                                         [TW_ICMP_OTHER] = "other" };
    struct script *s = a->script;
    struct tw_log_icmp icmp = { .time_ns = script_ns(s, script_sum(a)) };
    const char *kind = script_word(a);
    size_t i = 0;

    while (i < G_N_ELEMENTS(kinds) && (!kind || strcmp(kind, kinds[i]) != 0))
        i++;
    if (i == G_N_ELEMENTS(kinds))
        script_wrong(s, "no such kind of error");
    icmp.kind = (enum tw_icmp_kind)i;
    icmp.to = script_number(s, script_operand(a)) ? S : C;
    if (script_takes(a, "mtu"))
        icmp.mtu = (uint32_t)script_number(s, script_operand(a));
    tw_log_append_icmp(s->talk.log, &icmp);
}

/* other SIDE: a frame of that host that is no TCP. */
static void run_other(struct script_at *a)
{
    struct talk *t = &a->script->talk;
    enum tcpwhy_side side = script_number(a->script, script_operand(a)) ? S : C;
    struct tw_segment s;

    t->ip_id[side]++;
    s = talk_segment(t, side, 0, 0, 0);
    tw_tracker_see_other(t->tracker, &s);
}

bool script_speaker(struct script_at *a, enum tcpwhy_side *side)
{
    struct script_at ahead = *a;
    const char *name = script_name(&ahead), *field;

    if (!name || *ahead.p != ':' || !script_side_of(a->script, name, side, &field))
        return false;
    a->p = ahead.p + 1;
    return true;
}

static bool run_keyword(struct script_at *a)
{
    struct script *s = a->script;

    if (script_takes(a, "begin"))
        script_begin(s);
    else if (script_takes(a, "open"))
        run_open(a);
    else if (script_takes(a, "tshark"))
        script_labels_begin(s, script_takes(a, "reused"));
    else if (script_takes(a, "session"))
        script_session_begin(s);
    else if (script_takes(a, "conversation"))
        script_converse(a);
    else if (script_takes(a, "gap"))
        script_make_gap(a);
    else if (script_takes(a, "foreign"))
        script_foreign(a);
    else if (script_takes(a, "expect"))
        script_expect(a);
    else if (script_takes(a, "explain"))
        run_explain(a);
    else if (script_takes(a, "icmp"))
        run_icmp(a);
    else if (script_takes(a, "other"))
        run_other(a);
    else if (script_takes(a, "for"))
        run_for(a);
    else if (script_takes(a, "while"))
        run_while(a);
    else if (script_takes(a, "if"))
        run_if(a);
    else
        return script_set_wire(a) || script_change_gap(a) ||
               script_takes(a, "else"); /* its block was run, or need not be */
    return true;
}

static void run_line(struct script *s)
{
    struct script_at a = { .script = s, .p = script_line_of(s, s->at).text }, ahead;
    enum tcpwhy_side side;
    const char *name;

    if (run_keyword(&a))
        return;
    if (script_takes(&a, "return")) {
        struct script_value result = script_expression(&a);

        s->returned = true;
        s->result = result;
        return;
    }
    if (script_speaker(&a, &side)) {
        script_says(&a, side);
        return;
    }
    ahead = a;
    name = script_name(&ahead);
    if (name && script_set(&ahead, name)) {
        script_blank(&ahead);
        if (*ahead.p)
            script_wrong(s, "\"%s\" is left over", ahead.p);
        return;
    }
    ahead = a;
    name = script_name(&ahead);
    if (name && *ahead.p == '(' && tw_hash_table_contains(s->defs, name)) {
        struct script_at end;

        ahead.p++;
        end = ahead;
        end.skips = 1;
        for (unsigned depth = 1; depth > 0 && *end.p; end.p++)
            depth += (*end.p == '(') - (*end.p == ')');
        if (!*end.p) {
            script_call(&ahead, name);
            return;
        }
    }
    script_segment(&a);
}

static void run_lines(struct script *s, unsigned from, unsigned to)
{
    for (s->at = from; s->at < to && !s->returned;) {
        unsigned next = script_behind_block(s, s->at);

        run_line(s);
        s->at = next;
    }
}
