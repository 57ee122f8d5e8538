/* SPDX-License-Identifier: MIT */
#include "track/recent.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"

void tw_recent_begin(struct tw_recent *recent, struct tw_recent_frame frame)
{
    if (recent->n < TW_RECENT_FIRST) {
        recent->first[recent->n++] = frame;
        return;
    }
    recent->ring = tw_new(struct tw_recent_frame, TW_RECENT_FRAMES);
    memcpy(recent->ring, recent->first, sizeof recent->first);
    recent->ring[recent->n++] = frame;
}

bool tw_recent_has(const struct tw_recent *recent, const struct tw_segment *s, tcpwhy_ns time_ns,
                   tcpwhy_ns limit_ns)
{
    const struct tw_recent_frame *frame = recent->ring ? recent->ring : recent->first;
    uint32_t n = MIN(recent->n, TW_RECENT_FRAMES), digest = tw_recent_digest(s);
    uint32_t now = tw_recent_ticks(time_ns), limit = tw_recent_ticks(limit_ns);

    for (uint32_t i = 0; i < n; i++)
        if (frame[i].digest == digest && now - frame[i].ticks <= limit)
            return true;
    return false;
}

bool tw_recent_forgets(const struct tw_recent *recent, tcpwhy_ns time_ns, tcpwhy_ns limit_ns)
{
    if (recent->n < TW_RECENT_FRAMES)
        return false;
    return tw_recent_ticks(time_ns) - recent->ring[recent->n % TW_RECENT_FRAMES].ticks <=
           tw_recent_ticks(limit_ns);
}

void tw_recent_clear(struct tw_recent *recent)
{
    tw_free(recent->ring);
    *recent = (struct tw_recent) { 0 };
}

size_t tw_recent_bytes(const struct tw_recent *recent)
{
    return recent->ring ? TW_RECENT_FRAMES * sizeof *recent->ring : 0;
}
