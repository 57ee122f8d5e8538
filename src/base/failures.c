/* SPDX-License-Identifier: MIT */
/*
 * Lookup of failures by number and by name, and the names of their parts.
 */
#include <string.h>

#include "base/failures.h"

size_t tcpwhy_failure_kind_count(void)
{
    return TW_N_FAILURES;
}

const struct tcpwhy_failure_info *tcpwhy_failure_info(enum tcpwhy_failure_kind kind)
{
    return (unsigned)kind < TW_N_FAILURES ? &tw_failure_table[kind] : NULL;
}

bool tcpwhy_failure_by_name(const char *name, enum tcpwhy_failure_kind *out)
{
    for (int i = 0; name && out && i < TW_N_FAILURES; i++) {
        if (strcmp(tw_failure_table[i].name, name) == 0) {
            *out = (enum tcpwhy_failure_kind)i;
            return true;
        }
    }
    return false;
}

const char *tcpwhy_failed_name(enum tcpwhy_failed failed)
{
    switch (failed) {
    case TCPWHY_FAILED_CONNECT:
        return "connect";
    case TCPWHY_FAILED_TRANSFER:
        return "transfer";
    case TCPWHY_FAILED_IDLE:
        return "idle_connection";
    case TCPWHY_FAILED_CLOSE:
        return "close";
    case TCPWHY_FAILED_LOOKUP:
        return "name_lookup";
    case TCPWHY_FAILED_REQUEST:
        break;
    }
    return "request";
}

const char *tcpwhy_seen_as_name(enum tcpwhy_seen_as seen_as)
{
    switch (seen_as) {
    case TCPWHY_SEEN_TIMEOUT:
        return "timeout";
    case TCPWHY_SEEN_REFUSED:
        return "ECONNREFUSED";
    case TCPWHY_SEEN_UNREACHABLE:
        return "EHOSTUNREACH";
    case TCPWHY_SEEN_END_OF_FILE:
        return "end_of_file";
    case TCPWHY_SEEN_SHORT_READ:
        return "short_read";
    case TCPWHY_SEEN_NO_ADDRESS:
        return "EADDRNOTAVAIL";
    case TCPWHY_SEEN_TRY_AGAIN:
        return "EAI_AGAIN";
    case TCPWHY_SEEN_HTTP2_ERROR:
        return "http2_error";
    case TCPWHY_SEEN_TLS_ALERT:
        return "TLS_alert";
    case TCPWHY_SEEN_TLS_ERROR:
        return "TLS_error";
    case TCPWHY_SEEN_SERVER_ERROR:
        return "server_error";
    case TCPWHY_SEEN_DELAY:
        return "delay";
    case TCPWHY_SEEN_RESET:
        break;
    }
    return "ECONNRESET";
}

const struct tw_culprit_words *tw_culprit_words(enum tcpwhy_culprit culprit)
{
    static const struct tw_culprit_words words[] = {
        [TCPWHY_BY_UNKNOWN] = { "unknown", "origin not known", "something on the path" },
        [TCPWHY_BY_CLIENT] = { "client", "client", "the client" },
        [TCPWHY_BY_SERVER] = { "server", "server", "the server, or what stands in for it," },
        [TCPWHY_BY_BOX] = { "middlebox", "middlebox", "a middlebox" },
        [TCPWHY_BY_BOX_NEAR_CLIENT] = { "middlebox_near_client", "middlebox near the client",
                                        "a middlebox near the client" },
        [TCPWHY_BY_BOX_NEAR_SERVER] = { "middlebox_near_server", "middlebox near the server",
                                        "a middlebox near the server" },
        [TCPWHY_BY_BOTH] = { "both", "both sides", "both sides" },
    };
    const unsigned n = sizeof words / sizeof words[0];

    return &words[(unsigned)culprit < n ? culprit : TCPWHY_BY_UNKNOWN];
}

const char *tcpwhy_culprit_name(enum tcpwhy_culprit culprit)
{
    return tw_culprit_words(culprit)->name;
}
