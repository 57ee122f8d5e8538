/* SPDX-License-Identifier: MIT */
/* Hand-made reports of what a listener saw, one before and one after, and what their comparison
 * says. */
#ifndef TW_TESTS_UNIT_COMPARED_H
#define TW_TESTS_UNIT_COMPARED_H

#include "report/compare/compare_rows.h"
#include "tests/unit.h"

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/ns.h"
#include "base/text.h"
#include "tests/unit/golden.h"
#include "tests/unit/made_report.h"

/* Totals of a listener; times are of one request. */
struct seen {
    struct tcpwhy_endpoint endpoint;
    uint64_t connections, requests, refused, errors, payload_bytes;
    tcpwhy_ns median_ns, p99_ns;
    tcpwhy_ns nagle_ns, think_ns, propagation_ns, retry_ns; /* over all */
};

static inline struct seen usual(void)
{
    return (struct seen) { .endpoint = made_endpoint(2, 8080),
                           .connections = 20,
                           .requests = 1000,
                           .median_ns = TCPWHY_US(900),
                           .p99_ns = TCPWHY_MS(2),
                           .payload_bytes = 900000,
                           .think_ns = TCPWHY_MS(200),
                           .propagation_ns = TCPWHY_MS(700) };
}

static inline struct seen with_nagle(void)
{
    struct seen s = usual();

    s.median_ns = TCPWHY_US(41200);
    s.p99_ns = TCPWHY_MS(48);
    s.nagle_ns = TCPWHY_S(40);
    return s;
}

static inline void add_ledger(struct tw_listener_row *l, tcpwhy_report *r, const struct seen *s)
{
    const struct tcpwhy_ledger_entry all[] = {
        made_entry(TCPWHY_NAGLE_DELAYED_ACK, TCPWHY_PARTY_SERVER, s->nagle_ns, 1),
        made_entry(TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_SERVER, s->retry_ns, 1),
        made_entry(TCPWHY_SERVER_THINK, TCPWHY_PARTY_SERVER, s->think_ns, 1),
        made_entry(TCPWHY_WIRE, TCPWHY_PARTY_PATH, s->propagation_ns, 1),
    };
    struct tcpwhy_ledger_entry *kept = tw_new0(struct tcpwhy_ledger_entry, G_N_ELEMENTS(all));

    tw_ptr_array_add(r->blocks, kept);
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i].ns > 0)
            kept[l->n_ledger++] = all[i];
    l->ledger = kept;
}

static inline void add_seen(tcpwhy_report *r, const struct seen *s)
{
    const struct tcpwhy_interval interval = { .payload_bytes = { 0, s->payload_bytes } };
    struct tw_listener_row l = {
        .endpoint = s->endpoint,
        .connections = s->connections,
        .refused = s->refused,
        .status = { .n = { [2] = s->requests - s->errors, [5] = s->errors } },
        .latency = r->latency
    };

    if (s->requests > 0)
        l.latency = (struct tcpwhy_percentiles) { .count = s->requests,
                                                  .min_ns = s->median_ns,
                                                  .p50_ns = s->median_ns,
                                                  .p75_ns = s->median_ns,
                                                  .p90_ns = s->median_ns,
                                                  .p99_ns = s->p99_ns,
                                                  .max_ns = s->p99_ns,
                                                  .last_ns = TCPWHY_S(2) };
    l.good = l.latency;
    l.good.count -= MIN(l.good.count, s->errors);
    add_ledger(&l, r, s);
    l.traffic = (struct tw_interval_series) { TCPWHY_S(1), 0,
                                              MADE(r, (struct tcpwhy_interval[]) { interval }), 1 };
    tw_array_append_val(r->listeners, l);
    r->ledger = l.ledger;
    r->n_ledger = l.n_ledger;
    r->traffic = l.traffic;
    r->latency = l.latency;
    r->good = l.good;
    r->status = l.status;
}

/* Two seconds of it; the whole is what its last listener saw. */
static inline tcpwhy_report *report_of(const char *file, const struct seen *s)
{
    tcpwhy_report *r = made_empty(file);

    r->capture.frames = r->capture.tcp_frames = 5000;
    r->capture.bytes = s->payload_bytes + (uint64_t)(s->median_ns + s->p99_ns) + s->requests;
    r->capture.first_ns = INT64_C(1795150776264053503);
    r->capture.last_ns = r->capture.first_ns + TCPWHY_S(2);
    add_seen(r, s);
    return r;
}

static inline tcpwhy_comparison *compared(tcpwhy_report *before, tcpwhy_report *after)
{
    tcpwhy_comparison *c = NULL;

    assert_int_equal(tcpwhy_compare(before, after, &c), 0);
    return c;
}

static inline void released(tcpwhy_comparison *c)
{
    const tcpwhy_report *before = tcpwhy_comparison_report(c, TCPWHY_BEFORE);
    const tcpwhy_report *after = tcpwhy_comparison_report(c, TCPWHY_AFTER);

    tcpwhy_comparison_free(c);
    tcpwhy_report_free((tcpwhy_report *)(uintptr_t)before);
    tcpwhy_report_free((tcpwhy_report *)(uintptr_t)after);
}

static inline int render_compared(const tcpwhy_comparison *c, enum tcpwhy_format format,
                                  unsigned columns, bool ascii, tcpwhy_write_fn write, void *user)
{
    const struct tcpwhy_render_options options = {
        .struct_size = sizeof(options), .columns = columns, .ascii = ascii, .comparison = c
    };

    return tcpwhy_render(NULL, TCPWHY_DOC_COMPARISON, format, &options, write, user);
}

/* The rendered comparison, joined into one line. */
static inline char *said(const tcpwhy_comparison *c)
{
    tw_string *text = tw_string_new(NULL);
    tw_string *sentence = tw_string_new(NULL);
    char **lines;

    render_compared(c, TCPWHY_FORMAT_TEXT, 400, false, append, text);
    lines = tw_strsplit(text->str, "\n");
    for (char **line = lines + 5; **line && **line != '!'; line++)
        tw_string_append_printf(sentence, "%s%s", sentence->len > 0 ? " " : "", *line);
    tw_strfreev(lines);
    tw_string_free(text, TRUE);
    return tw_string_free(sentence, FALSE);
}

static inline void assert_said(const struct seen *before, const struct seen *after,
                               const char *sentence)
{
    tcpwhy_comparison *c = compared(report_of("a.pcap", before), report_of("b.pcap", after));
    char *text = said(c);

    assert_string_equal(text, sentence);
    tw_free(text);
    released(c);
}

static inline enum tcpwhy_change change_between(const struct seen *before, const struct seen *after)
{
    tcpwhy_comparison *c = compared(report_of("a.pcap", before), report_of("b.pcap", after));
    enum tcpwhy_change change = tw_comparison_verdict(c)->change;

    released(c);
    return change;
}

#endif
