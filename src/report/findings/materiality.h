/* SPDX-License-Identifier: MIT */
/*
 * Materiality: waits long enough to notice, and enough of them to matter.
 */
#ifndef TW_REPORT_FINDINGS_MATERIALITY_H
#define TW_REPORT_FINDINGS_MATERIALITY_H

#include <glib.h>

#include <tcpwhy/failures.h>
#include <tcpwhy/report.h>

#include "failures/failure.h"
#include "explain/explain.h"
#include "report/findings/idle.h"
#include "report/findings/repeated_request.h"
#include "report/report_rows.h"

/*
 * A single wait below this is normal operation (scheduling, a LAN's think time, one short round
 * trip): it never makes a finding, however many there are. Repairs of lost packets, and a full
 * path, are not: each counts.
 */
#define TW_MATERIAL_WAIT TCPWHY_MS(5)

/* Less than this in all, and a person would not act. */
#define TW_MATERIAL_TOTAL TCPWHY_MS(20)

/* A smaller share of the time that client and server waited is lost among the rest. */
#define TW_MATERIAL_SHARE 0.05

/*
 * Think time is noticed when it is the rule; a single outlier has to be longer, or the path's
 * jitter and a busy host would make one.
 */
#define TW_MATERIAL_OUTLIER TCPWHY_MS(20)

/* A span that counts towards a finding. */
struct tw_material {
    struct tw_span span;
    uint32_t index; /* among those of its connection */
};

/* The parts of one connection's explanation that findings need. */
struct tw_weight {
    tcpwhy_ns waited_ns; /* somebody waited or could have */
    struct tw_idle idle;
    tcpwhy_ns gap_ns;             /* missing frames, besides both */
    tcpwhy_ns unknown_ns;         /* of waited_ns, without a cause */
    struct tw_material *material; /* NULL without any */
    struct tw_detail *detail;     /* those of its causes; NULL without any, or with none material */
    uint32_t n_material, n_details;
    struct tw_short_way short_way;
    struct tw_repeated_request repeated; /* where round trips are material */
};

/* stream: has a ledger of what the spans add up to; clock_step_ns: as in the log. */
void tw_weigh(const struct tw_explanation *explanation, const struct tw_stream_row *stream,
              tcpwhy_ns clock_step_ns, struct tw_weight *weight);
/* Say which request was repeated most, if that is what the waits were for. */
void tw_weight_take_requests(struct tw_weight *weight, const struct tw_exchanges *exchanges);
void tw_weight_clear(struct tw_weight *weight);

/* The words of the detail "kind" of waits that a failure explains. */
extern const char tw_kind_scale_ignored[], tw_kind_checksum[], tw_kind_continue[],
    tw_kind_ignored[], tw_kind_unheard[], tw_kind_tested[], tw_kind_deadlock[];

/* Of those that a failure of several connections explains: a NAT sent the SYN back, or did not
 * translate its answer. */
extern const char tw_kind_hairpin[], tw_kind_untranslated[];

/* Set the kind of failure behind the gaps. */
void tw_weight_take_failure(struct tw_weight *weight, const struct tw_failure *failure);

/* The party of gaps of that cause: the failure's culprit, if that is known and behind them; else
 * the party given. */
enum tcpwhy_party tw_failure_party(const struct tw_failure *failure, enum tcpwhy_cause cause,
                                   enum tcpwhy_party party);

/* Are gaps of that cause part of the failure? */
bool tw_failure_explains(enum tcpwhy_failure_kind kind, enum tcpwhy_cause cause);

/* A refused connection failed, however quickly. */
bool tw_is_failure(enum tcpwhy_cause cause);

/* Is a cause worth a finding, given what it cost in all and how long somebody waited? */
bool tw_is_material(enum tcpwhy_cause cause, tcpwhy_ns cost_ns, tcpwhy_ns waited_ns);

#endif
