/* SPDX-License-Identifier: MIT */
/* What expressions read of the connection and of its explanation, and what lines set. */
#include <string.h>

#include "tests/unit/script.h"

static bool side_of(struct script *s, const char *name, enum tcpwhy_side *side, const char **field)
{
    const char *dot = strchr(name, '.');
    size_t len = dot ? (size_t)(dot - name) : strlen(name);
    const struct script_value *v = NULL;
    char *of = g_strndup(name, len);

    *field = dot ? dot + 1 : "";
    if (s->locals)
        v = g_hash_table_lookup(s->locals, of);
    if (strcmp(of, "C") == 0 || strcmp(of, "S") == 0)
        *side = of[0] == 'C' ? C : S;
    else if (v && v->kind == SCRIPT_NUMBER)
        *side = v->n ? S : C;
    else
        len = 0;
    g_free(of);
    return len > 0;
}

static struct script_value count_of(int64_t n)
{
    return (struct script_value) { .n = n };
}

static struct script_value time_of(tcpwhy_ns ns)
{
    return (struct script_value) { .kind = SCRIPT_TIME, .n = ns };
}

/* Offsets count from the SYN, which has 0. */
static bool read_sender(const struct talk *t, enum tcpwhy_side side, const char *field,
                        struct script_value *value)
{
    if (strcmp(field, "") == 0)
        *value = count_of(side);
    else if (strcmp(field, "next") == 0)
        *value = count_of((int32_t)(t->next[side] - t->isn[side]));
    else if (strcmp(field, "isn") == 0)
        *value = count_of(0);
    else if (strcmp(field, "win") == 0)
        *value = count_of(t->window[side]);
    else if (strcmp(field, "id") == 0)
        *value = count_of(t->ip_id[side]);
    else
        return false;
    return true;
}

static bool read_tracked(const struct tw_side *side, const char *field, struct script_value *value)
{
    if (strcmp(field, "bytes") == 0)
        *value = count_of((int64_t)side->bytes);
    else if (strcmp(field, "frames") == 0)
        *value = count_of((int64_t)side->frames);
    else if (strcmp(field, "retransmissions") == 0)
        *value = count_of(side->retransmissions);
    else if (strcmp(field, "copies") == 0)
        *value = count_of(side->copies);
    else if (strcmp(field, "mss") == 0)
        *value = count_of(side->mss);
    else if (strcmp(field, "acked") == 0)
        *value = count_of(side->acked);
    else
        return false;
    return true;
}

static bool read_side(struct script *s, enum tcpwhy_side side, const char *field,
                      struct script_value *value)
{
    const struct tw_connection *c = s->talk.last.connection;

    if (read_sender(&s->talk, side, field, value))
        return true;
    if (strcmp(field, "way") == 0) {
        script_explain(s);
        *value = time_of(s->talk.explanation.vantage.to_side_ns[side]);
        return true;
    }
    if (strcmp(field, "answered_by_acks") == 0) {
        script_explain(s);
        *value = count_of(s->talk.explanation.vantage.answered_by[side] >= TW_BY_ACKS);
        return true;
    }
    return c && read_tracked(&c->side[side], field, value);
}

/* ---- the last frame -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t fact;
} facts[] = {
    { "last.hole_before", TW_FACT_HOLE_BEFORE }, { "last.acks_unseen", TW_FACT_ACKS_UNSEEN },
    { "last.fills_hole", TW_FACT_FILLS_HOLE },   { "last.dsack", TW_FACT_DSACK },
    { "last.seen_before", TW_FACT_SEEN_BEFORE }, { "last.new_tail", TW_FACT_NEW_TAIL },
};

static bool read_last(const struct tw_tracked *last, const char *name, struct script_value *value)
{
    for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
        if (strcmp(name, facts[i].name) == 0) {
            *value = count_of((last->facts & facts[i].fact) != 0);
            return true;
        }
    if (strcmp(name, "last.facts") == 0)
        *value = count_of(last->facts);
    else if (strcmp(name, "last.seq") == 0)
        *value = count_of(last->seq);
    else if (strcmp(name, "last.ack") == 0)
        *value = count_of(last->ack);
    else if (strcmp(name, "last.fresh") == 0)
        *value = count_of(last->fresh);
    else if (strcmp(name, "last.window") == 0)
        *value = count_of(last->window_bytes);
    else if (strcmp(name, "last.frame") == 0)
        *value = count_of(last->frame);
    else
        return false;
    return true;
}

/* ---- the explanation ------------------------------------------------------------------------- */

static bool read_repairs(const struct tw_repair_counts *r, const char *name,
                         struct script_value *value)
{
    const struct {
        const char *name;
        uint32_t n;
    } kinds[] = { { "repairs.fast", r->fast },
                  { "repairs.probes", r->probes },
                  { "repairs.timeouts", r->timeouts },
                  { "repairs.after_timeouts", r->after_timeouts },
                  { "repairs.spurious", r->spurious } };

    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(name, kinds[i].name) == 0) {
            *value = count_of(kinds[i].n);
            return true;
        }
    return false;
}

static bool read_connection(const struct tw_connection *c, const char *name,
                            struct script_value *value)
{
    if (strcmp(name, "stream") == 0)
        *value = count_of(c->stream);
    else if (strcmp(name, "roles_inferred") == 0)
        *value = count_of(c->roles_inferred);
    else if (strcmp(name, "reused") == 0)
        *value = count_of(c->reused);
    else if (strcmp(name, "first_frame") == 0)
        *value = count_of(c->first_frame);
    else
        return false;
    return true;
}

/* request.first and request.last: the log's records that brought the first request; or -1. */
static int64_t request_of(const struct talk *t, const char *name)
{
    const struct tw_exchange *x = t->exchanges.exchange;

    if (t->exchanges.n == 0)
        return -1;
    return strcmp(name, "request.first") == 0 ? x->request_first : x->request_last;
}

static bool read_explanation(struct script *s, const char *name, struct script_value *value)
{
    const struct talk *t = &s->talk;

    if (!t->last.connection)
        return false;
    if (strcmp(name, "life") == 0) {
        *value = time_of(t->log->record[t->log->n - 1].time_ns - t->log->record[0].time_ns);
        return true;
    }
    if (read_connection(t->last.connection, name, value))
        return true;
    if (strncmp(name, "repairs.", 8) == 0) {
        script_explain(s);
        return read_repairs(&t->explanation.repairs, name, value);
    }
    if (strncmp(name, "vantage_", 8) == 0) {
        script_explain(s);
        *value = count_of(
            strcmp(name + 8, tcpwhy_confidence_name(t->explanation.vantage.confidence)) == 0);
        return true;
    }
    if (strcmp(name, "data_only") == 0) {
        script_explain(s);
        *value = count_of(t->explanation.data_only);
        return true;
    }
    if (strncmp(name, "rtt.", 4) == 0) {
        const struct tw_vantage *v = &t->explanation.vantage;

        script_explain(s);
        *value = time_of(strcmp(name, "rtt.min") == 0      ? v->rtt_min_ns
                         : strcmp(name, "rtt.median") == 0 ? v->rtt_median_ns
                                                           : v->rtt_max_ns);
        return true;
    }
    if (strcmp(name, "exchanges") == 0 || strncmp(name, "request.", 8) == 0) {
        script_explain(s);
        *value = count_of(name[0] == 'e' ? (int64_t)t->exchanges.n : request_of(t, name));
        return true;
    }
    return false;
}

static bool read_flag(const char *name, struct script_value *value)
{
    static const struct {
        const char *name;
        uint16_t flag;
    } flags[] = { { "FIN", TW_FIN }, { "SYN", TW_SYN }, { "RST", TW_RST }, { "PSH", TW_PSH },
                  { "ACK", TW_ACK }, { "ECE", TW_ECE }, { "CWR", TW_CWR } };

    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
        if (strcmp(name, flags[i].name) == 0) {
            *value = count_of(flags[i].flag);
            return true;
        }
    return false;
}

bool script_read(struct script_at *a, const char *name, struct script_value *value)
{
    struct script *s = a->script;
    enum tcpwhy_side side;
    const char *field;

    if (a->skips)
        return false;
    if (strcmp(name, "MSS") == 0) {
        *value = count_of(TALK_MSS);
        return true;
    }
    if (strcmp(name, "not_known") == 0) {
        *value = time_of(TCPWHY_NS_UNKNOWN);
        return true;
    }
    if (strcmp(name, "now") == 0) {
        *value = time_of(s->now_ns);
        return true;
    }
    if (read_flag(name, value) || read_last(&s->talk.last, name, value))
        return true;
    if (side_of(s, name, &side, &field))
        return read_side(s, side, field, value);
    return read_explanation(s, name, value);
}

/* detail(NAME): the whole number of that name that belongs to a cause. */
static struct script_value detail(struct script_at *a)
{
    const struct tw_explanation *x = &a->script->talk.explanation;
    const char *name = script_word(a);

    script_takes(a, ")");
    if (a->skips)
        return count_of(0);
    script_explain(a->script);
    for (uint32_t i = 0; i < x->n_details; i++)
        if (name && strcmp(x->detail[i].name, name) == 0) {
            int64_t n = (int64_t)x->detail[i].number;

            return count_of(x->detail[i].number - (double)n == 0 ? n : -1);
        }
    return count_of(-1);
}

/* Which gaps: (CAUSE [, CONFIDENCE [, RIVAL]]). */
struct asked {
    enum tcpwhy_cause cause;
    const char *confidence, *rival; /* or NULL */
};

static struct asked read_asked(struct script_at *a)
{
    struct asked asked = { .cause = tcpwhy_cause_by_name(script_word(a)) };

    if (script_takes(a, ","))
        asked.confidence = script_word(a);
    if (script_takes(a, ","))
        asked.rival = script_word(a);
    if (asked.cause == TCPWHY_N_CAUSES || !script_takes(a, ")"))
        script_wrong(a->script, "(CAUSE, CONFIDENCE, RIVAL) is wanted");
    return asked;
}

static bool is_asked(const struct asked *asked, const struct tw_span *span)
{
    return span->cause == asked->cause &&
           (!asked->confidence ||
            strcmp(asked->confidence, tcpwhy_confidence_name(span->confidence)) == 0) &&
           (!asked->rival || strcmp(asked->rival, tcpwhy_cause_info(span->rival)->name) == 0);
}

/* charged(): the time of all such gaps; longest(): of the longest; gaps(): how many. */
bool script_ask(struct script_at *a, const char *name, struct script_value *value)
{
    bool longest = strcmp(name, "longest") == 0, gaps = strcmp(name, "gaps") == 0;
    const struct tw_explanation *x = &a->script->talk.explanation;
    struct asked asked;

    if (strcmp(name, "detail") == 0) {
        *value = detail(a);
        return true;
    }
    if (!longest && !gaps && strcmp(name, "charged") != 0)
        return false;
    asked = read_asked(a);
    *value = gaps ? count_of(0) : time_of(0);
    if (a->skips)
        return true;
    script_explain(a->script);
    for (uint32_t i = 0; i < x->n_spans; i++) {
        tcpwhy_ns ns = x->span[i].to_ns - x->span[i].from_ns;

        if (!is_asked(&asked, &x->span[i]))
            continue;
        value->n = longest ? MAX(value->n, ns) : value->n + (gaps ? 1 : ns);
    }
    return true;
}

/* ---- assignments ----------------------------------------------------------------------------- */

static bool set_side(struct script *s, enum tcpwhy_side side, const char *field, int64_t n)
{
    struct talk *t = &s->talk;

    if (strcmp(field, "next") == 0)
        t->next[side] = t->isn[side] + (uint32_t)n;
    else if (strcmp(field, "isn") == 0)
        t->next[side] = t->isn[side] = (uint32_t)n;
    else if (strcmp(field, "win") == 0)
        t->window[side] = (uint32_t)n;
    else if (strcmp(field, "id") == 0)
        t->ip_id[side] = (uint16_t)n;
    else
        return false;
    return true;
}

static void set_variable(struct script *s, const char *name, struct script_value v)
{
    script_let(s->locals ? s->locals : s->globals, name, v);
}

/* NAME[INDEX] = EXPRESSION: lists grow as far as they are told. */
static bool set_element(struct script_at *a, const char *name)
{
    struct script *s = a->script;
    struct script_at list = { .script = s, .p = name };
    struct script_value of, v;
    int64_t i;

    a->p++;
    i = script_number(s, script_expression(a));
    if (!script_takes(a, "]") || !script_takes(a, "="))
        return false;
    of = script_operand(&list);
    v = script_expression(a);
    if (of.kind != SCRIPT_LIST || i < 0)
        script_wrong(s, "%s is no list", name);
    if ((guint)i >= of.list->len)
        g_array_set_size(of.list, (guint)i + 1);
    g_array_index(of.list, struct script_value, i) = v;
    return true;
}

/* NAME = EXPRESSION, and += and -=. */
bool script_set(struct script_at *a, const char *name)
{
    struct script *s = a->script;
    bool more = script_takes(a, "+="), less = !more && script_takes(a, "-=");
    enum tcpwhy_side side;
    const char *field;
    struct script_value v;

    if (*a->p == '[')
        return set_element(a, name);
    if (!more && !less && (a->p[0] == '=' && a->p[1] == '='))
        return false;
    if (!more && !less && !script_takes(a, "="))
        return false;
    v = script_expression(a);
    if (more || less) {
        char *text = g_strconcat(name, less ? " - own" : " + own", NULL);
        struct script_at sum = { .script = s, .p = text };

        set_variable(s, g_intern_string("own"), v);
        v = script_expression(&sum);
        g_free(text);
    }
    if (strcmp(name, "wscale") == 0)
        s->talk.wscale = (uint8_t)script_number(s, v);
    else if (strcmp(name, "mss") == 0)
        s->talk.mss = (uint16_t)script_number(s, v);
    else if (strcmp(name, "snaplen") == 0)
        s->snaplen = script_number(s, v);
    else if (strcmp(name, "sack") == 0)
        s->talk.no_sack = !script_true(s, v);
    else if (!strchr(name, '.'))
        set_variable(s, name, v);
    else if (!side_of(s, name, &side, &field) || !set_side(s, side, field, script_number(s, v)))
        script_wrong(s, "%s cannot be set", name);
    return true;
}
