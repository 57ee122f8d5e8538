/* SPDX-License-Identifier: MIT */
/*
 * Names of the public enumerations, and endpoints as text.
 */
#include <string.h>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <tcpwhy/types.h>

#include "base/digits.h"
#include "base/short_text.h"

const char *tcpwhy_party_name(enum tcpwhy_party party)
{
    switch (party) {
    case TCPWHY_PARTY_CLIENT:
        return "client";
    case TCPWHY_PARTY_SERVER:
        return "server";
    case TCPWHY_PARTY_PATH:
        return "path";
    case TCPWHY_PARTY_NONE:
        break;
    }
    return "none";
}

const char *tcpwhy_confidence_name(enum tcpwhy_confidence confidence)
{
    switch (confidence) {
    case TCPWHY_CERTAIN:
        return "certain";
    case TCPWHY_LIKELY:
        return "likely";
    case TCPWHY_AMBIGUOUS:
        break;
    }
    return "ambiguous";
}

const char *tcpwhy_vantage_name(enum tcpwhy_vantage vantage)
{
    switch (vantage) {
    case TCPWHY_VANTAGE_CLIENT:
        return "client";
    case TCPWHY_VANTAGE_MIDDLE:
        return "middle";
    case TCPWHY_VANTAGE_SERVER:
        return "server";
    case TCPWHY_VANTAGE_UNKNOWN:
        break;
    }
    return "unknown";
}

/* inet_ntop() would use printf() for each of a million rows. */
static char *put_ipv4(char *to, const uint8_t address[4])
{
    for (int i = 0; i < 4; i++) {
        if (i > 0)
            *to++ = '.';
        to = tw_digits_put(to, address[i]);
    }
    return to;
}

/* Cannot fail: the family is valid, and the buffer holds the longest address. */
static char *put_ipv6(char *to, const uint8_t address[16])
{
    inet_ntop(AF_INET6, address, to, INET6_ADDRSTRLEN);
    return to + strlen(to);
}

char *tcpwhy_endpoint_format(const struct tcpwhy_endpoint *endpoint, char *text)
{
    bool six = endpoint && endpoint->version == 6, brackets = six && endpoint->port > 0;
    char *to = text;

    if (!text)
        return NULL;
    *to = '\0';
    if (!endpoint || (endpoint->version != 4 && !six))
        return text;
    if (brackets)
        *to++ = '[';
    to = six ? put_ipv6(to, endpoint->address) : put_ipv4(to, endpoint->address);
    if (brackets)
        *to++ = ']';
    if (endpoint->port > 0) {
        *to++ = ':';
        to = tw_digits_put(to, endpoint->port);
    }
    *to = '\0';
    return text;
}

struct tw_short_text tw_endpoint(const struct tcpwhy_endpoint *endpoint)
{
    struct tw_short_text own;

    tcpwhy_endpoint_format(endpoint, own.text);
    return own;
}

struct tw_short_text tw_host(const struct tcpwhy_endpoint *endpoint)
{
    struct tcpwhy_endpoint host = *endpoint;

    host.port = 0;
    return tw_endpoint(&host);
}
