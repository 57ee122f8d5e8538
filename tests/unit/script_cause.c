/* SPDX-License-Identifier: MIT */
/* expect CAUSE ...: how long it is charged for, and how sure and whose its gap is. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tests/unit/script.h"

#define NS_PER_US 1000

struct expected {
    const char *text; /* the whole line */
    bool longest, last, latest, at, sent;
    enum tcpwhy_side sender;
    tcpwhy_ns at_ns;
    bool none; /* there is no such gap */
    enum tcpwhy_cause cause;
    const char *compared; /* NULL, "..", or a sign */
    tcpwhy_ns least_ns, most_ns;
    int confidence, rival, party, from; /* or SCRIPT_ANY */
    const char *kind;                   /* or NULL */
};

bool script_is_cause(const char *word)
{
    enum tcpwhy_cause cause;

    return word && tcpwhy_cause_by_name(word, &cause);
}

enum tcpwhy_cause script_cause_of(struct script_at *a)
{
    const char *word = script_word(a);
    enum tcpwhy_cause cause = TCPWHY_CAUSE_NONE;

    if (!word || !tcpwhy_cause_by_name(word, &cause))
        script_wrong(a->script, "%s is no cause", word ? word : "that");
    return cause;
}

int script_confidence_of(const char *word)
{
    for (int i = TCPWHY_AMBIGUOUS; i <= TCPWHY_CERTAIN; i++)
        if (word && strcmp(word, tcpwhy_confidence_name((enum tcpwhy_confidence)i)) == 0)
            return i;
    return SCRIPT_ANY;
}

int script_party_of(struct script_at *a)
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
    int confidence = script_confidence_of(script_word(&ahead));

    if (confidence != SCRIPT_ANY) {
        *a = ahead;
        x->confidence = confidence;
    } else if (script_takes(a, "rival")) {
        x->rival = (int)script_cause_of(a);
    } else if (script_takes(a, "by")) {
        x->party = script_party_of(a);
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
    x->confidence = x->rival = x->party = x->from = SCRIPT_ANY;
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
    x->cause = script_cause_of(a);
    for (script_blank(a); *a->p; script_blank(a))
        quality(a, x);
    if (x->confidence == TCPWHY_CERTAIN && x->rival == SCRIPT_ANY)
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
    bool about_span = one || x->confidence != SCRIPT_ANY || x->party != SCRIPT_ANY ||
                      x->from != SCRIPT_ANY || x->rival != SCRIPT_ANY || !x->compared;
    tcpwhy_ns ns = one && span ? span->to_ns - span->from_ns : 0;

    if (x->none)
        return !span || span->cause != x->cause;
    if (!one)
        ns = talk_charged(t, x->cause) * NS_PER_US;
    if (about_span && x->kind && !span)
        return false;
    if (about_span && !x->kind && (!span || span->cause != x->cause))
        return false;
    if (!fits_amount(x, ns) || (x->kind && strcmp(x->kind, found_kind(t, x->cause)) != 0))
        return false;
    return (x->confidence == SCRIPT_ANY || (int)span->confidence == x->confidence) &&
           (x->rival == SCRIPT_ANY || (int)span->rival == x->rival) &&
           (x->party == SCRIPT_ANY || (int)span->party == x->party) &&
           (x->from == SCRIPT_ANY || (int)span->from == x->from);
}

void script_expect_cause(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    struct expected x = { .text = line };
    const struct tw_span *span;
    tw_string *text;

    read_expected(a, &x);
    script_explain(s);
    span = found_span(&s->talk, &x);
    if (fits(&s->talk, &x, span))
        return;
    script_begin_failure(s, line);
    text = tw_string_new(NULL);
    script_put_time(text, talk_charged(&s->talk, x.cause) * NS_PER_US);
    if (span) {
        tw_string_append(text, " in all; ");
        script_put_gap(text, span);
    }
    printf("  + %s %s, kind %s\n", tcpwhy_cause_info(x.cause)->name, text->str,
           found_kind(&s->talk, x.cause));
    tw_string_free(text, true);
    script_end_failure(s);
}
