/* SPDX-License-Identifier: MIT */
/*
 * Failures that cost time: the waits that they explain get their kind, which has words of its own.
 */
#include "base/memory.h"
#include "report/findings/materiality.h"

const char tw_kind_scale_ignored[] = "window taken for unscaled";
const char tw_kind_checksum[] = "wrong checksums";
const char tw_kind_continue[] = "100 Continue awaited";
const char tw_kind_hairpin[] = "SYN came back";
const char tw_kind_untranslated[] = "answer not translated";
const char tw_kind_ignored[] = "answer ignored";
const char tw_kind_unheard[] = "answer in vain";
const char tw_kind_tested[] = "SYN tested";
const char tw_kind_deadlock[] = "write deadlock";

static const struct {
    enum tcpwhy_failure_kind failure;
    enum tcpwhy_cause cause;
    const char *kind; /* NULL: the silence has kinds of its own */
    bool blames;      /* the failure's culprit holds the knob of the wait */
} behind[] = {
    { TCPWHY_FAILURE_WINDOW_UNSCALED, TCPWHY_LOSS_RECOVERY, tw_kind_scale_ignored, true },
    { TCPWHY_FAILURE_CHECKSUM_WRONG, TCPWHY_LOSS_RECOVERY, tw_kind_checksum, true },
    { TCPWHY_FAILURE_CHECKSUM_WRONG, TCPWHY_CONNECT_RETRY, tw_kind_checksum, true },
    { TCPWHY_FAILURE_CONTINUE_AWAITED, TCPWHY_APP_LIMITED, tw_kind_continue, false },
    { TCPWHY_FAILURE_ANSWER_IGNORED, TCPWHY_CONNECT_RETRY, tw_kind_ignored, true },
    { TCPWHY_FAILURE_IPV6_UNANSWERED, TCPWHY_CONNECT_RETRY, NULL, true },
    { TCPWHY_FAILURE_CONNECT_CHALLENGED, TCPWHY_CONNECT_RETRY, tw_kind_tested, true },
    { TCPWHY_FAILURE_WRITE_DEADLOCK, TCPWHY_ZERO_WINDOW, tw_kind_deadlock, false },
};

static bool is_material(const struct tw_weight *w, enum tcpwhy_cause cause)
{
    for (uint32_t i = 0; i < w->n_material; i++)
        if (w->material[i].span.cause == cause)
            return true;
    return false;
}

/* Put before all others: the first kind with words is shown. */
static void add_kind(struct tw_weight *w, enum tcpwhy_cause cause, const char *kind)
{
    struct tw_detail *all = tw_new(struct tw_detail, w->n_details + 2);

    for (int from = 0; from < 2; from++)
        all[from] = (struct tw_detail) {
            .cause = cause, .from = (enum tcpwhy_side)from, .name = "kind", .text = kind
        };
    for (uint32_t i = 0; i < w->n_details; i++)
        all[i + 2] = w->detail[i];
    tw_free(w->detail);
    w->detail = all;
    w->n_details += 2;
}

/* An ignored answer with an unknown culprit may not have arrived. A client's own older connection
 * has words of its own already (NULL). */
static const char *kind_of(const struct tw_failure *f, const char *kind)
{
    if (f->kind == TCPWHY_FAILURE_CONNECT_CHALLENGED && f->who == TCPWHY_BY_CLIENT)
        return NULL;
    return f->kind == TCPWHY_FAILURE_ANSWER_IGNORED && f->who == TCPWHY_BY_UNKNOWN ? tw_kind_unheard
                                                                                   : kind;
}

void tw_weight_take_failure(struct tw_weight *w, const struct tw_failure *f)
{
    for (size_t i = 0; i < G_N_ELEMENTS(behind); i++)
        if (behind[i].failure == f->kind && is_material(w, behind[i].cause) &&
            kind_of(f, behind[i].kind))
            add_kind(w, behind[i].cause, kind_of(f, behind[i].kind));
}

/* A host that fails is the party; what a middlebox does is the path's. */
static enum tcpwhy_party party_of(enum tcpwhy_culprit who)
{
    return who == TCPWHY_BY_CLIENT   ? TCPWHY_PARTY_CLIENT
           : who == TCPWHY_BY_SERVER ? TCPWHY_PARTY_SERVER
                                     : TCPWHY_PARTY_PATH;
}

enum tcpwhy_party tw_failure_party(const struct tw_failure *f, enum tcpwhy_cause cause,
                                   enum tcpwhy_party party)
{
    for (size_t i = 0; i < G_N_ELEMENTS(behind) && f->who != TCPWHY_BY_UNKNOWN; i++)
        if (behind[i].failure == f->kind && behind[i].cause == cause && behind[i].blames)
            return party_of(f->who);
    return party;
}

bool tw_failure_explains(enum tcpwhy_failure_kind kind, enum tcpwhy_cause cause)
{
    for (size_t i = 0; i < G_N_ELEMENTS(behind); i++)
        if (behind[i].failure == kind && behind[i].cause == cause)
            return true;
    return false;
}
