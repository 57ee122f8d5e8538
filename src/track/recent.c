/* SPDX-License-Identifier: MIT */
#include "track/recent.h"

#include <glib.h>

/* A copy on a bridge comes microseconds later, when a burst's next segments have passed. */
#define FRAMES 32

/* As many as one side of a short connection sends; a ring of them fills a cache line. */
#define FIRST_FRAMES 8

void tw_recent_add(struct tw_recent *recent, uint32_t digest, uint32_t time_us)
{
    if (recent->n == recent->room && recent->room < FRAMES) {
        recent->room = recent->room ? FRAMES : FIRST_FRAMES;
        recent->frame = g_renew(struct tw_recent_frame, recent->frame, recent->room);
    }
    recent->frame[recent->n++ % recent->room] = (struct tw_recent_frame) { digest, time_us };
}

bool tw_recent_has(const struct tw_recent *recent, uint32_t digest, uint32_t time_us,
                   uint32_t limit_us)
{
    uint32_t n = MIN(recent->n, recent->room);

    for (uint32_t i = 0; i < n; i++)
        if (recent->frame[i].digest == digest && time_us - recent->frame[i].time_us <= limit_us)
            return true;
    return false;
}

void tw_recent_clear(struct tw_recent *recent)
{
    g_free(recent->frame);
    *recent = (struct tw_recent) { 0 };
}
