/* SPDX-License-Identifier: MIT */
#include "source/metronome.h"

#include <stdint.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/timerfd.h>

int tw_metronome_open(unsigned interval_ms)
{
    const struct itimerspec beats = {
        .it_interval = { interval_ms / 1000, (long)(interval_ms % 1000) * 1000000 },
        .it_value = { 0, 1 }, /* 0 would stop it */
    };
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

    if (fd >= 0)
        timerfd_settime(fd, 0, &beats, NULL);
    return fd;
}

void tw_metronome_hush(int fd)
{
    uint64_t beats;

    /* It fails when there was no beat, which is as good. */
    while (read(fd, &beats, sizeof beats) > 0)
        ;
}

#else

int tw_metronome_open(unsigned interval_ms)
{
    (void)interval_ms;
    return -1;
}

void tw_metronome_hush(int fd)
{
    (void)fd;
}

#endif
