/* SPDX-License-Identifier: MIT */
/*
 * Expectations of a script, and the difference where they fail: each gap as expected, and as found.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "tests/unit/script.h"

#define NS_PER_MS 1000000

/* ---- the ledger ------------------------------------------------------------------------------ */

/* FROM .. TO CAUSE CONFIDENCE [rival CAUSE] [by PARTY], as script_put_gap() writes it. */
static char *expected_gap(struct script_at *a)
{
    struct tw_span span = { .rival = TCPWHY_CAUSE_NONE, .party = TCPWHY_PARTY_NONE };
    tw_string *text = tw_string_new(NULL);
    int confidence;

    span.from_ns = script_ns(a->script, script_sum(a));
    if (!script_takes(a, ".."))
        script_wrong(a->script, "FROM .. TO CAUSE is wanted");
    span.to_ns = script_ns(a->script, script_sum(a));
    span.cause = script_cause_of(a);
    confidence = script_confidence_of(script_word(a));
    if (confidence == SCRIPT_ANY)
        script_wrong(a->script, "how sure is missing");
    span.confidence = (enum tcpwhy_confidence)confidence;
    if (script_takes(a, "rival"))
        span.rival = script_cause_of(a);
    if (script_takes(a, "by"))
        span.party = (enum tcpwhy_party)script_party_of(a);
    script_put_gap(text, &span);
    return tw_string_free(text, false);
}

static bool holds(const tw_ptr_array *lines, guint from, const char *line)
{
    for (guint i = from; i < lines->len; i++)
        if (strcmp(lines->pdata[i], line) == 0)
            return true;
    return false;
}

/* Lines of both, in order: '-' only expected, '+' only found. */
static void print_difference(const tw_ptr_array *expected, const tw_ptr_array *found)
{
    guint i = 0, k = 0;

    while (i < expected->len || k < found->len) {
        const char *want = i < expected->len ? expected->pdata[i] : NULL;
        const char *have = k < found->len ? found->pdata[k] : NULL;

        if (want && have && strcmp(want, have) == 0) {
            printf("    %s\n", want);
            i++;
            k++;
        } else if (want && (!have || !holds(found, k, want))) {
            printf("  - %s\n", want);
            i++;
        } else {
            printf("  + %s\n", have);
            k++;
        }
    }
}

tw_ptr_array *script_block_lines(struct script *s)
{
    tw_ptr_array *lines = tw_ptr_array_new();

    for (unsigned i = s->at + 1; i < script_behind_block(s, s->at); i++)
        tw_ptr_array_add(lines, (gpointer)(uintptr_t)script_line_of(s, i).text);
    return lines;
}

void script_compare_lines(struct script *s, const tw_ptr_array *expected, const tw_ptr_array *found,
                          const char *what)
{
    bool same = expected->len == found->len;

    for (guint i = 0; same && i < found->len; i++)
        same = strcmp(expected->pdata[i], found->pdata[i]) == 0;
    if (same)
        return;
    script_begin_failure(s, what);
    print_difference(expected, found);
}

static void expect_ledger(struct script_at *a)
{
    struct script *s = a->script;
    unsigned begin = s->at;
    tw_ptr_array *lines = script_block_lines(s), *found;
    tw_ptr_array *expected = tw_ptr_array_new_with_free_func(tw_free);

    for (guint i = 0; i < lines->len; i++) {
        struct script_at line = { .script = s, .p = lines->pdata[i] };

        s->at = begin + 1 + i;
        tw_ptr_array_add(expected, expected_gap(&line));
    }
    s->at = begin;
    script_explain(s);
    found = script_ledger(&s->talk);
    script_compare_lines(s, expected, found, "this ledger");
    tw_ptr_array_unref(lines);
    tw_ptr_array_unref(expected);
    tw_ptr_array_unref(found);
}

/* ---- everything else ------------------------------------------------------------------------- */

static void expect_word(struct script *s, const char *expected, const char *found)
{
    if (expected && strcmp(expected, found) == 0)
        return;
    script_begin_failure(s, expected ? expected : "a word");
    printf("  + %s\n", found);
}

static void expect_vantage(struct script_at *a)
{
    struct script *s = a->script;
    const struct tw_vantage *v = &s->talk.explanation.vantage;

    script_explain(s);
    expect_word(s, script_word(a), tcpwhy_vantage_name(v->place));
    script_blank(a);
    if (*a->p)
        expect_word(s, script_word(a), tcpwhy_confidence_name(v->confidence));
}

/* told TEXT: a detail of some cause says that. */
static bool is_told(struct script_at *a)
{
    const struct tw_explanation *x = &a->script->talk.explanation;
    const char *text;

    script_blank(a);
    text = a->p;
    a->p += strlen(a->p);
    script_explain(a->script);
    for (uint32_t i = 0; i < x->n_details; i++)
        if (x->detail[i].text && strcmp(x->detail[i].text, text) == 0)
            return true;
    return false;
}

/* EXPRESSION in FROM..TO */
static bool is_within(struct script_at *a, struct script_value v)
{
    struct script *s = a->script;
    tcpwhy_ns least = script_ns(s, script_sum(a));

    if (!script_takes(a, ".."))
        script_wrong(s, "in FROM..TO is wanted");
    return script_ns(s, v) >= least && script_ns(s, v) <= script_ns(s, script_sum(a));
}

static void expect_expression(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    struct script_at again = *a;
    struct script_value v = script_expression(a);

    if (script_takes(a, "in") ? is_within(a, v) : script_true(s, v))
        return;
    script_begin_failure(s, line);
    v = script_sum(&again);
    if (v.kind == SCRIPT_TIME)
        printf("  + %.10gms\n", (double)v.n / NS_PER_MS);
    else
        printf("  + %" PRId64 "\n", v.n);
    if (s->explained)
        script_end_failure(s);
}

static bool is_call(struct script_at a)
{
    return script_name(&a) && *a.p == '(';
}

/* "no failure", and not "no CAUSE". */
static bool takes_no_failure(struct script_at *a)
{
    struct script_at ahead = *a;

    if (!script_takes(&ahead, "no") || !script_takes(&ahead, "failure"))
        return false;
    *a = ahead;
    return true;
}

void script_expect(struct script_at *a)
{
    struct script_at ahead;
    const char *line;

    script_blank(a);
    line = a->p;

    if (script_expect_wire(a, line) || script_expect_gap(a, line) ||
        script_expect_session(a, line) || script_expect_labels(a, line)) {
        ; /* of a conversation, of one gap, of a session, or labels */
    } else if (script_takes(a, "class")) {
        expect_word(a->script, script_word(a),
                    tcpwhy_class_name((enum tcpwhy_class)a->script->talk.last.frame_class));
    } else if (script_takes(a, "told")) {
        expect_word(a->script, "told", is_told(a) ? "told" : "not told");
    } else if (script_takes(a, "untold")) {
        expect_word(a->script, "not told", is_told(a) ? "told" : "not told");
    } else if (script_takes(a, "vantage")) {
        expect_vantage(a);
    } else if (script_takes(a, "failure")) {
        script_expect_failure(a, false);
        return;
    } else if (takes_no_failure(a)) {
        script_expect_failure(a, true);
        return;
    } else if (script_takes(a, "ledger")) {
        expect_ledger(a);
        return;
    } else {
        ahead = *a;
        if (is_call(*a) || (!script_takes(&ahead, "longest") && !script_takes(&ahead, "last") &&
                            !script_takes(&ahead, "at") && !script_takes(&ahead, "from") &&
                            !script_takes(&ahead, "latest") && !script_takes(&ahead, "no") &&
                            (!script_is_cause(script_word(&ahead)) || *ahead.p == '(')))
            expect_expression(a, line);
        else
            script_expect_cause(a, line);
    }
    script_blank(a);
    if (*a->p)
        script_wrong(a->script, "\"%s\" is left over", a->p);
}
