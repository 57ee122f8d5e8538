/* SPDX-License-Identifier: MIT */
/* A descriptor that becomes readable at fixed intervals, for files that nothing else announces. */
#ifndef TW_SOURCE_METRONOME_H
#define TW_SOURCE_METRONOME_H

/* The first beat comes at once. @return a descriptor for close(), or -1 where there is none. */
int tw_metronome_open(unsigned interval_ms);

/* Not readable any more until the next beat. */
void tw_metronome_hush(int fd);

#endif
