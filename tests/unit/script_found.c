/* SPDX-License-Identifier: MIT */
/* An explanation as text: its gaps, and the failed expectations of a test. */
#include <stdio.h>

#include "base/array.h"
#include "base/text.h"
#include "tests/unit/script.h"

#define NS_PER_US 1000
#define NS_PER_MS 1000000

void script_put_time(tw_string *text, tcpwhy_ns ns)
{
    if (ns % NS_PER_US)
        tw_string_append_printf(text, "%" PRId64 "ns", ns);
    else if (ns % NS_PER_MS)
        tw_string_append_printf(text, "%.10gms", (double)ns / NS_PER_MS);
    else
        tw_string_append_printf(text, "%" PRId64 "ms", ns / NS_PER_MS);
}

static void put_verdict(tw_string *text, const struct tw_span *span)
{
    tw_string_append(text, tcpwhy_confidence_name(span->confidence));
    if (span->rival != TCPWHY_CAUSE_NONE)
        tw_string_append_printf(text, " rival %s", tcpwhy_cause_info(span->rival)->name);
    if (span->party != TCPWHY_PARTY_NONE)
        tw_string_append_printf(text, " by %s", tcpwhy_party_name(span->party));
}

/* A line of the ledger: FROM .. TO CAUSE CONFIDENCE [rival CAUSE] [by PARTY]. */
void script_put_gap(tw_string *text, const struct tw_span *span)
{
    script_put_time(text, span->from_ns);
    tw_string_append(text, " .. ");
    script_put_time(text, span->to_ns);
    tw_string_append_printf(text, " %s ", tcpwhy_cause_info(span->cause)->name);
    put_verdict(text, span);
}

tw_ptr_array *script_ledger(const struct talk *t)
{
    tw_ptr_array *lines = tw_ptr_array_new_with_free_func(tw_free);

    for (uint32_t i = 0; i < t->explanation.n_spans; i++) {
        tw_string *text = tw_string_new(NULL);

        script_put_gap(text, &t->explanation.span[i]);
        tw_ptr_array_add(lines, tw_string_free(text, false));
    }
    return lines;
}

void script_print_ledger(const struct talk *t)
{
    tw_ptr_array *lines = script_ledger(t);

    for (guint i = 0; i < lines->len; i++)
        printf("%s\n", (const char *)lines->pdata[i]);
    tw_ptr_array_unref(lines);
}

/* Gaps follow each other without a hole, and are the whole life. */
static bool complete(const struct talk *t)
{
    const struct tw_explanation *x = &t->explanation;

    if (x->n_spans == 0)
        return t->log->record[0].time_ns == t->log->record[t->log->n - 1].time_ns;
    for (uint32_t i = 1; i < x->n_spans; i++)
        if (x->span[i].from_ns != x->span[i - 1].to_ns)
            return false;
    return x->span[0].from_ns == t->log->record[0].time_ns &&
           x->span[x->n_spans - 1].to_ns == t->log->record[t->log->n - 1].time_ns;
}

void script_begin_failure(struct script *s, const char *expected)
{
    if (s->failures++ == 0)
        printf("not ok %s\n", s->test);
    printf("%s:%u\n  - %s\n", s->path, script_line_of(s, s->at).number, expected);
}

void script_end_failure(const struct script *s)
{
    tw_ptr_array *lines = script_ledger(&s->talk);

    for (guint i = 0; i < lines->len; i++)
        printf("    %s\n", (const char *)lines->pdata[i]);
    tw_ptr_array_unref(lines);
}

void script_explain(struct script *s)
{
    if (s->explained)
        return;
    if (!s->talk.last.connection)
        script_wrong(s, "nothing was said yet");
    tw_explanation_clear(&s->talk.explanation);
    tw_exchanges_clear(&s->talk.exchanges);
    for (int i = 0; i < 2; i++)
        s->talk.log->ip_id_scope[i] =
            tw_tracker_ip_id_scope(s->talk.tracker, s->talk.last.connection, (enum tcpwhy_side)i);
    talk_explain(&s->talk);
    s->explained = true;
    if (!complete(&s->talk)) {
        script_begin_failure(s, "gaps follow each other and are the whole life");
        script_end_failure(s);
    }
}
