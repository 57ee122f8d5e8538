/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/source. Savefiles, standard input and memory, compressed or not, are read by our
 * own code; libpcap only compiles filters and captures live.
 */
#ifndef TW_SOURCE_H
#define TW_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "source/error.h"
#include "source/fact.h"
#include "source/frame.h"
#include "source/read_ahead.h"

struct tw_interface;
struct tw_source;

struct tw_source_options {
    const char *filter;          /* BPF expression or NULL */
    tw_block_fn *on_block;       /* called for every readable pcapng block, or NULL */
    void *user;                  /* handed to on_block */
    tw_secrets_fn *on_secrets;   /* or NULL */
    void *secrets_user;          /* handed to on_secrets */
    tw_rejected_fn *on_rejected; /* or NULL */
    void *rejected_user;         /* handed to on_rejected */
    bool follow;      /* the file may grow: the end is temporary, and tw_source_next() may be called
                         again. Not for compressed files. */
    unsigned threads; /* more than one: decompress on another thread */
    uint64_t unpack_max;         /* decompress that many bytes at most; 0: all */
    struct tw_read_ahead *ahead; /* for large files, or NULL */
};

/*
 * Open a capture by path ("-" is standard input), or in memory (borrowed until close). @return the
 * source, or NULL with *error filled.
 */
struct tw_source *tw_source_open(const char *path, const struct tw_source_options *options,
                                 struct tw_source_error *error);
struct tw_source *tw_source_open_memory(struct tw_bytes bytes,
                                        const struct tw_source_options *options,
                                        struct tw_source_error *error);

/*
 * The same for an open file, from its current offset; fd belongs to the caller, and must not be
 * moved while the source exists.
 */
struct tw_source *tw_source_open_fd(int fd, const struct tw_source_options *options,
                                    struct tw_source_error *error);

/* Does a file that starts like this (four bytes or more) look like a readable format? */
bool tw_source_knows(struct tw_bytes start);

/*
 * Descriptor of a rewindable capture: the file itself, or an unnamed temporary copy of standard
 * input and pipes. The caller closes it. @return -1 with *error filled.
 */
int tw_source_spool(const char *path, struct tw_source_error *error);

/* Is it a pcapng file, whose blocks go to on_block()? */
bool tw_source_has_blocks(const struct tw_source *source);

/* Link type and clock of a pcap file; NULL for other formats. */
const struct tw_interface *tw_source_pcap_interface(const struct tw_source *source);

/*
 * Open several files in this order as one: rotated captures of one sensor, with continuous frame
 * numbers. Fails if none can be opened.
 */
struct tw_source *tw_source_open_chain(const char *const *paths, size_t n,
                                       const struct tw_source_options *options,
                                       struct tw_source_error *error);

/* A file of a chain. */
struct tw_part {
    char *path;
    char *error;          /* NULL: read completely; else the reason */
    uint32_t first_frame; /* number of its first frame; 0: not opened */
    uint32_t frames;
};

/* The files of a chain; none for other sources. Valid as long as the source, complete at its
 * end. */
const struct tw_part *tw_source_parts(const struct tw_source *source, size_t *n);

/*
 * The next frame that passes the filter; rejected frames still count in the number. @return 1 with
 * *frame filled, 0 at the end (see the facts for the reason), negative TCPWHY_ERR_* if reading
 * failed.
 */
int tw_source_next(struct tw_source *source, struct tw_frame *frame);

/*
 * The next frame, and following ones that are already in memory, up to a maximum; all stay valid
 * until the next call. @return their number, or the result of tw_source_next().
 */
int tw_source_next_some(struct tw_source *source, struct tw_frame *frames, unsigned most);

/* Facts so far; valid as long as the source. */
const struct tw_source_fact *tw_source_facts(const struct tw_source *source, size_t *n);

/* Section comments, hardware, OS and application texts of pcapng; "" if there are none. */
const char *tw_source_comment(const struct tw_source *source);

/* Bytes consumed, and file size; 0 if unknown. */
void tw_source_progress(const struct tw_source *source, uint64_t *done_bytes,
                        uint64_t *total_bytes);

void tw_source_close(struct tw_source *source);

#endif
