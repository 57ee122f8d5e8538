/* SPDX-License-Identifier: MIT */
/* Threads of a run. POSIX's and not GLib's: the thread sanitizer sees through these. */
#ifndef BATCH_THREAD_H
#define BATCH_THREAD_H

#include <pthread.h>

#include <glib.h>

/* Without a thread there is no run. */
static inline void thread_start(pthread_t *thread, void *(*run)(void *), void *user)
{
    int error = pthread_create(thread, NULL, run, user);

    if (error != 0)
        g_error("cannot create a thread: %s", g_strerror(error));
}

#endif
