/* SPDX-License-Identifier: MIT */
/*
 * The request that a connection repeats most, as a statement for each row of another one (the N+1
 * queries of object-relational mappers).
 */
#ifndef TW_REPORT_FINDINGS_REPEATED_REQUEST_H
#define TW_REPORT_FINDINGS_REPEATED_REQUEST_H

#include <stdint.h>

#include "app/exchange.h"

struct tw_repeated_request {
    char *name; /* for tw_free(); NULL: most requests differ, or there are few */
    uint32_t times;
};

struct tw_repeated_request tw_repeated_request_find(const struct tw_exchanges *exchanges);

#endif
