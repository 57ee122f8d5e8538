/* SPDX-License-Identifier: MIT */
/* A script's expectation of failures: [no] failure KIND [seen WORD] [who WORD] [with CLUE]. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "failures/failures.h"
#include "report/failures/failure_words.h"
#include "tests/unit/script.h"

static bool has_clue(const struct tw_failure *f, const char *name)
{
    tw_string_chunk *texts = tw_string_chunk_new(256);
    struct tcpwhy_clue clue;
    bool found = false;

    for (uint32_t i = 0; i < f->n_clues && !found; i++)
        found = tw_failure_clue_words(&f->clue[i], texts, &clue) && strcmp(clue.name, name) == 0;
    tw_string_chunk_free(texts);
    return found;
}

static void expect_word(struct script *s, const char *expected, const char *found)
{
    if (strcmp(expected, found) == 0)
        return;
    script_begin_failure(s, expected);
    printf("  + %s\n", found);
}

static void expect_part(struct script_at *a, const struct tw_failure *f)
{
    struct script *s = a->script;

    if (script_takes(a, "seen")) {
        expect_word(s, script_word(a), tcpwhy_seen_as_name(f->seen_as));
    } else if (script_takes(a, "who")) {
        expect_word(s, script_word(a), tcpwhy_culprit_name(f->who));
    } else if (script_takes(a, "failed")) {
        expect_word(s, script_word(a), tcpwhy_failed_name(f->failed));
    } else if (script_takes(a, "with")) {
        const char *name = script_word(a);

        expect_word(s, name, has_clue(f, name) ? name : "no such clue");
    } else if (script_takes(a, "without")) {
        const char *name = script_word(a);

        expect_word(s, "no such clue", has_clue(f, name) ? name : "no such clue");
    } else {
        expect_word(s, script_word(a), tcpwhy_confidence_name(f->confidence));
    }
}

void script_expect_failure(struct script_at *a, bool none)
{
    struct script *s = a->script;
    struct tw_failure failure;
    bool framed = script_takes(a, "framed");

    script_explain(s);
    for (uint32_t i = 0; i < s->talk.exchanges.n; i++)
        s->talk.exchanges.exchange[i].framed |= framed;
    tw_failures_find(s->talk.last.connection, s->talk.log, &s->talk.exchanges,
                     &s->talk.explanation.vantage, &failure);
    expect_word(s, none ? "none" : script_word(a), tcpwhy_failure_info(failure.kind)->name);
    for (script_blank(a); *a->p; script_blank(a))
        expect_part(a, &failure);
}
