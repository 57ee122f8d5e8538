/* SPDX-License-Identifier: MIT */
#include "track/service_ports.h"

#include <stddef.h>

#include <glib.h>

/* Port ranges of RFC 6335 as stacks use them: services are low, client ports high. */
#define FIRST_REGISTERED_PORT 1024
#define FIRST_EPHEMERAL_PORT  32768

/* Clients that prove to be root use ports from here to the first registered one (NFS;
 * rresvport(3)). */
#define FIRST_RESERVED_PORT 512

/* Services on ports that clients use as well: IANA's registry, or programs' defaults. */
static const uint16_t services[] = {
    512,   513,   514,   515,   540,   543,   544,   548,   554,   563,   587,   593,   631,
    636,   639,   646,   647,   749,   853,   860,   873,   902,   953,   989,   990,   992,
    993,   994,   995,   1080,  1099,  1194,  1352,  1433,  1494,  1521,  1720,  1723,  1755,
    1863,  1883,  1935,  2000,  2049,  2181,  2375,  2376,  2379,  2380,  2404,  2775,  3128,
    3225,  3260,  3268,  3269,  3306,  3389,  3478,  3690,  3868,  4222,  4369,  4730,  4840,
    5060,  5061,  5222,  5223,  5269,  5432,  5666,  5671,  5672,  5900,  5984,  5985,  5986,
    6000,  6379,  6443,  6633,  6653,  6667,  6697,  6881,  8000,  8008,  8009,  8080,  8081,
    8086,  8088,  8091,  8333,  8443,  8500,  8883,  8888,  9000,  9042,  9090,  9092,  9100,
    9160,  9200,  9300,  9418,  10050, 10051, 10250, 11210, 11211, 13400, 15672, 20000, 25565,
    27017, 30303, 33060, 44818, 48898, 50051, 61613, 61616,
};

/* Old systems give clients ports from the first registered one to this (BSD, Windows before Vista);
 * services are registered up to the other (RFC 6335, 6). */
#define LAST_OLD_CLIENT_PORT 5000
#define LAST_REGISTERED_PORT 49151

static bool is_known(uint16_t port)
{
    size_t from = 0, to = G_N_ELEMENTS(services);

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (services[middle] == port)
            return true;
        if (services[middle] < port)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

/* Is one a known service's port, and the other one that a client may have? */
static bool is_known_beside(uint16_t service, uint16_t client)
{
    return client >= FIRST_RESERVED_PORT && is_known(service) && !is_known(client);
}

static int range_of(uint16_t port)
{
    return port < FIRST_REGISTERED_PORT ? 0 : port < FIRST_EPHEMERAL_PORT ? 1 : 2;
}

static bool may_be_client(uint16_t port)
{
    return port >= FIRST_EPHEMERAL_PORT ||
           (port >= FIRST_REGISTERED_PORT && port <= LAST_OLD_CLIENT_PORT);
}

/* If services may have both, the one that no stack gives to clients is the service's. */
static bool is_of_service(uint16_t port, uint16_t other)
{
    int own = range_of(port), others = range_of(other);

    return own < others || (own == others && !may_be_client(port) && may_be_client(other));
}

bool tw_is_service_port(uint16_t port, uint16_t other)
{
    if (is_known_beside(port, other))
        return true;
    return is_of_service(port, other) && !is_known_beside(other, port);
}

static bool may_be_service(uint16_t port)
{
    return port <= LAST_REGISTERED_PORT;
}

bool tw_service_port_is_guess(uint16_t service, uint16_t client)
{
    if (service < FIRST_REGISTERED_PORT || is_known_beside(service, client))
        return false;
    return !may_be_client(client) || !may_be_service(service) ||
           (may_be_client(service) && may_be_service(client));
}
