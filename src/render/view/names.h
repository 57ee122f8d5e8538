/* SPDX-License-Identifier: MIT */
/*
 * Enumerations by name, for fields; NULL where there is nothing to name.
 */
#ifndef TW_RENDER_VIEW_NAMES_H
#define TW_RENDER_VIEW_NAMES_H

#include <string.h>

#include <tcpwhy/compare.h>
#include <tcpwhy/failures.h>
#include <tcpwhy/types.h>

/* tw_name_confidence() ... */
#define TW_NAME(of)                                                                                \
    static inline const char *tw_name_##of(unsigned value)                                         \
    {                                                                                              \
        return tcpwhy_##of##_name((enum tcpwhy_##of)value);                                        \
    }

TW_NAME(confidence)
TW_NAME(change)
TW_NAME(per)
TW_NAME(failed)
TW_NAME(seen_as)
TW_NAME(culprit)
TW_NAME(vantage)
#undef TW_NAME

static inline const char *tw_name_cause(unsigned cause)
{
    return tcpwhy_cause_info((enum tcpwhy_cause)cause)->name;
}

static inline const char *tw_name_rival(unsigned cause)
{
    return cause == TCPWHY_CAUSE_NONE ? NULL : tw_name_cause(cause);
}

static inline const char *tw_name_party(unsigned party)
{
    return party == TCPWHY_PARTY_NONE ? NULL : tcpwhy_party_name((enum tcpwhy_party)party);
}

static inline const char *tw_name_side(unsigned side)
{
    return side == TCPWHY_SERVER ? "server" : "client";
}

/* NULL where nothing failed. */
static inline const char *tw_name_failure(unsigned kind)
{
    return kind == TCPWHY_FAILURE_NONE ? NULL
                                       : tcpwhy_failure_info((enum tcpwhy_failure_kind)kind)->name;
}

/* A capture in a page, which others read: its file without the folder of whoever made it. */
static inline const char *tw_name_capture(const char *file)
{
    const char *slash = strrchr(file, '/');

    return !file[0] ? "Captured packets" : slash ? slash + 1 : file;
}

#endif
