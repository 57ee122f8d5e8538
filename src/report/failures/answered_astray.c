/* SPDX-License-Identifier: MIT */
/*
 * Findings about SYNs without an answer, where a failure shows that a NAT sent the SYN or its
 * answer astray: their words are those of that NAT.
 */
#include <string.h>

#include "report/failures/failure_entry.h"
#include "report/findings/materiality.h"
#include "report/report.h"

static const struct tw_clue *hairpin_of(const struct tw_failure *f)
{
    for (uint32_t i = 0; i < f->n_clues; i++)
        if (f->clue[i].kind == TW_CLUE_HAIRPIN)
            return &f->clue[i];
    return NULL;
}

/* The kind of the wait for which that failure's connection, or the one that its SYN made when it
 * came back, stands; or NULL. */
static const char *kind_of(const struct tw_failure_entry *e, uint32_t stream)
{
    const struct tw_clue *back = hairpin_of(&e->failure);

    if (back)
        return e->stream == stream || (uint32_t)back->a == stream ? tw_kind_hairpin : NULL;
    return e->failure.kind == TCPWHY_FAILURE_UNTRANSLATED_SEGMENT &&
                   e->failure.failed == TCPWHY_FAILED_CONNECT && e->stream == stream
               ? tw_kind_untranslated
               : NULL;
}

/* The rival of the kind before is none any more. */
static void set_kind(struct tw_finding_row *f, const char *kind, enum tcpwhy_confidence confidence,
                     tw_ptr_array *blocks)
{
    struct tcpwhy_detail *d = tw_new(struct tcpwhy_detail, f->n_details + 2);
    size_t n = 0;

    d[n++] = (struct tcpwhy_detail) { .name = "kind", .text = kind };
    d[n++] = (struct tcpwhy_detail) { .name = "kind_confidence",
                                      .text = tcpwhy_confidence_name(confidence) };
    for (size_t i = 0; i < f->n_details; i++)
        if (strncmp(f->details[i].name, "kind", strlen("kind")) != 0)
            d[n++] = f->details[i];
    tw_ptr_array_add(blocks, d);
    f->details = d;
    f->n_details = n;
}

void tw_failures_tell_astray(const tw_array *entries, struct tcpwhy_report *report)
{
    for (guint i = 0; i < report->findings->len; i++) {
        struct tw_finding_row *f = &tw_array_index(report->findings, struct tw_finding_row, i);

        for (guint k = 0; f->cause == TCPWHY_CONNECT_RETRY && k < entries->len; k++) {
            const struct tw_failure_entry *e = &tw_array_index(entries, struct tw_failure_entry, k);
            const char *kind = kind_of(e, f->stream);

            if (!kind)
                continue;
            set_kind(f, kind, e->failure.confidence, report->blocks);
            break;
        }
    }
}
