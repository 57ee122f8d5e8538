/* SPDX-License-Identifier: MIT */
/*
 * Knows the words of pcap-filter(7) that filters of TCP are made of. A word that begins with a
 * letter and is none of them may be a host's name.
 */
#include "filter_names.h"

#include <string.h>

#include <glib.h>

static const char *const words[] = {
    "and",      "or",       "not",       "host",      "net",       "mask", "port",    "portrange",
    "src",      "dst",      "tcp",       "udp",       "ip",        "ip6",  "icmp",    "icmp6",
    "arp",      "ether",    "vlan",      "mpls",      "len",       "less", "greater", "inbound",
    "outbound", "proto",    "broadcast", "multicast", "gre",       "sctp", "pppoes",  "geneve",
    "tcpflags", "icmptype", "icmpcode",  "rarp",      "protochain"
};

/* Words followed by the name of a service or a protocol, which files define. */
static const char *const of_files[] = { "port", "portrange", "proto", "protochain" };

static bool is_one_of(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

static bool may_be_host(const char *word, const char *before)
{
    /* Addresses of IPv6 and of cards; tcp-syn, icmp-echo. */
    if (!g_ascii_isalpha(word[0]) || strchr(word, ':') || g_str_has_prefix(word, "tcp-") ||
        g_str_has_prefix(word, "icmp-") || g_str_has_prefix(word, "icmp6-"))
        return false;
    return !is_one_of(word, words, G_N_ELEMENTS(words)) &&
           !is_one_of(before, of_files, G_N_ELEMENTS(of_files));
}

bool filter_names_hosts(const char *filter)
{
    g_auto(GStrv) parts = g_strsplit_set(filter, " \t\n\r()[]!&|=<>+*/^%,\\", -1);
    const char *before = "";
    bool found = false;

    for (char **part = parts; *part && !found; part++) {
        if (!**part)
            continue;
        found = may_be_host(*part, before);
        before = *part;
    }
    return found;
}
