/* SPDX-License-Identifier: MIT */
/*
 * Traffic over time as comma-separated values: the capture's intervals, whose listener is empty,
 * then those of each listener, whose bytes are.
 */
#include "base/number.h"
#include "render/renderer.h"
#include "report/report_rows.h"

static const char header[] = "listener,from_ms,interval_ms,frames,bytes,payload_bytes_to_server,"
                             "payload_bytes_to_client,retransmissions,syns,syn_repeats,unanswered,"
                             "refused,opened\n";

static void put_ms(GString *row, tcpwhy_ns ns)
{
    char text[TW_NUMBER_TEXT];

    g_string_append_printf(row, ",%s", tw_number_fixed(ns, 6, 3, false, text));
}

static void put_count(GString *row, uint64_t n)
{
    g_string_append_printf(row, ",%" G_GUINT64_FORMAT, (guint64)n);
}

static void put_interval(GString *row, const char *listener, const struct tw_interval_series *t,
                         size_t i)
{
    const struct tcpwhy_interval *at = &t->interval[i];

    g_string_assign(row, listener);
    put_ms(row, t->first_ns + (tcpwhy_ns)i * t->interval_ns);
    put_ms(row, t->interval_ns);
    put_count(row, at->frames);
    if (listener[0])
        g_string_append_c(row, ',');
    else
        put_count(row, at->bytes);
    put_count(row, at->payload_bytes[TCPWHY_CLIENT]);
    put_count(row, at->payload_bytes[TCPWHY_SERVER]);
    put_count(row, at->retransmissions);
    put_count(row, at->syns);
    put_count(row, at->syn_repeats);
    put_count(row, at->unanswered);
    put_count(row, at->refused);
    put_count(row, at->opened);
    g_string_append_c(row, '\n');
}

static void put_series(struct tw_writer *out, GString *row, const char *listener,
                       const struct tw_interval_series *t)
{
    for (size_t i = 0; i < t->n; i++) {
        put_interval(row, listener, t, i);
        tw_writer_bytes(out, row->str, row->len);
    }
}

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(request->report, &n);
    char endpoint[TCPWHY_ENDPOINT_TEXT];
    GString *row = g_string_new(NULL);

    tw_writer_text(out, header);
    put_series(out, row, "", tw_report_traffic(request->report));
    for (size_t i = 0; i < n; i++)
        put_series(out, row, tcpwhy_endpoint_format(&l[i].endpoint, endpoint), &l[i].traffic);
    g_string_free(row, TRUE);
}

const struct tw_renderer tw_renderer_traffic_csv = {
    .document = TCPWHY_DOC_TRAFFIC,
    .csv = csv,
};
