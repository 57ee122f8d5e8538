/* SPDX-License-Identifier: MIT */
/* Fields of the connection and of its explanation, as expressions read them. */
#include <string.h>

#include "base/hash_table.h"
#include "base/text.h"
#include "tests/unit/script.h"

bool script_side_of(struct script *s, const char *name, enum tcpwhy_side *side, const char **field)
{
    const char *dot = strchr(name, '.');
    size_t len = dot ? (size_t)(dot - name) : strlen(name);
    const struct script_value *v = NULL;
    char *of = tw_strndup(name, len);

    *field = dot ? dot + 1 : "";
    if (s->locals)
        v = tw_hash_table_lookup(s->locals, of);
    if (strcmp(of, "C") == 0 || strcmp(of, "S") == 0)
        *side = of[0] == 'C' ? C : S;
    else if (v && v->kind == SCRIPT_NUMBER)
        *side = v->n ? S : C;
    else
        len = 0;
    tw_free(of);
    return len > 0;
}

/* Offsets count from the SYN, which has 0. */
static bool read_sender(const struct talk *t, enum tcpwhy_side side, const char *field,
                        struct script_value *value)
{
    if (strcmp(field, "") == 0)
        *value = script_count(side);
    else if (strcmp(field, "next") == 0)
        *value = script_count((int32_t)(t->next[side] - t->isn[side]));
    else if (strcmp(field, "isn") == 0)
        *value = script_count(0);
    else if (strcmp(field, "win") == 0)
        *value = script_count(t->window[side]);
    else if (strcmp(field, "id") == 0)
        *value = script_count(t->ip_id[side]);
    else
        return false;
    return true;
}

static bool read_tracked(const struct tw_side *side, const char *field, struct script_value *value)
{
    if (strcmp(field, "bytes") == 0)
        *value = script_count((int64_t)side->bytes);
    else if (strcmp(field, "frames") == 0)
        *value = script_count((int64_t)side->frames);
    else if (strcmp(field, "retransmissions") == 0)
        *value = script_count(side->retransmissions);
    else if (strcmp(field, "copies") == 0)
        *value = script_count(side->copies);
    else if (strcmp(field, "mss") == 0)
        *value = script_count(side->mss);
    else if (strcmp(field, "acked") == 0)
        *value = script_count(side->acked);
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
        *value = script_time(s->talk.explanation.vantage.to_side_ns[side]);
        return true;
    }
    if (strcmp(field, "answered_by_acks") == 0) {
        script_explain(s);
        *value = script_count(s->talk.explanation.vantage.answered_by[side] >= TW_BY_ACKS);
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
            *value = script_count((last->facts & facts[i].fact) != 0);
            return true;
        }
    if (strcmp(name, "last.facts") == 0)
        *value = script_count(last->facts);
    else if (strcmp(name, "last.seq") == 0)
        *value = script_count(last->seq);
    else if (strcmp(name, "last.ack") == 0)
        *value = script_count(last->ack);
    else if (strcmp(name, "last.fresh") == 0)
        *value = script_count(last->fresh);
    else if (strcmp(name, "last.window") == 0)
        *value = script_count(last->window_bytes);
    else if (strcmp(name, "last.frame") == 0)
        *value = script_count(last->frame);
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
            *value = script_count(kinds[i].n);
            return true;
        }
    return false;
}

static bool read_connection(const struct tw_connection *c, const char *name,
                            struct script_value *value)
{
    if (strcmp(name, "stream") == 0)
        *value = script_count(c->stream);
    else if (strcmp(name, "roles_inferred") == 0)
        *value = script_count(c->roles_inferred);
    else if (strcmp(name, "reused") == 0)
        *value = script_count(c->reused);
    else if (strcmp(name, "first_frame") == 0)
        *value = script_count(c->first_frame);
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
        *value = script_time(t->log->record[t->log->n - 1].time_ns - t->log->record[0].time_ns);
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
        *value = script_count(
            strcmp(name + 8, tcpwhy_confidence_name(t->explanation.vantage.confidence)) == 0);
        return true;
    }
    if (strcmp(name, "data_only") == 0) {
        script_explain(s);
        *value = script_count(t->explanation.data_only);
        return true;
    }
    if (strncmp(name, "rtt.", 4) == 0) {
        const struct tw_vantage *v = &t->explanation.vantage;

        script_explain(s);
        *value = script_time(strcmp(name, "rtt.min") == 0      ? v->rtt_min_ns
                             : strcmp(name, "rtt.median") == 0 ? v->rtt_median_ns
                                                               : v->rtt_max_ns);
        return true;
    }
    if (strcmp(name, "exchanges") == 0 || strncmp(name, "request.", 8) == 0) {
        script_explain(s);
        *value = script_count(name[0] == 'e' ? (int64_t)t->exchanges.n : request_of(t, name));
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
            *value = script_count(flags[i].flag);
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
    if (script_read_wire(s, name, value) || script_read_gap(s, name, value) ||
        script_read_session(s, name, value) || script_read_labels(s, name, value))
        return true;
    if (strcmp(name, "MSS") == 0) {
        *value = script_count(TALK_MSS);
        return true;
    }
    if (strcmp(name, "not_known") == 0) {
        *value = script_time(TCPWHY_NS_UNKNOWN);
        return true;
    }
    if (strcmp(name, "now") == 0) {
        *value = script_time(s->now_ns);
        return true;
    }
    if (read_flag(name, value) || read_last(&s->talk.last, name, value))
        return true;
    if (script_side_of(s, name, &side, &field))
        return read_side(s, side, field, value);
    return read_explanation(s, name, value);
}
