/* SPDX-License-Identifier: MIT */
#include "report/facts/udp_facts.h"

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "report/facts/add_fact.h"
#include "report/facts/udp_flows.h"

/* Less of a capture's bytes is DNS and the like: 1 in 10. */
#define MUCH_PART 10

static void append_flow(tw_string *to, const struct tw_udp_row *f)
{
    tw_string_append_printf(to, "%s to %s", tw_endpoint(&f->from).text, tw_endpoint(&f->to).text);
    if (tw_udp_bits(f) > 0) {
        tw_string_append_printf(to, ": %s, %s packets/s",
                                tw_bit_rate((int64_t)(tw_udp_bits(f) + 0.5)).text,
                                tw_fixed((int64_t)(tw_udp_packets(f) * 10 + 0.5), 1, 1, true).text);
    }
    if (f->number != TW_UDP_NO_NUMBER) {
        double all = (double)(f->lost + f->packets);

        tw_string_append_printf(to, ", %s lost", tw_percent((double)f->lost / all).text);
        if (f->out_of_order > 0)
            tw_string_append_printf(to, ", %s out of order", tw_count(f->out_of_order).text);
    }
    if (f->jitter_ns != TCPWHY_NS_UNKNOWN)
        tw_string_append_printf(to, ", jitter %s", tw_duration(f->jitter_ns).text);
}

void tw_udp_facts_find(struct tcpwhy_report *r)
{
    struct tcpwhy_fact fact = { .fact = "udp_flows", .confidence = TCPWHY_CERTAIN };
    g_autoptr(tw_string) text = tw_string_new(NULL);
    const struct tw_udp_row *first;
    uint64_t bytes = 0;

    for (guint i = 0; i < r->udp->len; i++) {
        bytes += tw_array_index(r->udp, struct tw_udp_row, i).bytes;
        fact.count += tw_array_index(r->udp, struct tw_udp_row, i).packets;
    }
    if (r->udp->len == 0 || (r->capture.streams > 0 && bytes * MUCH_PART < r->capture.bytes))
        return;
    first = &tw_array_index(r->udp, struct tw_udp_row, 0);
    fact.of = r->capture.frames;
    fact.endpoint = first->to;
    tw_string_append_printf(text, "UDP: %s packets in %s %s (tcpwhy udp). ",
                            tw_count(fact.count).text, tw_count(r->udp->len).text,
                            r->udp->len == 1 ? "flow" : "flows");
    append_flow(text, first);
    tw_string_append(text, ".");
    tw_add_fact(r, &fact, text);
}
