/* SPDX-License-Identifier: MIT */
/*
 * What a script expects, and where that is not so, the difference: each gap as it was expected,
 * and as it was found.
 */
#include <stdio.h>
#include <string.h>

#include "tests/unit/script.h"

#define NS_PER_US 1000
#define NS_PER_MS 1000000

/* ---- what was found -------------------------------------------------------------------------- */

static void put_time(GString *text, tcpwhy_ns ns)
{
    if (ns % NS_PER_US)
        g_string_append_printf(text, "%" PRId64 "ns", ns);
    else if (ns % NS_PER_MS)
        g_string_append_printf(text, "%.10gms", (double)ns / NS_PER_MS);
    else
        g_string_append_printf(text, "%" PRId64 "ms", ns / NS_PER_MS);
}

static void put_verdict(GString *text, const struct tw_span *span)
{
    g_string_append(text, tcpwhy_confidence_name(span->confidence));
    if (span->rival != TCPWHY_CAUSE_NONE)
        g_string_append_printf(text, " rival %s", tcpwhy_cause_info(span->rival)->name);
    if (span->party != TCPWHY_PARTY_NONE)
        g_string_append_printf(text, " by %s", tcpwhy_party_name(span->party));
}

/* A line of the ledger: FROM .. TO CAUSE CONFIDENCE [rival CAUSE] [by PARTY]. */
static void put_gap(GString *text, const struct tw_span *span)
{
    put_time(text, span->from_ns);
    g_string_append(text, " .. ");
    put_time(text, span->to_ns);
    g_string_append_printf(text, " %s ", tcpwhy_cause_info(span->cause)->name);
    put_verdict(text, span);
}

static GPtrArray *ledger(const struct talk *t)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

    for (uint32_t i = 0; i < t->explanation.n_spans; i++) {
        GString *text = g_string_new(NULL);

        put_gap(text, &t->explanation.span[i]);
        g_ptr_array_add(lines, g_string_free(text, false));
    }
    return lines;
}

void script_print_ledger(const struct talk *t)
{
    GPtrArray *lines = ledger(t);

    for (guint i = 0; i < lines->len; i++)
        printf("%s\n", (const char *)lines->pdata[i]);
    g_ptr_array_unref(lines);
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

static void begin_failure(struct script *s, const char *expected)
{
    if (s->failures++ == 0)
        printf("not ok %s\n", s->test);
    printf("%s:%u\n  - %s\n", s->path, script_line_of(s, s->at).number, expected);
}

static void end_failure(const struct script *s)
{
    GPtrArray *lines = ledger(&s->talk);

    for (guint i = 0; i < lines->len; i++)
        printf("    %s\n", (const char *)lines->pdata[i]);
    g_ptr_array_unref(lines);
}

void script_explain(struct script *s)
{
    if (s->explained)
        return;
    if (!s->talk.last.connection)
        script_wrong(s, "nothing was said yet");
    tw_explanation_clear(&s->talk.explanation);
    tw_exchanges_clear(&s->talk.exchanges);
    talk_explain(&s->talk);
    s->explained = true;
    if (!complete(&s->talk)) {
        begin_failure(s, "gaps follow each other and are the whole life");
        end_failure(s);
    }
}

/* ---- a cause --------------------------------------------------------------------------------- */

enum { ANY = -1 };

struct expected {
    const char *text; /* the whole line */
    bool longest, last, latest, at, sent;
    enum tcpwhy_side sender;
    tcpwhy_ns at_ns;
    bool none; /* there is no such gap */
    enum tcpwhy_cause cause;
    const char *compared; /* NULL, "..", or a sign */
    tcpwhy_ns least_ns, most_ns;
    int confidence, rival, party, from; /* or ANY */
    const char *kind;                   /* or NULL */
};

bool script_is_cause(const char *word)
{
    return word && tcpwhy_cause_by_name(word) != TCPWHY_N_CAUSES;
}

static enum tcpwhy_cause cause_of(struct script_at *a)
{
    const char *word = script_word(a);

    if (!script_is_cause(word))
        script_wrong(a->script, "%s is no cause", word ? word : "that");
    return tcpwhy_cause_by_name(word);
}

static int confidence_of(const char *word)
{
    for (int i = TCPWHY_AMBIGUOUS; i <= TCPWHY_CERTAIN; i++)
        if (word && strcmp(word, tcpwhy_confidence_name((enum tcpwhy_confidence)i)) == 0)
            return i;
    return ANY;
}

static int party_of(struct script_at *a)
{
    const char *word = script_word(a);

    for (int i = 0; word && i <= TCPWHY_PARTY_PATH; i++)
        if (strcmp(word, tcpwhy_party_name((enum tcpwhy_party)i)) == 0)
            return i;
    script_wrong(a->script, "%s is no party", word ? word : "that");
}

static void amount(struct script_at *a, struct expected *x)
{
    static const char *const signs[] = { ">=", "<=", ">", "<" };

    x->compared = "..";
    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
        if (script_takes(a, signs[i])) {
            x->compared = signs[i];
            break;
        }
    x->least_ns = x->most_ns = script_ns(a->script, script_sum(a));
    if (script_takes(a, ".."))
        x->most_ns = script_ns(a->script, script_sum(a));
}

static void quality(struct script_at *a, struct expected *x)
{
    struct script_at ahead = *a;
    int confidence = confidence_of(script_word(&ahead));

    if (confidence != ANY) {
        *a = ahead;
        x->confidence = confidence;
    } else if (script_takes(a, "rival")) {
        x->rival = (int)cause_of(a);
    } else if (script_takes(a, "by")) {
        x->party = party_of(a);
    } else if (script_takes(a, "of")) {
        x->from = (int)script_number(a->script, script_operand(a));
    } else if (script_takes(a, "kind")) {
        script_blank(a);
        x->kind = a->p; /* words, to the end */
        a->p += strlen(a->p);
    } else {
        amount(a, x);
    }
}

static void read_expected(struct script_at *a, struct expected *x)
{
    x->confidence = x->rival = x->party = x->from = ANY;
    x->longest = script_takes(a, "longest");
    x->last = !x->longest && script_takes(a, "last");
    x->latest = script_takes(a, "latest");
    x->sent = script_takes(a, "from");
    if (x->sent)
        x->sender = script_number(a->script, script_operand(a)) ? S : C;
    x->at = script_takes(a, "at");
    if (x->at)
        x->at_ns = script_ns(a->script, script_sum(a));
    x->none = script_takes(a, "no");
    x->cause = cause_of(a);
    for (script_blank(a); *a->p; script_blank(a))
        quality(a, x);
    if (x->confidence == TCPWHY_CERTAIN && x->rival == ANY)
        x->rival = TCPWHY_CAUSE_NONE;
}

static const struct tw_span *found_span(const struct talk *t, const struct expected *x)
{
    const struct tw_explanation *found = &t->explanation;

    if (x->last)
        return found->n_spans ? &found->span[found->n_spans - 1] : NULL;
    if (x->longest)
        return talk_longest_span(t, x->cause);
    if (!x->at && !x->sent && !x->latest)
        return talk_span(t, x->cause);
    for (uint32_t i = found->n_spans; x->latest && i > 0; i--)
        if (found->span[i - 1].cause == x->cause)
            return &found->span[i - 1];
    for (uint32_t i = 0; i < found->n_spans; i++)
        if (x->sent ? found->span[i].cause == x->cause && found->span[i].from == x->sender
                    : found->span[i].from_ns == x->at_ns)
            return &found->span[i];
    return NULL;
}

static const char *found_kind(const struct talk *t, enum tcpwhy_cause cause)
{
    for (uint32_t i = 0; i < t->explanation.n_details; i++)
        if (t->explanation.detail[i].cause == cause &&
            strcmp(t->explanation.detail[i].name, "kind") == 0)
            return t->explanation.detail[i].text;
    return "none";
}

static bool fits_amount(const struct expected *x, tcpwhy_ns ns)
{
    if (!x->compared)
        return true;
    if (strcmp(x->compared, "..") == 0)
        return ns >= x->least_ns && ns <= x->most_ns;
    if (x->compared[0] == '>')
        return x->compared[1] ? ns >= x->least_ns : ns > x->least_ns;
    return x->compared[1] ? ns <= x->least_ns : ns < x->least_ns;
}

static bool fits(const struct talk *t, const struct expected *x, const struct tw_span *span)
{
    bool one = x->longest || x->last || x->latest || x->at || x->sent;
    bool about_span = one || x->confidence != ANY || x->party != ANY || x->from != ANY ||
                      x->rival != ANY || !x->compared;
    tcpwhy_ns ns =
        one && span ? span->to_ns - span->from_ns : talk_charged(t, x->cause) * NS_PER_US;

    if (x->none)
        return !span || span->cause != x->cause;
    if (about_span && x->kind && !span)
        return false;
    if (about_span && !x->kind && (!span || span->cause != x->cause))
        return false;
    if (!fits_amount(x, ns) || (x->kind && strcmp(x->kind, found_kind(t, x->cause)) != 0))
        return false;
    return (x->confidence == ANY || (int)span->confidence == x->confidence) &&
           (x->rival == ANY || (int)span->rival == x->rival) &&
           (x->party == ANY || (int)span->party == x->party) &&
           (x->from == ANY || (int)span->from == x->from);
}

static void expect_cause(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    struct expected x = { .text = line };
    const struct tw_span *span;
    GString *text;

    read_expected(a, &x);
    script_explain(s);
    span = found_span(&s->talk, &x);
    if (fits(&s->talk, &x, span))
        return;
    begin_failure(s, line);
    text = g_string_new(NULL);
    put_time(text, talk_charged(&s->talk, x.cause) * NS_PER_US);
    if (span) {
        g_string_append(text, " in all; ");
        put_gap(text, span);
    }
    printf("  + %s %s, kind %s\n", tcpwhy_cause_info(x.cause)->name, text->str,
           found_kind(&s->talk, x.cause));
    g_string_free(text, true);
    end_failure(s);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

/* FROM .. TO CAUSE CONFIDENCE [rival CAUSE] [by PARTY], as put_gap() writes it. */
static char *expected_gap(struct script_at *a)
{
    struct tw_span span = { .rival = TCPWHY_CAUSE_NONE, .party = TCPWHY_PARTY_NONE };
    GString *text = g_string_new(NULL);
    int confidence;

    span.from_ns = script_ns(a->script, script_sum(a));
    if (!script_takes(a, ".."))
        script_wrong(a->script, "FROM .. TO CAUSE is wanted");
    span.to_ns = script_ns(a->script, script_sum(a));
    span.cause = cause_of(a);
    confidence = confidence_of(script_word(a));
    if (confidence == ANY)
        script_wrong(a->script, "how sure is missing");
    span.confidence = (enum tcpwhy_confidence)confidence;
    if (script_takes(a, "rival"))
        span.rival = cause_of(a);
    if (script_takes(a, "by"))
        span.party = (enum tcpwhy_party)party_of(a);
    put_gap(text, &span);
    return g_string_free(text, false);
}

static bool holds(const GPtrArray *lines, guint from, const char *line)
{
    for (guint i = from; i < lines->len; i++)
        if (strcmp(lines->pdata[i], line) == 0)
            return true;
    return false;
}

/* Lines of both, in order: '-' only expected, '+' only found. */
static void print_difference(const GPtrArray *expected, const GPtrArray *found)
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

static void expect_ledger(struct script_at *a)
{
    struct script *s = a->script;
    unsigned begin = s->at, indent = script_line_of(s, begin).indent;
    GPtrArray *expected = g_ptr_array_new_with_free_func(g_free), *found;
    bool same;

    while (s->at + 1 < s->lines->len && script_line_of(s, s->at + 1).indent > indent) {
        struct script_at line = { .script = s, .p = script_line_of(s, ++s->at).text };

        g_ptr_array_add(expected, expected_gap(&line));
    }
    script_explain(s);
    found = ledger(&s->talk);
    same = expected->len == found->len;
    for (guint i = 0; same && i < found->len; i++)
        same = strcmp(expected->pdata[i], found->pdata[i]) == 0;
    if (!same) {
        unsigned end = s->at;

        s->at = begin;
        begin_failure(s, "this ledger");
        s->at = end;
        print_difference(expected, found);
    }
    g_ptr_array_unref(expected);
    g_ptr_array_unref(found);
}

/* ---- everything else ------------------------------------------------------------------------- */

static void expect_word(struct script *s, const char *expected, const char *found)
{
    if (expected && strcmp(expected, found) == 0)
        return;
    begin_failure(s, expected ? expected : "a word");
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

static void expect_expression(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    struct script_value left = { 0 };
    struct script_at again = *a;

    if (script_true(s, script_expression(a)))
        return;
    begin_failure(s, line);
    left = script_sum(&again);
    if (left.kind == SCRIPT_TIME)
        printf("  + %.10gms\n", (double)left.n / NS_PER_MS);
    else
        printf("  + %" PRId64 "\n", left.n);
    if (s->explained)
        end_failure(s);
}

static bool is_call(struct script_at a)
{
    return script_name(&a) && *a.p == '(';
}

void script_expect(struct script_at *a)
{
    struct script_at ahead;
    const char *line;

    script_blank(a);
    line = a->p;

    if (script_takes(a, "class")) {
        expect_word(a->script, script_word(a),
                    tcpwhy_class_name((enum tcpwhy_class)a->script->talk.last.frame_class));
    } else if (script_takes(a, "told")) {
        expect_word(a->script, "told", is_told(a) ? "told" : "not told");
    } else if (script_takes(a, "untold")) {
        expect_word(a->script, "not told", is_told(a) ? "told" : "not told");
    } else if (script_takes(a, "vantage")) {
        expect_vantage(a);
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
            expect_cause(a, line);
    }
    script_blank(a);
    if (*a->p)
        script_wrong(a->script, "\"%s\" is left over", a->p);
}
