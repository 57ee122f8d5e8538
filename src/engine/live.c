/* SPDX-License-Identifier: MIT */
/*
 * Public functions for live packets. They are independent of sessions: the caller pulls packets
 * here and pushes them there.
 */
#include <string.h>
#include <time.h>

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "base/options.h"
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

/* Exactly one is set. */
struct tcpwhy_live {
    char *name;
    struct tw_nic *nic;
    struct tw_tail *tail;
};

static int fail(char *error, const char *name, int code, const char *text)
{
    if (error)
        g_snprintf(error, TCPWHY_ERROR_TEXT, "%s: %s", name, text);
    return code;
}

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

static int open_live(const char *name, const struct tcpwhy_live_options *options, bool is_path,
                     tcpwhy_live **out, char *error)
{
    struct tcpwhy_live_options own;
    struct tw_source_error why = { 0 };
    struct tcpwhy_live live = { 0 };

    if (!take_options(&own, options))
        return fail(error, name, TCPWHY_ERR_ARGUMENT,
                    "start from TCPWHY_LIVE_INIT, and ask for less than 2 GiB of buffer");
    if (is_path) {
        live.tail = tw_tail_open(name, own.filter, &why);
    } else {
        const struct tw_nic_options how = { .filter = own.filter,
                                            .snap_len = own.snap_len,
                                            .buffer_bytes = own.buffer_bytes,
                                            .delay_ms = own.delay_ms,
                                            .immediate = own.immediate,
                                            .promiscuous = !own.not_promiscuous };

        live.nic = tw_nic_open(name, &how, &why);
    }
    if (!live.tail && !live.nic)
        return fail(error, name, why.code, why.text);
    live.name = g_strdup(name);
    *out = g_memdup2(&live, sizeof live);
    return 0;
}

int tcpwhy_live_open(const char *interface_name, const struct tcpwhy_live_options *options,
                     tcpwhy_live **out, char *error)
{
    return open_live(interface_name, options, false, out, error);
}

int tcpwhy_live_follow(const char *path, const struct tcpwhy_live_options *options,
                       tcpwhy_live **out, char *error)
{
    return open_live(path, options, true, out, error);
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

int tcpwhy_live_next(tcpwhy_live *live, unsigned wait_ms, struct tcpwhy_packet *packet, char *error)
{
    struct tw_source_error why = { 0 };
    struct tw_frame frame;
    int wait_int = (int)MIN(wait_ms, (unsigned)INT32_MAX);
    int got;

    if (!tw_size_is_set(packet))
        return fail(error, live->name, TCPWHY_ERR_ARGUMENT, "the packet's struct_size is not set");
    got = live->nic ? tw_nic_next(live->nic, wait_int, &frame, &why)
                    : next_in_files(live->tail, wait_ms, &frame, &why);
    if (got < 0)
        return fail(error, live->tail ? tw_tail_file(live->tail) : live->name, got, why.text);
    if (got > 0)
        fill(packet, &frame);
    return got;
}

int tcpwhy_live_counts(tcpwhy_live *live, struct tcpwhy_live_counts *counts)
{
    struct tcpwhy_live_counts own = { 0 };

    if (!tw_size_is_set(counts))
        return TCPWHY_ERR_ARGUMENT;
    if (live->nic) {
        struct tw_nic_counts now = tw_nic_counts(live->nic);

        own.received = now.read;
        own.dropped = now.dropped;
    } else {
        own.received = tw_tail_frames(live->tail);
        own.dropped = tw_tail_dropped(live->tail);
    }
    tw_result_copy(counts, &own, sizeof own);
    return 0;
}

void tcpwhy_live_close(tcpwhy_live *live)
{
    if (!live)
        return;
    tw_nic_close(live->nic);
    tw_tail_close(live->tail);
    g_free(live->name);
    g_free(live);
}
