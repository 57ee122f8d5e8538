/* SPDX-License-Identifier: MIT */
/*
 * ICMP errors that quote segments of a connection, one fact for each kind, code and receiver.
 */
#include <string.h>

#include "base/short_text.h"
#include "base/tuple.h"
#include "report/rows/stream_facts.h"

/* The most sorts of errors that are told apart on one connection. */
#define MOST_SORTS 8

struct sort {
    const struct tw_log_icmp *first;
    uint32_t n;
};

static const char *word(enum tw_icmp_kind kind)
{
    switch (kind) {
    case TW_ICMP_UNREACHABLE:
        return "icmp_unreachable";
    case TW_ICMP_TOO_BIG:
        return "icmp_too_big";
    case TW_ICMP_TIME_EXCEEDED:
        return "icmp_time_exceeded";
    case TW_ICMP_REDIRECT:
        return "icmp_redirect";
    case TW_ICMP_OTHER:
        break;
    }
    return "icmp_other";
}

/* RFC 792, RFC 1122 (3.2.2.1), RFC 1812 (5.2.7.1). */
static const char *const unreachable4[] = {
    "network unreachable",
    "host unreachable",
    "protocol unreachable",
    "port unreachable",
    "fragmentation needed",
    "source route failed",
    "network unknown",
    "host unknown",
    "host isolated",
    "network administratively prohibited",
    "host administratively prohibited",
    "network unreachable for this type of service",
    "host unreachable for this type of service",
    "communication administratively prohibited",
};

/* RFC 4443, 3.1. */
static const char *const unreachable6[] = {
    "no route",
    "administratively prohibited",
    "beyond the scope of the source address",
    "address unreachable",
    "port unreachable",
    "source address failed a policy",
    "route rejected",
};

static const char *what(const struct tw_log_icmp *icmp, uint8_t version)
{
    switch (icmp->kind) {
    case TW_ICMP_UNREACHABLE:
        if (version == 4 && icmp->code < G_N_ELEMENTS(unreachable4))
            return unreachable4[icmp->code];
        if (version == 6 && icmp->code < G_N_ELEMENTS(unreachable6))
            return unreachable6[icmp->code];
        return "destination unreachable";
    case TW_ICMP_TOO_BIG:
        return version == 4 ? "fragmentation needed" : "packet too big";
    case TW_ICMP_TIME_EXCEEDED:
        return icmp->code == 0 ? "TTL exceeded in transit" : "reassembly time exceeded";
    case TW_ICMP_REDIRECT:
        return "redirect to another gateway";
    case TW_ICMP_OTHER:
        break;
    }
    return "another error";
}

static void add_to(struct sort sorts[MOST_SORTS], uint32_t *n, const struct tw_log_icmp *icmp)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (sorts[i].first->kind != icmp->kind || sorts[i].first->code != icmp->code ||
            sorts[i].first->to != icmp->to || sorts[i].first->mtu != icmp->mtu)
            continue;
        sorts[i].n++;
        return;
    }
    if (*n < MOST_SORTS)
        sorts[(*n)++] = (struct sort) { icmp, 1 };
}

static void tell(const struct tw_connection *c, const struct sort *s, struct tw_fact_list *list)
{
    const struct tw_log_icmp *icmp = s->first;
    struct tcpwhy_endpoint from = { .version = c->tuple.version };
    char mtu[sizeof ", MTU 4294967295"] = "";
    const struct tcpwhy_fact fact = { .fact = word(icmp->kind),
                                      .confidence = TCPWHY_CERTAIN,
                                      .endpoint = tw_tuple_endpoint(&c->tuple, icmp->to),
                                      .count = s->n,
                                      .frame = icmp->frame };

    memcpy(from.address, icmp->from, sizeof from.address);
    if (icmp->mtu > 0)
        g_snprintf(mtu, sizeof mtu, ", MTU %u", (unsigned)icmp->mtu);
    tw_fact_list_add(list, &fact, "ICMP from %s to the %s: %s%s (%u in all, first in frame %u).",
                     tw_endpoint(&from).text, icmp->to == TCPWHY_CLIENT ? "client" : "server",
                     what(icmp, c->tuple.version), mtu, (unsigned)s->n, (unsigned)icmp->frame);
}

void tw_stream_icmp_find(const struct tw_connection_result *result, struct tw_fact_list *list)
{
    const struct tw_log *log = result->log;
    struct sort sorts[MOST_SORTS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < log->n_icmp; i++)
        add_to(sorts, &n, &log->icmp[i]);
    for (uint32_t i = 0; i < n; i++)
        tell(result->connection, &sorts[i], list);
}
