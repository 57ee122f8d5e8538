/* SPDX-License-Identifier: MIT */
/* Filters that ask the resolver. */
#ifndef FILTER_NAMES_H
#define FILTER_NAMES_H

#include <stdbool.h>

/* May the filter name a host or a net, which libpcap looks up? Rather true than false. */
bool filter_names_hosts(const char *filter);

#endif
