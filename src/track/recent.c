/* SPDX-License-Identifier: MIT */
#include "track/recent.h"

#include <string.h>

#include <glib.h>

/* A copy on a bridge comes microseconds later, when a burst's next segments have passed. */
#define FRAMES 32

void tw_recent_add(struct tw_recent *recent, uint32_t digest, uint32_t time_us)
{
    const struct tw_recent_frame frame = { digest, time_us };

    if (recent->n < TW_RECENT_FIRST) {
        recent->first[recent->n++] = frame;
        return;
    }
    if (!recent->ring) {
        recent->ring = g_new(struct tw_recent_frame, FRAMES);
        memcpy(recent->ring, recent->first, sizeof recent->first);
    }
    recent->ring[recent->n++ % FRAMES] = frame;
}

bool tw_recent_has(const struct tw_recent *recent, uint32_t digest, uint32_t time_us,
                   uint32_t limit_us)
{
    const struct tw_recent_frame *frame = recent->ring ? recent->ring : recent->first;
    uint32_t n = MIN(recent->n, FRAMES);

    for (uint32_t i = 0; i < n; i++)
        if (frame[i].digest == digest && time_us - frame[i].time_us <= limit_us)
            return true;
    return false;
}

void tw_recent_clear(struct tw_recent *recent)
{
    g_free(recent->ring);
    *recent = (struct tw_recent) { 0 };
}

size_t tw_recent_bytes(const struct tw_recent *recent)
{
    return recent->ring ? FRAMES * sizeof *recent->ring : 0;
}
