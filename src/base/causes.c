/* SPDX-License-Identifier: MIT */
/*
 * Lookup of causes by number and by name; the texts are in docs/causes/.
 */
#include <string.h>

#include "base/causes.h"
#include "base/counts.h"

size_t tcpwhy_cause_count(void)
{
    return TW_N_CAUSES;
}

const struct tcpwhy_cause_info *tcpwhy_cause_info(enum tcpwhy_cause cause)
{
    /* Unsigned: callers may pass any int. */
    return (unsigned)cause < TW_N_CAUSES ? &tw_cause_table[cause] : NULL;
}

bool tcpwhy_cause_by_name(const char *name, enum tcpwhy_cause *out)
{
    for (int i = 0; name && out && i < TW_N_CAUSES; i++) {
        if (strcmp(tw_cause_table[i].name, name) == 0) {
            *out = (enum tcpwhy_cause)i;
            return true;
        }
    }
    return false;
}

bool tcpwhy_cause_makes_findings(enum tcpwhy_cause cause)
{
    return (unsigned)cause < TW_N_CAUSES && tw_cause_blames(cause);
}
