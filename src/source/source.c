/* SPDX-License-Identifier: MIT */
/*
 * Opens a file, standard input or memory, and returns frames.
 */
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/text.h"
#include "source/foreign.h"
#include "source/internal.h"
#include "source/pcap.h"
#include "source/unpack.h"

/* Accidental double compression is supported; the limit guards against archives that contain
 * themselves. */
#define COMPRESSIONS_MAX 3

bool tw_source_refuse_read(const struct tw_source *source, struct tw_source_error *error)
{
    return tw_source_refuse(error, TCPWHY_ERR_READ,
                            "cannot be read: %s; copy it elsewhere and try again",
                            g_strerror(source->window.error));
}

int tw_source_stop_at_bad_record(struct tw_source *source)
{
    tw_source_add_fact(source, TW_SOURCE_BAD_RECORD, 1);
    source->done = true;
    return 0;
}

int tw_source_end(struct tw_source *source, size_t left_over)
{
    const struct tw_unpack *unpack = source->window.unpack;

    if (source->follow && !unpack && source->window.error == 0) {
        source->window.end = false;
        return 0;
    }
    source->done = true;
    if (source->window.error != 0)
        return TCPWHY_ERR_READ;
    if (unpack && unpack->end == TW_UNPACK_NO_MEMORY)
        tw_out_of_memory(0);
    if (unpack && unpack->end == TW_UNPACK_ENOUGH)
        tw_source_add_fact(source, TW_SOURCE_UNPACK_MAX, 1);
    else if (unpack && unpack->end >= TW_UNPACK_DAMAGED)
        tw_source_add_fact(source, TW_SOURCE_BAD_ARCHIVE, 1);
    else if (left_over > 0 || (unpack && unpack->end == TW_UNPACK_CUT_SHORT))
        tw_source_add_fact(source, TW_SOURCE_CUT_SHORT, 1);
    return 0;
}

bool tw_source_check_filter(struct tw_source *source, uint32_t link_type,
                            struct tw_source_error *error)
{
    const char *why_not = source->filter ? tw_filter_why_not(source->filter, link_type) : NULL;

    if (!why_not)
        return true;
    return tw_source_refuse(error, TCPWHY_ERR_FILTER,
                            "the filter does not compile for this link type: %s; see "
                            "pcap-filter(7)",
                            why_not);
}

/* The archive ended before a capture's header. */
static bool refuse_archive(const struct tw_unpack *unpack, struct tw_source_error *error)
{
    static const char *const advice[] = {
        [TW_UNPACK_COMPLETE] = "with nothing in it: compress the capture again",
        [TW_UNPACK_CUT_SHORT] = "and cut short before the capture begins: copy it again",
        [TW_UNPACK_DAMAGED] = "and damaged before the capture begins: copy it again",
        [TW_UNPACK_TOO_LARGE] = "with a larger window than is safe to follow: decompress it first",
        [TW_UNPACK_NO_MEMORY] =
            "and no memory is left to decompress it: free some, or decompress it first",
        [TW_UNPACK_ENOUGH] = "and longer than it may be before the capture begins: raise the limit",
    };

    return tw_source_refuse(
        error, unpack->end == TW_UNPACK_NO_MEMORY ? TCPWHY_ERR_MEMORY : TCPWHY_ERR_FORMAT,
        "%s compressed, %s", unpack->codec->name, advice[unpack->end]);
}

/* The start of the input, decompressed if necessary. */
static struct tw_bytes begin(struct tw_window *window)
{
    struct tw_bytes start = tw_window_need(window, TW_FOREIGN_BYTES);

    for (int i = 0; i < COMPRESSIONS_MAX && tw_unpack_codec(start); i++) {
        tw_unpack_window(window, tw_unpack_codec(start));
        start = tw_window_need(window, TW_FOREIGN_BYTES);
    }
    return start;
}

static bool open_format(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_bytes start = begin(&source->window);

    if (source->window.error != 0)
        return tw_source_refuse_read(source, error);
    if (start.len < 4 && source->window.unpack)
        return refuse_archive(source->window.unpack, error);
    if (tw_unpack_codec(start))
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "compressed over and over: decompress it first");
    source->format = tw_format_of(&source->window);
    if (source->format)
        return source->format->open(source, error);
    /* The window may have moved. */
    start = tw_window_need(&source->window, TW_FOREIGN_BYTES);
    return tw_source_refuse(error, TCPWHY_ERR_FORMAT, "%s", tw_foreign_advice(start));
}

/* Of each decompression: one may lie in another, or behind the header of a Sniffer file. */
static void bound_unpacking(struct tw_window *window, uint64_t most)
{
    for (; window->unpack; window = &window->unpack->packed)
        window->unpack->most = most;
}

/* With fewer bytes left, a second thread does not pay off. */
#define ALONE_BYTES (1024 * 1024)

/* Not for pipes: a blocked read could not be interrupted. */
static void work_ahead(struct tw_source *source, const struct tw_source_options *options)
{
    struct tw_window *window = &source->window;
    const struct tw_window *file = tw_window_bottom(window);
    struct stat st;
    bool regular = file->fd >= 0 && fstat(file->fd, &st) == 0 && S_ISREG(st.st_mode);

    if (window->unpack && options->threads > 1)
        window->unpack->may_hire = file->fd < 0 || regular;
    else if (!window->unpack && options->ahead && regular && !source->follow &&
             !source->format->seeks && st.st_size > ALONE_BYTES)
        tw_window_read_ahead(window, options->ahead);
}

static struct tw_source *finish_open(struct tw_source *source,
                                     const struct tw_source_options *options,
                                     struct tw_source_error *error)
{
    source->facts = tw_array_new(FALSE, FALSE, sizeof(struct tw_source_fact));
    source->comment = tw_string_new(NULL);
    if (options && options->filter && *options->filter)
        source->filter = tw_filter_new(options->filter);
    source->on_block = options ? options->on_block : NULL;
    source->user = options ? options->user : NULL;
    source->on_secrets = options ? options->on_secrets : NULL;
    source->secrets_user = options ? options->secrets_user : NULL;
    source->on_rejected = options ? options->on_rejected : NULL;
    source->rejected_user = options ? options->rejected_user : NULL;
    source->follow = options && options->follow;
    if (open_format(source, error)) {
        bound_unpacking(&source->window, options ? options->unpack_max : 0);
        if (options)
            work_ahead(source, options);
        return source;
    }
    tw_source_close(source);
    return NULL;
}

static bool refuse_path(struct tw_source_error *error, int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return tw_source_refuse(error, TCPWHY_ERR_OPEN, "no such file: check the path");
    case EACCES:
    case EPERM:
        return tw_source_refuse(error, TCPWHY_ERR_OPEN,
                                "no permission to read it: change its mode, or run as its owner");
    case EISDIR:
        return tw_source_refuse(error, TCPWHY_ERR_OPEN,
                                "a directory: name a capture file inside it");
    default:
        return tw_source_refuse(error, TCPWHY_ERR_OPEN, "cannot be opened: %s", g_strerror(number));
    }
}

int tw_source_open_path(const char *path, struct tw_source_error *error)
{
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0) {
        refuse_path(error, errno);
        return -1;
    }
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        if (fd != STDIN_FILENO)
            close(fd);
        refuse_path(error, EISDIR);
        return -1;
    }
    return fd;
}

static void close_fd(void *user)
{
    struct tw_source *source = user;

    if (source->window.ahead)
        tw_read_ahead_close(source->window.ahead);
    close(source->fd);
}

struct tw_source *tw_source_open(const char *path, const struct tw_source_options *options,
                                 struct tw_source_error *error)
{
    struct tw_source *source = tw_new0(struct tw_source, 1);

    source->fd = tw_source_open_path(path, error);
    if (source->fd < 0) {
        tw_free(source);
        return NULL;
    }
    if (source->fd != STDIN_FILENO)
        tw_undo_add(&source->undo, close_fd, source);
    tw_window_open_fd(&source->window, source->fd, source->fd != STDIN_FILENO);
    return finish_open(source, options, error);
}

struct tw_source *tw_source_open_fd(int fd, const struct tw_source_options *options,
                                    struct tw_source_error *error)
{
    struct tw_source *source = tw_new0(struct tw_source, 1);

    tw_window_open_fd(&source->window, fd, false);
    return finish_open(source, options, error);
}

struct tw_source *tw_source_open_memory(struct tw_bytes bytes,
                                        const struct tw_source_options *options,
                                        struct tw_source_error *error)
{
    struct tw_source *source = tw_new0(struct tw_source, 1);

    tw_window_open_memory(&source->window, bytes);
    return finish_open(source, options, error);
}

bool tw_source_has_blocks(const struct tw_source *source)
{
    return source->format == &tw_format_pcapng;
}

const struct tw_interface *tw_source_pcap_interface(const struct tw_source *source)
{
    const struct tw_pcap *pcap = source->state;

    return source->format == &tw_format_pcap ? &pcap->interface : NULL;
}

static bool passes(struct tw_source *source, const struct tw_frame *frame)
{
    switch (tw_filter_ask(source->filter, frame->link_type, frame->bytes, frame->original_len)) {
    case TW_FILTER_PASS:
        return true;
    case TW_FILTER_UNUSABLE:
        tw_source_add_fact(source, TW_SOURCE_NOT_FILTERED, 1);
        return false;
    default:
        tw_source_add_fact(source, TW_SOURCE_HELD_BACK, 1);
        if (source->on_rejected)
            source->on_rejected(source->rejected_user, frame);
        return false;
    }
}

int tw_source_next(struct tw_source *source, struct tw_frame *frame)
{
    while (!source->done) {
        int rc = source->format->next(source, frame);

        if (rc <= 0)
            return rc;
        if (!source->filter || passes(source, frame))
            return 1;
    }
    return source->window.error != 0 ? TCPWHY_ERR_READ : 0;
}

unsigned tw_source_next_shown(struct tw_source *source, struct tw_frame *frames, unsigned most)
{
    /* After a filtered frame another one may have to be read. */
    if (source->done || source->filter || !source->format->next_shown)
        return 0;
    return source->format->next_shown(source, frames, most);
}

int tw_source_next_some(struct tw_source *source, struct tw_frame *frames, unsigned most)
{
    int n = (int)tw_source_next_shown(source, frames, most);

    if (n > 0)
        return n;
    n = tw_source_next(source, frames);
    return n > 0 ? n + (int)tw_source_next_shown(source, frames + 1, most - 1) : n;
}

const char *tw_source_comment(const struct tw_source *source)
{
    return source->comment->str;
}

void tw_source_progress(const struct tw_source *source, uint64_t *done_bytes, uint64_t *total_bytes)
{
    const struct tw_window *file = tw_window_bottom(&source->window);
    struct stat st;

    if (source->format->progress) {
        source->format->progress(source, done_bytes, total_bytes);
        return;
    }
    *done_bytes = tw_window_taken(&source->window);
    *total_bytes = 0;
    /* Not cached: the file may grow. */
    if (file->fd < 0)
        *total_bytes = file->to;
    else if (fstat(file->fd, &st) == 0 && S_ISREG(st.st_mode))
        *total_bytes = (uint64_t)st.st_size;
}

void tw_source_close(struct tw_source *source)
{
    if (!source)
        return;
    tw_undo_remove(&source->undo);
    if (source->format && source->format->close)
        source->format->close(source);
    tw_filter_free(source->filter);
    tw_window_close(&source->window);
    tw_array_free(source->facts, TRUE);
    tw_string_free(source->comment, TRUE);
    tw_free(source);
}
