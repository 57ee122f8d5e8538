/* SPDX-License-Identifier: MIT */
/* Functions of expressions that ask about gaps: charged(), longest(), gaps(); and detail() and
 * arrival(). */
#include <string.h>

#include "tests/unit/script.h"

/* detail(NAME): the whole number of that name that belongs to a cause. */
static struct script_value detail(struct script_at *a)
{
    const struct tw_explanation *x = &a->script->talk.explanation;
    const char *name = script_word(a);

    script_takes(a, ")");
    if (a->skips)
        return script_count(0);
    script_explain(a->script);
    for (uint32_t i = 0; i < x->n_details; i++)
        if (name && strcmp(x->detail[i].name, name) == 0) {
            int64_t n = (int64_t)x->detail[i].number;

            return script_count(x->detail[i].number - (double)n == 0 ? n : -1);
        }
    return script_count(-1);
}

/* arrival(WAY): when the first response was whole at the asker, that far from the vantage. */
static struct script_value arrival(struct script_at *a)
{
    struct script *s = a->script;
    tcpwhy_ns way_ns = script_ns(s, script_expression(a));

    script_takes(a, ")");
    if (a->skips)
        return script_time(0);
    script_explain(s);
    if (s->talk.exchanges.n == 0)
        script_wrong(s, "there is no exchange");
    return script_time(tw_exchange_arrival(s->talk.log, s->talk.exchanges.exchange, way_ns));
}

/* The gaps meant: (CAUSE [, CONFIDENCE [, RIVAL]]). */
struct asked {
    enum tcpwhy_cause cause;
    const char *confidence, *rival; /* or NULL */
};

static struct asked read_asked(struct script_at *a)
{
    struct asked asked = { 0 };
    const char *word = script_word(a);
    bool known = word && tcpwhy_cause_by_name(word, &asked.cause);

    if (script_takes(a, ","))
        asked.confidence = script_word(a);
    if (script_takes(a, ","))
        asked.rival = script_word(a);
    if (!known || !script_takes(a, ")"))
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
    if (strcmp(name, "arrival") == 0) {
        *value = arrival(a);
        return true;
    }
    if (!longest && !gaps && strcmp(name, "charged") != 0)
        return false;
    asked = read_asked(a);
    *value = gaps ? script_count(0) : script_time(0);
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
