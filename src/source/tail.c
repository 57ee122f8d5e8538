/* SPDX-License-Identifier: MIT */
/*
 * Detects replaced files: the inode changed, the file shrank, or its folder has a newer one. A file
 * is read to its end before it is left.
 */
#include "source/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "base/text.h"
#include "source/foreign.h"
#include "source/internal.h"
#include "source/ring.h"

struct tw_tail {
    char *path;
    char *filter; /* or NULL */
    bool is_folder;
    struct tw_ring_place place; /* of the file in its folder */
    char *file;                 /* current file */
    int fd;                     /* -1: not open */
    struct tw_source *source;   /* NULL: header not yet available */
    bool leaving;               /* it has a successor: one more read */
    uint64_t frames, dropped;   /* dropped: in finished files */
    struct tw_undo undo;
};

static void close_fd(void *user)
{
    const struct tw_tail *tail = user;

    if (tail->fd >= 0)
        close(tail->fd);
}

struct tw_tail *tw_tail_open(const char *path, const char *filter, struct tw_source_error *error)
{
    struct tw_tail *tail;
    struct stat st;

    if (stat(path, &st) != 0 && errno != ENOENT) {
        tw_source_refuse(error, TCPWHY_ERR_OPEN, "cannot be opened: %s", g_strerror(errno));
        return NULL;
    }
    tail = tw_new0(struct tw_tail, 1);
    tail->path = tw_strdup(path);
    tail->filter = tw_strdup(filter);
    tail->is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    tail->fd = -1;
    tw_undo_add(&tail->undo, close_fd, tail);
    return tail;
}

static uint64_t dropped_in(const struct tw_source *source)
{
    size_t n;
    const struct tw_source_fact *fact = tw_source_facts(source, &n);

    for (size_t i = 0; i < n; i++)
        if (fact[i].kind == TW_SOURCE_DROPPED)
            return fact[i].count;
    return 0;
}

static void leave_file(struct tw_tail *tail)
{
    if (tail->source)
        tail->dropped += dropped_in(tail->source);
    tw_source_close(tail->source);
    if (tail->fd >= 0)
        close(tail->fd);
    tail->source = NULL;
    tail->fd = -1;
    tail->leaving = false;
}

void tw_tail_close(struct tw_tail *tail)
{
    if (!tail)
        return;
    tw_undo_remove(&tail->undo);
    leave_file(tail);
    tw_ring_clear(&tail->place);
    tw_free(tail->file);
    tw_free(tail->filter);
    tw_free(tail->path);
    tw_free(tail);
}

/* Open the file at the path, or at the place in the folder. @return false if it does not exist
 * (yet). */
static bool open_file(struct tw_tail *tail)
{
    tw_free(tail->file);
    tail->file =
        tail->is_folder ? tw_build_filename(tail->path, tail->place.name) : tw_strdup(tail->path);
    tail->fd = open(tail->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return tail->fd >= 0;
}

/* The first file of a folder, or the successor of one that is gone. */
static bool find_file(struct tw_tail *tail)
{
    struct tw_ring_place next;
    bool found = tail->place.name ? tw_ring_next(tail->path, &tail->place, &next)
                                  : tw_ring_newest(tail->path, &next);

    if (found) {
        tw_ring_clear(&tail->place);
        tail->place = next;
    }
    return found;
}

static bool first_file(struct tw_tail *tail)
{
    return (!tail->is_folder || find_file(tail)) && open_file(tail);
}

/* Too short to recognise, or truncated in its header: more may follow. */
static bool may_become_capture(int fd)
{
    uint8_t magic[TW_FOREIGN_BYTES];
    ssize_t n = pread(fd, magic, sizeof magic, 0);

    return n >= 0 && (n < 4 || tw_source_knows(tw_bytes(magic, (size_t)n)));
}

/* @return 1 if the header was read, 0 if it is not complete yet, or a negative error. */
static int open_source(struct tw_tail *tail, struct tw_source_error *error)
{
    struct tw_source_options options = { .filter = tail->filter, .follow = true };

    lseek(tail->fd, 0, SEEK_SET);
    tail->source = tw_source_open_fd(tail->fd, &options, error);
    if (tail->source)
        return 1;
    if (error->code == TCPWHY_ERR_FILTER)
        return error->code;
    /* In a folder, files that are not captures are skipped. */
    return tail->is_folder || may_become_capture(tail->fd) ? 0 : error->code;
}

static bool was_cut(const struct tw_tail *tail)
{
    struct stat st;

    return fstat(tail->fd, &st) == 0 && st.st_size < lseek(tail->fd, 0, SEEK_CUR);
}

static bool was_replaced(const struct tw_tail *tail)
{
    struct stat open, named;

    return fstat(tail->fd, &open) == 0 && stat(tail->file, &named) == 0 &&
           (open.st_ino != named.st_ino || open.st_dev != named.st_dev);
}

/* Successors are files newer than the last modification of this one. */
static bool has_successor(struct tw_tail *tail, struct tw_ring_place *next)
{
    struct stat st;

    if (fstat(tail->fd, &st) == 0)
        tail->place.changed_ns = tw_ring_changed_ns(&st);
    return tw_ring_next(tail->path, &tail->place, next);
}

/* Switch to the next file of the folder. */
static bool next_file(struct tw_tail *tail)
{
    struct tw_ring_place next;

    if (!has_successor(tail, &next))
        return false;
    if (!tail->leaving) {
        tw_ring_clear(&next);
        tail->leaving = true;
        return true;
    }
    leave_file(tail);
    tw_ring_clear(&tail->place);
    tail->place = next;
    open_file(tail);
    return true;
}

/* Reopen a single file that was replaced. */
static bool same_name_again(struct tw_tail *tail)
{
    if (!was_replaced(tail))
        return false;
    if (tail->leaving) {
        leave_file(tail);
        open_file(tail);
        return true;
    }
    tail->leaving = true;
    return true;
}

/* At the end of the file. @return true if reading should be retried. */
static bool go_on(struct tw_tail *tail)
{
    if (tail->fd < 0)
        return first_file(tail);
    if (was_cut(tail)) {
        leave_file(tail);
        return open_file(tail);
    }
    return tail->is_folder ? next_file(tail) : same_name_again(tail);
}

int tw_tail_next(struct tw_tail *tail, struct tw_frame *frame, struct tw_source_error *error)
{
    do {
        int status = tail->source || tail->fd < 0 ? 1 : open_source(tail, error);

        if (status < 0)
            return status;
        status = tail->source ? tw_source_next(tail->source, frame) : 0;
        if (status > 0) {
            tail->frames++;
            return status;
        }
        if (status < 0) {
            tw_source_refuse_read(tail->source, error);
            return status;
        }
    } while (go_on(tail));
    return 0;
}

uint64_t tw_tail_frames(const struct tw_tail *tail)
{
    return tail->frames;
}

uint64_t tw_tail_dropped(const struct tw_tail *tail)
{
    return tail->dropped + (tail->source ? dropped_in(tail->source) : 0);
}

const char *tw_tail_file(const struct tw_tail *tail)
{
    return tail->file ? tail->file : "";
}
