/* SPDX-License-Identifier: MIT */
/* The layout of iperf3's sender: a row a stream and second, the sum of all, and the totals. */
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "report/figures/transfer.h"

#define RULE "- - - - - - - - - - - - - - - - - - - - - - - - -\n"

/* Three digits, as iperf3 has them: "9.53", "95.3", "953". */
static unsigned three_digits(double value)
{
    return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

static struct tw_short_text as_bytes(double bytes)
{
    static const char *const units[] = {
        " Bytes", " KBytes", " MBytes", " GBytes", " TBytes", NULL
    };

    return tw_as_scaled(bytes, 1024, units, three_digits);
}

static struct tw_short_text as_rate(double bits_per_s)
{
    static const char *const units[] = { " bits/sec", " Kbits/sec", " Mbits/sec", " Gbits/sec",
                                         NULL };

    return tw_as_scaled(bits_per_s, 1000, units, three_digits);
}

static void interval(tw_string *to, const char *id, tcpwhy_ns from_ns, tcpwhy_ns to_ns,
                     uint64_t bytes)
{
    double s = (double)(to_ns - from_ns) / 1e9;

    tw_string_append_printf(to, "[%3s] %6s-%-6s sec  %11s  %14s", id,
                            tw_as_real((double)from_ns / 1e9, 2).text,
                            tw_as_real((double)to_ns / 1e9, 2).text, as_bytes((double)bytes).text,
                            as_rate(s > 0 ? (double)bytes * 8 / s : 0).text);
}

static void row(tw_string *to, const struct tw_transfer *t, const struct tw_transfer_row *r)
{
    const struct tw_short_text cwnd = as_bytes((double)r->cwnd_bytes);

    interval(to, tw_plain(t->stream).text, r->from_ns, r->to_ns, r->sent_bytes);
    tw_string_append_printf(to, "  %3u %*s%s\n", r->retransmissions, 12 - (int)strlen(cwnd.text),
                            r->cwnd_is_floor ? ">" : "", cwnd.text);
}

static const struct tw_transfer_row *row_of(const struct tw_transfer *t, guint i)
{
    return i < t->rows->len ? &tw_array_index(t->rows, struct tw_transfer_row, i) : NULL;
}

static void sum_row(tw_string *to, const tw_array *transfers, guint i)
{
    struct tw_transfer_row sum = { 0 };

    for (guint k = 0; k < transfers->len; k++) {
        const struct tw_transfer_row *r =
            row_of(&tw_array_index(transfers, struct tw_transfer, k), i);

        if (!r)
            continue;
        sum.from_ns = r->from_ns;
        sum.to_ns = MAX(sum.to_ns, r->to_ns);
        sum.sent_bytes += r->sent_bytes;
        sum.retransmissions += r->retransmissions;
    }
    interval(to, "SUM", sum.from_ns, sum.to_ns, sum.sent_bytes);
    tw_string_append_printf(to, "  %3u\n", sum.retransmissions);
}

static void rows(tw_string *to, const tw_array *transfers)
{
    guint most = 0;

    for (guint k = 0; k < transfers->len; k++)
        most = MAX(most, tw_array_index(transfers, struct tw_transfer, k).rows->len);
    for (guint i = 0; i < most; i++) {
        for (guint k = 0; k < transfers->len; k++) {
            const struct tw_transfer *t = &tw_array_index(transfers, struct tw_transfer, k);
            const struct tw_transfer_row *r = row_of(t, i);

            if (r)
                row(to, t, r);
        }
        if (transfers->len < 2)
            continue;
        sum_row(to, transfers, i);
        tw_string_append(to, RULE);
    }
}

static void total(tw_string *to, const char *id, tcpwhy_ns sent_ns, uint64_t sent_bytes,
                  uint32_t retransmissions, tcpwhy_ns acked_ns, uint64_t acked_bytes)
{
    interval(to, id, 0, sent_ns, sent_bytes);
    tw_string_append_printf(to, "  %3u             sender\n", retransmissions);
    interval(to, id, 0, acked_ns, acked_bytes);
    tw_string_append(to, "                  receiver\n");
}

static void totals(tw_string *to, const tw_array *transfers)
{
    struct tw_transfer sum = { 0 };

    if (transfers->len < 2)
        tw_string_append(to, RULE);
    tw_string_append(to, "[ ID] Interval           Transfer     Bitrate         Retr\n");
    for (guint k = 0; k < transfers->len; k++) {
        const struct tw_transfer *t = &tw_array_index(transfers, struct tw_transfer, k);

        total(to, tw_plain(t->stream).text, t->sent_ns, t->sent_bytes, t->retransmissions,
              t->acked_ns, t->acked_bytes);
        sum.sent_ns = MAX(sum.sent_ns, t->sent_ns);
        sum.acked_ns = MAX(sum.acked_ns, t->acked_ns);
        sum.sent_bytes += t->sent_bytes;
        sum.acked_bytes += t->acked_bytes;
        sum.retransmissions += t->retransmissions;
    }
    if (transfers->len > 1)
        total(to, "SUM", sum.sent_ns, sum.sent_bytes, sum.retransmissions, sum.acked_ns,
              sum.acked_bytes);
}

static void figures(struct tw_json *json, const tw_array *transfers)
{
    tw_json_array(json, "streams");
    for (guint k = 0; k < transfers->len; k++) {
        const struct tw_transfer *t = &tw_array_index(transfers, struct tw_transfer, k);

        tw_json_object(json, NULL);
        tw_json_uint(json, "stream", t->stream);
        tw_json_string(json, "direction", t->from == TCPWHY_CLIENT ? "to_server" : "to_client");
        tw_json_ms(json, "begin_ms", t->begin_ns);
        tw_json_uint(json, "bytes", t->sent_bytes);
        tw_json_uint(json, "acked_bytes", t->acked_bytes);
        tw_json_uint(json, "retransmissions", t->retransmissions);
        tw_json_array(json, "intervals");
        for (guint i = 0; i < t->rows->len; i++) {
            const struct tw_transfer_row *r = row_of(t, i);

            tw_json_object(json, NULL);
            tw_json_ms(json, "from_ms", r->from_ns);
            tw_json_ms(json, "to_ms", r->to_ns);
            tw_json_uint(json, "bytes", r->sent_bytes);
            tw_json_uint(json, "acked_bytes", r->acked_bytes);
            tw_json_uint(json, "retransmissions", r->retransmissions);
            tw_json_int(json, "cwnd_bytes", r->cwnd_bytes);
            tw_json_bool(json, "cwnd_is_floor", r->cwnd_is_floor);
            tw_json_end(json);
        }
        tw_json_end(json);
        tw_json_end(json);
    }
    tw_json_end(json);
}

void tw_as_iperf3(struct tw_as *as)
{
    tcpwhy_ns interval_ns = as->request->graph.interval_ns;
    tw_array *transfers =
        tw_transfers(as->request->report, interval_ns > 0 ? interval_ns : TCPWHY_S(1));

    if (as->json)
        figures(as->json, transfers);
    if (transfers->len == 0) {
        tw_string_append(as->lines, "No stream carried data.\n");
    } else {
        tw_string_append(as->lines,
                         "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n");
        rows(as->lines, transfers);
        totals(as->lines, transfers);
        tw_as_note(as, "ID is the stream. Transfer is what left the sender for the first time; "
                       "iperf3 counts what it wrote, which also fills the send buffer in the "
                       "first second.");
        tw_as_note(as,
                   "Cwnd is that of a replay of CUBIC or Reno, if the pipe (RFC 6675) filled it "
                   "shortly before the end of a row. With > only the pipe is known, and the "
                   "window is about that or more: BBR paces below its own, and a receive window "
                   "or a program that writes little keeps a sender below it.");
    }
    tw_array_free(transfers, TRUE);
}
