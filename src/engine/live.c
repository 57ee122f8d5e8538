/* SPDX-License-Identifier: MIT */
/*
 * Public functions for live packets. They are independent of sessions: the caller pulls packets
 * here and pushes them there.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "base/errors.h"
#include "base/options.h"
#include "base/text.h"
#include "source/metronome.h"
#include "source/nic.h"
#include "source/tail.h"

#define DEFAULT_SNAP_LEN 262144
#define DEFAULT_DELAY_MS 100

/* libpcap's default of 2 MiB is full after 0.1 s of a busy gigabit link, less than an interim
 * report may take. */
#define DEFAULT_BUFFER (16u << 20)

/* Limit of libpcap's int. */
#define BUFFER_MAX INT32_MAX

/* Polling interval of a growing file. */
#define LOOK_MS 50

struct tcpwhy_live {
    struct tw_heap *heap;
    struct tw_undo undo;
    char *name;
    struct tw_nic *nic;   /* either this ... */
    struct tw_tail *tail; /* ... or this is set */
    int beats;            /* of a tail, for poll loops; -1: nobody asked */
};

static bool take_options(struct tcpwhy_live_options *own, const struct tcpwhy_live_options *given)
{
    if (!tw_options_copy(own, sizeof *own, given) || own->buffer_bytes > BUFFER_MAX)
        return false;
    if (own->snap_len == 0 || own->snap_len > DEFAULT_SNAP_LEN)
        own->snap_len = DEFAULT_SNAP_LEN;
    if (own->buffer_bytes == 0)
        own->buffer_bytes = DEFAULT_BUFFER;
    if (own->delay_ms == 0 || own->delay_ms > BUFFER_MAX)
        own->delay_ms = DEFAULT_DELAY_MS;
    return true;
}

static void close_beats(void *user)
{
    const tcpwhy_live *live = user;

    if (live->beats >= 0)
        close(live->beats);
}

/* @return 0 with *out filled, or an error. */
static int open_source(tcpwhy_live *live, const char *name,
                       const struct tcpwhy_live_options *options, bool is_path,
                       struct tw_source_error *why)
{
    live->beats = -1;
    live->name = tw_strdup(name);
    if (is_path) {
        live->tail = tw_tail_open(name, options->filter, why);
    } else {
        const struct tw_nic_options how = { .filter = options->filter,
                                            .snap_len = options->snap_len,
                                            .buffer_bytes = options->buffer_bytes,
                                            .delay_ms = options->delay_ms,
                                            .immediate = options->immediate,
                                            .promiscuous = !options->not_promiscuous };

        live->nic = tw_nic_open(name, &how, why);
    }
    tw_undo_add(&live->undo, close_beats, live);
    return live->tail || live->nic ? 0 : why->code;
}

/* Its heap goes with it. */
static void release(tcpwhy_live *live)
{
    struct tw_heap *heap = live->heap;

    tw_undo_remove(&live->undo);
    tw_nic_close(live->nic);
    tw_tail_close(live->tail);
    close_beats(live);
    tw_free(live->name);
    tw_free(live);
    tw_heap_let_go(heap);
}

/* @return 0 with *out filled, or an error. */
static int new_live(const char *name, const struct tcpwhy_live_options *options, bool is_path,
                    tcpwhy_live **out, struct tw_source_error *why)
{
    struct tw_heap *heap = tw_heap_new();
    struct tw_guard guard;
    tcpwhy_live *live;
    int status;

    if (TW_FAILED(guard)) {
        tw_heap_drop(heap);
        return TCPWHY_ERR_MEMORY;
    }
    tw_guard_begin(&guard, heap);
    live = tw_new0(tcpwhy_live, 1);
    live->heap = heap;
    status = open_source(live, name, options, is_path, why);
    tw_guard_end(&guard);
    if (status == 0)
        *out = live;
    else
        release(live);
    return status;
}

static int open_live(const char *name, const struct tcpwhy_live_options *options, bool is_path,
                     tcpwhy_live **out, char *error, size_t error_size)
{
    struct tcpwhy_live_options own;
    struct tw_source_error why = { 0 };
    int status;

    if (!name || !out)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    if (!take_options(&own, options))
        return tw_error_tell(error, error_size, TCPWHY_ERR_ARGUMENT, name,
                             "start from TCPWHY_LIVE_INIT, and ask for less than 2 GiB of buffer");
    status = new_live(name, &own, is_path, out, &why);
    return status == 0 ? 0
                       : tw_error_tell(error, error_size, status, name,
                                       status == TCPWHY_ERR_MEMORY ? NULL : why.text);
}

int tcpwhy_live_open(const char *interface_name, const struct tcpwhy_live_options *options,
                     tcpwhy_live **out, char *error, size_t error_size)
{
    return open_live(interface_name, options, false, out, error, error_size);
}

int tcpwhy_live_follow(const char *path, const struct tcpwhy_live_options *options,
                       tcpwhy_live **out, char *error, size_t error_size)
{
    return open_live(path, options, true, out, error, error_size);
}

/* @return false on a signal. */
static bool sleep_ms(unsigned ms)
{
    struct timespec time = { ms / 1000, (long)(ms % 1000) * 1000000 };

    return nanosleep(&time, NULL) == 0;
}

/* Files are polled. */
static int next_in_files(struct tw_tail *tail, unsigned wait_ms, struct tw_frame *frame,
                         struct tw_source_error *why)
{
    int got = tw_tail_next(tail, frame, why);

    while (got == 0 && wait_ms > 0) {
        unsigned step = MIN(wait_ms, LOOK_MS);

        if (!sleep_ms(step))
            break;
        wait_ms -= step;
        got = tw_tail_next(tail, frame, why);
    }
    return got;
}

static void fill(struct tcpwhy_packet *packet, const struct tw_frame *frame)
{
    struct tcpwhy_packet own = {
        .link_type = frame->link_type,
        .time_ns = frame->time_ns,
        .captured_len = (uint32_t)frame->bytes.len,
        .original_len = frame->original_len,
        .bytes = frame->bytes.data,
    };

    tw_result_copy(packet, &own, sizeof own);
}

static int next(tcpwhy_live *live, unsigned wait_ms, struct tw_frame *frame,
                struct tw_source_error *why)
{
    struct tw_guard guard;
    int got;

    if (tw_heap_failed(live->heap) || TW_FAILED(guard)) {
        tw_source_refuse(why, TCPWHY_ERR_MEMORY, "%s", tcpwhy_strerror(TCPWHY_ERR_MEMORY));
        return TCPWHY_ERR_MEMORY;
    }
    tw_guard_begin(&guard, live->heap);
    got = live->nic ? tw_nic_next(live->nic, (int)MIN(wait_ms, (unsigned)INT32_MAX), frame, why)
                    : next_in_files(live->tail, wait_ms, frame, why);
    tw_guard_end(&guard);
    return got;
}

int tcpwhy_live_next(tcpwhy_live *live, unsigned wait_ms, struct tcpwhy_packet *packet, char *error,
                     size_t error_size)
{
    struct tw_source_error why = { 0 };
    struct tw_frame frame;
    int got;

    if (!live || !packet)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    if (!tw_size_is_set(packet))
        return tw_error_tell(error, error_size, TCPWHY_ERR_ARGUMENT, live->name,
                             "the packet's struct_size is not set");
    got = next(live, wait_ms, &frame, &why);
    if (got < 0)
        return tw_error_tell(error, error_size, got,
                             live->tail && got != TCPWHY_ERR_MEMORY ? tw_tail_file(live->tail)
                                                                    : live->name,
                             why.text);
    if (got > 0)
        fill(packet, &frame);
    else if (live->beats >= 0)
        tw_metronome_hush(live->beats);
    return got;
}

int tcpwhy_live_fd(tcpwhy_live *live)
{
    int fd;

    if (!live)
        return TCPWHY_ERR_USAGE;
    if (tw_heap_failed(live->heap))
        return TCPWHY_ERR_MEMORY;
    if (live->tail && live->beats < 0)
        live->beats = tw_metronome_open(LOOK_MS);
    fd = live->tail ? live->beats : tw_nic_fd(live->nic);
    return fd >= 0 ? fd : TCPWHY_ERR_OPEN;
}

int tcpwhy_live_counts(tcpwhy_live *live, struct tcpwhy_live_counts *counts)
{
    struct tcpwhy_live_counts own = { 0 };

    if (!live || !counts)
        return TCPWHY_ERR_USAGE;
    if (!tw_size_is_set(counts))
        return TCPWHY_ERR_ARGUMENT;
    if (tw_heap_failed(live->heap))
        return TCPWHY_ERR_MEMORY;
    if (live->nic) {
        struct tw_nic_counts now = tw_nic_counts(live->nic);

        own.received = now.read;
        own.dropped = now.dropped;
        own.went_down = now.went_down;
        own.is_down = now.is_down;
    } else {
        own.received = tw_tail_frames(live->tail);
        own.dropped = tw_tail_dropped(live->tail);
    }
    tw_result_copy(counts, &own, sizeof own);
    return 0;
}

void tcpwhy_live_close(tcpwhy_live *live)
{
    if (live && tw_heap_failed(live->heap))
        tw_heap_drop(live->heap);
    else if (live)
        release(live);
}
