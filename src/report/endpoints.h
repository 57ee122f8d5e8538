/* SPDX-License-Identifier: MIT */
/*
 * Endpoints as keys of hash tables; all bits of an address count, so that neighbours spread.
 */
#ifndef TW_REPORT_ENDPOINTS_H
#define TW_REPORT_ENDPOINTS_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/hash_table.h"

/* Approximate memory of a tw_hash_table for an entry, and of the allocator for a block. */
#define TW_ENTRY_BYTES 48

uint64_t tw_endpoint_hash(gconstpointer endpoint, uint64_t seed);
gboolean tw_endpoint_equal(gconstpointer a, gconstpointer b);

/* The same address, whatever the ports. */
bool tw_endpoint_same_host(const struct tcpwhy_endpoint *a, const struct tcpwhy_endpoint *b);

/* 127.0.0.0/8 or ::1. */
bool tw_endpoint_is_loopback(const struct tcpwhy_endpoint *e);

#endif
