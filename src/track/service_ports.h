/* SPDX-License-Identifier: MIT */
/*
 * Ports at which programs listen, told from those that clients are given.
 */
#ifndef TW_TRACK_SERVICE_PORTS_H
#define TW_TRACK_SERVICE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Without a SYN: is a port the service's, by what is known of it and of the other end's? Services
 * live low (RFC 6335, section 6) but for those that are known by name, and at ports that no system
 * gives to clients. Of two ports that tell nothing neither is.
 */
bool tw_is_service_port(uint16_t port, uint16_t other);

/* May that as well be the other way round, by what systems give their clients? */
bool tw_service_port_is_guess(uint16_t service, uint16_t client);

#endif
