/* SPDX-License-Identifier: MIT */
/*
 * Coordinated omission: a client that waits for one answer before it asks again does not ask while
 * a server is slow. wrk adds the requests that it would have sent at its mean pace.
 */
#ifndef TW_REPORT_FIGURES_OMISSION_H
#define TW_REPORT_FIGURES_OMISSION_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/array.h"

/*
 * Latencies in whole microseconds, with the omitted ones added: each of at least two intervals adds
 * others, shorter by one interval, two, ... down to more than one. Values of most_ns or more, wrk's
 * timeouts, are excluded. interval_ns 0: nothing is added.
 */
tw_array *tw_omission_correct(const tw_array *latencies, tcpwhy_ns interval_ns, tcpwhy_ns most_ns);

#endif
