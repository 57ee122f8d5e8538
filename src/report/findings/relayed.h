/* SPDX-License-Identifier: MIT */
/* A host's own waits while others waited for it. */
#ifndef TW_REPORT_FINDINGS_RELAYED_H
#define TW_REPORT_FINDINGS_RELAYED_H

#include <tcpwhy/types.h>

struct tw_relayed {
    struct tcpwhy_endpoint behind; /* whom for, most of all */
    const char *name;              /* ... to look up that name; NULL: no resolver */
    double share;                  /* share of the time that others waited for the host; 0 to 1 */
};

/* The detail "kind" of a finding whose endpoint waited for another one, or for a name. */
extern const char tw_kind_relayed[], tw_kind_looks_up[];

#endif
