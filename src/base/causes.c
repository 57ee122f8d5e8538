/* SPDX-License-Identifier: MIT */
/*
 * Lookup of causes by number and by name; the texts are in docs/causes/.
 */
#include <string.h>

#include "base/causes.h"

const struct tcpwhy_cause_info *tcpwhy_cause_info(enum tcpwhy_cause cause)
{
    /* Unsigned: callers may pass any int. */
    return (unsigned)cause < TCPWHY_N_CAUSES ? &tw_cause_table[cause] : NULL;
}

enum tcpwhy_cause tcpwhy_cause_by_name(const char *name)
{
    for (int i = 0; i < TCPWHY_N_CAUSES; i++) {
        if (strcmp(tw_cause_table[i].name, name) == 0)
            return (enum tcpwhy_cause)i;
    }
    return TCPWHY_N_CAUSES;
}

bool tcpwhy_cause_makes_findings(enum tcpwhy_cause cause)
{
    return (unsigned)cause < TCPWHY_N_CAUSES && tw_cause_blames(cause);
}
