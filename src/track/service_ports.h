/* SPDX-License-Identifier: MIT */
/*
 * Tells ports of services from ports of clients.
 */
#ifndef TW_TRACK_SERVICE_PORTS_H
#define TW_TRACK_SERVICE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Without a SYN: is this port the service's, given the other end's? Services are low (RFC 6335, 6),
 * known by name, or on ports that no system gives to clients. If the ports show nothing, neither
 * is.
 */
bool tw_is_service_port(uint16_t port, uint16_t other);

/* May it be the other way round, by what systems give to clients? */
bool tw_service_port_is_guess(uint16_t service, uint16_t client);

#endif
