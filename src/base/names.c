/* SPDX-License-Identifier: MIT */
/*
 * The words of the public enumerations, and endpoints as text.
 */
#include <stdio.h>

#include <arpa/inet.h>

#include <tcpwhy/types.h>

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

char *tcpwhy_endpoint_format(const struct tcpwhy_endpoint *endpoint, char *text)
{
    char address[INET6_ADDRSTRLEN];
    bool six = endpoint->version == 6;

    text[0] = '\0';
    if (endpoint->version != 4 && !six)
        return text;
    /* Cannot fail: the family is known and the buffer is as long as the longest address. */
    inet_ntop(six ? AF_INET6 : AF_INET, endpoint->address, address, sizeof address);
    if (endpoint->port == 0)
        snprintf(text, TCPWHY_ENDPOINT_TEXT, "%s", address);
    else
        snprintf(text, TCPWHY_ENDPOINT_TEXT, six ? "[%s]:%u" : "%s:%u", address, endpoint->port);
    return text;
}
