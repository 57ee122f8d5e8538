/* SPDX-License-Identifier: MIT */
#include "report/facts/facts.h"

#include "base/array.h"
#include "base/digits.h"
#include "base/hash_table.h"
#include "base/short_text.h"
#include "base/text.h"
#include "report/endpoints.h"
#include "report/facts/add_fact.h"
#include "report/facts/before_asking.h"
#include "report/facts/named_address.h"
#include "report/facts/name_rows.h"
#include "report/facts/probe_facts.h"
#include "report/facts/udp_facts.h"
#include "report/facts/unanswered_syns.h"

/* Beside good answers, fewer errors are stray requests, or a server that asks who is there (401).
 */
#define LEAST_ERRORS 10

/* Well-known ports of mail (RFC 5321, 4.5.4.2; RFC 6409, 3.1). */
#define PORT_SMTP       25
#define PORT_SUBMISSION 587

/* Fewer SYNs than this share (1 in 20) go unanswered on any bad path. */
#define UNANSWERED_PART 20

#define HALF_OPEN_PART 5

static void append_endpoint(tw_string *to, const struct tcpwhy_endpoint *e)
{
    tw_string_append(to, tw_endpoint(e).text);
}

/* ---- answers --------------------------------------------------------------------------------- */

static uint64_t answers(const struct tcpwhy_status_classes *s)
{
    return s->n[0] + s->n[1] + s->n[2] + s->n[3] + s->n[4] + s->n[5];
}

static uint64_t errors(const struct tcpwhy_status_classes *s)
{
    return s->n[4] + s->n[5];
}

static void append_count(tw_string *to, const char *before, uint64_t n, const char *behind)
{
    char digits[TW_DIGITS_GROUPED];

    tw_string_append(to, before);
    tw_string_append_len(to, digits, tw_digits_grouped(digits, n) - digits);
    tw_string_append(to, behind);
}

static void append_counts(tw_string *to, const char *before, uint64_t n, const char *between,
                          uint64_t of, const char *behind)
{
    append_count(to, before, n, between);
    append_count(to, "", of, behind);
}

static void append_classes(tw_string *to, const struct tcpwhy_status_classes *s, uint16_t only)
{
    if (s->n[4] && s->n[5])
        append_counts(to, "errors (4xx ", s->n[4], ", 5xx ", s->n[5], ")");
    else
        tw_string_append(to, s->n[4] ? "4xx" : "5xx");
    if (only != TW_STATUS_NONE && only != TW_STATUS_SEVERAL)
        tw_string_append_printf(to, " (%u)", only);
}

static bool is_of_mail(const struct tcpwhy_endpoint *of)
{
    return of->port == PORT_SMTP || of->port == PORT_SUBMISSION;
}

/* of: a listener, or no endpoint for the capture. */
static void tell_errors(struct tcpwhy_report *r, const struct tcpwhy_status_classes *s,
                        uint16_t only, const struct tcpwhy_endpoint *of)
{
    struct tcpwhy_fact fact = { .fact = "error_answers",
                                .confidence = TCPWHY_CERTAIN,
                                .endpoint = *of,
                                .count = errors(s),
                                .of = answers(s) };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (fact.count < fact.of)
        append_counts(text, "", fact.count, " of ", fact.of, " responses");
    else if (fact.of == 1)
        tw_string_append(text, "The only response");
    else
        append_count(text, "All ", fact.of, " responses");
    if (of->version) {
        tw_string_append(text, " of ");
        append_endpoint(text, of);
    }
    tw_string_append(text, fact.of == 1 ? " was " : " were ");
    append_classes(text, s, only);
    tw_string_append(text, ".");
    if (is_of_mail(of) && s->n[4])
        tw_string_append(text, " Mail deferred this way (greylisting, limits) is retried later.");
    tw_add_fact(r, &fact, text);
}

/* A session of mail has many answers, and one of them decides what becomes of its message. */
static bool is_error_of_mail(const struct tw_listener_row *l)
{
    return is_of_mail(&l->endpoint) && errors(&l->status) > 0 &&
           errors(&l->status) >= l->connections;
}

static void find_errors(struct tcpwhy_report *r)
{
    static const struct tcpwhy_endpoint nobody;
    int conn = 0;

    uint64_t bad = errors(&r->status), all = answers(&r->status);

    if (bad > 0 && (bad == all || (bad >= LEAST_ERRORS && bad * 2 > all))) {
        tell_errors(r, &r->status, r->only_status, &nobody);
        return;
    }
    for (guint i = 0; i < r->listeners->len && conn < TW_FACTS_OF_A_KIND; i++) {
        const struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, i);

        if (!is_error_of_mail(l) &&
            (errors(&l->status) < LEAST_ERRORS || errors(&l->status) * 2 <= answers(&l->status)))
            continue;
        tell_errors(r, &l->status, TW_STATUS_NONE, &l->endpoint);
        conn++;
    }
}

/* ---- connections that did not come about ------------------------------------------------------
 */

/* Hosts whose silence is a finding already. */
static tw_hash_table *told_hosts(const struct tcpwhy_report *r)
{
    tw_hash_table *hosts =
        tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, tw_free, NULL);

    for (guint i = 0; i < r->findings->len; i++) {
        const struct tw_finding_row *f = &tw_array_index(r->findings, struct tw_finding_row, i);

        if (f->cause == TCPWHY_CONNECT_RETRY)
            tw_hash_table_add(hosts, tw_memdup2(&f->endpoint, sizeof f->endpoint));
    }
    return hosts;
}

static bool is_told(tw_hash_table *hosts, const struct tcpwhy_endpoint *listener)
{
    struct tcpwhy_endpoint host = *listener;

    host.port = 0;
    return tw_hash_table_contains(hosts, listener) || tw_hash_table_contains(hosts, &host);
}

static void tell_unanswered(struct tcpwhy_report *r, uint64_t listeners, uint64_t unanswered,
                            uint64_t syns, const struct tw_listener_row *worst)
{
    struct tcpwhy_fact fact = {
        .fact = "unanswered_syns", .confidence = TCPWHY_CERTAIN, .count = unanswered, .of = syns
    };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (listeners == 1)
        fact.endpoint = worst->endpoint;
    append_counts(text, "", unanswered, " of ", syns, " SYNs to ");
    if (listeners > 1)
        append_count(text, "", listeners, " ports were not answered, most of them to ");
    append_endpoint(text, &worst->endpoint);
    tw_string_append_printf(text, "%s (%s, %s).", listeners > 1 ? "" : " were not answered",
                            tcpwhy_silence_name(worst->openings.silence),
                            tcpwhy_confidence_name(worst->openings.silence_confidence));
    tw_add_fact(r, &fact, text);
}

/* A client that asked once in vain may have waited for long, but no frame shows it. */
static void doubt_health(struct tcpwhy_verdict *v)
{
    if (v->confidence != TCPWHY_CERTAIN ||
        (v->cause != TCPWHY_CAUSE_NONE && v->cause != TCPWHY_CLIENT_IDLE))
        return;
    v->confidence = TCPWHY_AMBIGUOUS;
    v->rival = TCPWHY_CONNECT_RETRY;
}

/* A SYN that is not repeated costs no time that is to be seen, but it failed. */
static void find_unanswered(struct tcpwhy_report *r)
{
    tw_hash_table *conn = told_hosts(r);
    const struct tw_listener_row *worst = NULL;
    uint64_t listeners = 0, unanswered = 0, syns = 0;

    for (guint i = 0; i < r->listeners->len; i++) {
        const struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, i);
        const struct tcpwhy_openings *o = &l->openings;

        uint64_t silent = o->unanswered_syns -
                          MIN(tw_probe_facts_share(r, &l->endpoint).lost, o->unanswered_syns);

        if (silent == 0 || silent * UNANSWERED_PART < o->syns || is_told(conn, &l->endpoint))
            continue;
        listeners++;
        unanswered += silent;
        syns += o->syns;
        if (!worst || o->unanswered_syns > worst->openings.unanswered_syns)
            worst = l;
    }
    if (worst) {
        tell_unanswered(r, listeners, unanswered, syns, worst);
        doubt_health(&r->verdict);
    }
    tw_hash_table_destroy(conn);
}

static void find_half_open(struct tcpwhy_report *r)
{
    int conn = 0;

    for (guint i = 0; i < r->listeners->len && conn < TW_FACTS_OF_A_KIND; i++) {
        const struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, i);
        struct tcpwhy_fact fact = { .fact = "half_open",
                                    .confidence = TCPWHY_CERTAIN,
                                    .endpoint = l->endpoint,
                                    .count = l->openings.half_open,
                                    .of = l->openings.half_open + l->openings.opened };
        g_autoptr(tw_string) text = NULL;

        fact.count -= MIN(tw_probe_facts_share(r, &l->endpoint).half_open, fact.count);
        if (fact.count < TW_LEAST_HALF_OPEN || fact.count * HALF_OPEN_PART < fact.of)
            continue;
        text = tw_string_new(NULL);
        append_counts(text, "", fact.count, " of ", fact.of, " handshakes with ");
        append_endpoint(text, &l->endpoint);
        tw_string_append(text, l->forlorn == l->openings.half_open
                                   ? " lack the final ACK of the client: each is from another "
                                     "address that sent one SYN and never came back, as in a SYN "
                                     "flood from invented addresses. Nobody waits behind them."
                                   : " lack the final ACK of the client: a port scan, a SYN flood, "
                                     "or lost SYN/ACKs.");
        tw_add_fact(r, &fact, text);
        conn++;
    }
}

/* ---- ports ----------------------------------------------------------------------------------- */

static void tell_exhaustion(struct tcpwhy_report *r, const struct tcpwhy_ports *p)
{
    bool by_number = p->reuse_failed == 0;
    struct tcpwhy_fact fact = { .fact = "port_exhaustion",
                                .confidence = TCPWHY_LIKELY,
                                .endpoint = p->client,
                                .count = by_number ? p->in_use : p->reuse_failed,
                                .of = by_number ? p->range : p->reused };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    append_endpoint(text, &p->client);
    if (by_number)
        append_counts(text, " had ", p->in_use, " of about ", p->range,
                      " ports in use at once to ");
    else
        append_counts(text, " reused ", p->reused, " port pairs within 60 s, and ", p->reuse_failed,
                      " of these connections failed, to ");
    append_endpoint(text, &p->listener);
    tw_string_append(text,
                     ": probably port exhaustion. Keep connections open, or widen "
                     "net.ipv4.ip_local_port_range; net.ipv4.tcp_tw_reuse allows reusing ports "
                     "in TIME-WAIT.");
    tw_add_fact(r, &fact, text);
}

static void find_exhaustion(struct tcpwhy_report *r)
{
    for (guint i = 0; i < r->ports->len && i < TW_FACTS_OF_A_KIND; i++) {
        const struct tcpwhy_ports *p = &tw_array_index(r->ports, struct tcpwhy_ports, i);

        if (p->exhausted && !p->used_up)
            tell_exhaustion(r, p);
    }
}

void tw_facts_find(struct tcpwhy_report *r)
{
    find_errors(r);
    tw_probe_facts_find(r);
    tw_udp_facts_find(r);
    tw_name_facts_find(r);
    find_unanswered(r);
    find_half_open(r);
    find_exhaustion(r);
    tw_before_asking_find(r);
    tw_named_address_find(r);
}
