/* SPDX-License-Identifier: MIT */
/*
 * Enumerations by name, for fields; none is NULL.
 */
#ifndef TW_RENDER_VIEW_NAMES_H
#define TW_RENDER_VIEW_NAMES_H

#include <string.h>

#include <tcpwhy/compare.h>
#include <tcpwhy/failures.h>
#include <tcpwhy/types.h>

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

static inline const char *tw_name_confidence(unsigned confidence)
{
    return tcpwhy_confidence_name((enum tcpwhy_confidence)confidence);
}

static inline const char *tw_name_change(unsigned change)
{
    return tcpwhy_change_name((enum tcpwhy_change)change);
}

static inline const char *tw_name_per(unsigned per)
{
    return tcpwhy_per_name((enum tcpwhy_per)per);
}

/* NULL where nothing failed. */
static inline const char *tw_name_failure(unsigned kind)
{
    return kind == TCPWHY_FAILURE_NONE ? NULL
                                       : tcpwhy_failure_info((enum tcpwhy_failure_kind)kind)->name;
}

static inline const char *tw_name_failed(unsigned failed)
{
    return tcpwhy_failed_name((enum tcpwhy_failed)failed);
}

static inline const char *tw_name_seen_as(unsigned seen_as)
{
    return tcpwhy_seen_as_name((enum tcpwhy_seen_as)seen_as);
}

static inline const char *tw_name_culprit(unsigned who)
{
    return tcpwhy_culprit_name((enum tcpwhy_culprit)who);
}

static inline const char *tw_name_vantage(unsigned vantage)
{
    return tcpwhy_vantage_name((enum tcpwhy_vantage)vantage);
}

/* A capture in a page, which others read: its file without the folder of whoever made it. */
static inline const char *tw_name_capture(const char *file)
{
    const char *slash = strrchr(file, '/');

    return !file[0] ? "Captured packets" : slash ? slash + 1 : file;
}

#endif
