/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/source. Savefiles (pcap, pcapng), standard input and memory, compressed or not,
 * are read by our own code; libpcap only compiles filters and captures live.
 */
#ifndef TW_SOURCE_H
#define TW_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "source/read_ahead.h"

/* A captured frame. Its bytes are borrowed until the next tw_source_next(). */
struct tw_frame {
    uint32_t number;       /* from 1, as in Wireshark */
    uint32_t link_type;    /* LINKTYPE_ value, mapped as in libpcap */
    int64_t time_ns;       /* since the epoch, UTC; INT64_MIN: no timestamp */
    uint32_t original_len; /* length on the wire */
    struct tw_bytes bytes; /* captured bytes */
};

/* Facts about the capture, never errors. */
enum tw_source_fact_kind {
    TW_SOURCE_CUT_SHORT,    /* the file ends within a record or block */
    TW_SOURCE_BAD_RECORD,   /* impossible length or version; reading stopped */
    TW_SOURCE_NO_TIME,      /* records without a timestamp (simple packet blocks) */
    TW_SOURCE_DROPPED,      /* drops reported by the capturing system (interface statistics) */
    TW_SOURCE_LEN_MISMATCH, /* captured length larger than the original length or the snap length */
    TW_SOURCE_NO_INTERFACE, /* pcapng frames of an undescribed interface; skipped */
    TW_SOURCE_NOT_FILTERED, /* frames of a link type to which the filter does not apply; skipped */
    TW_SOURCE_BAD_OPTION,   /* pcapng options that overrun their block; the rest was used */
    TW_SOURCE_BAD_ARCHIVE,  /* corrupt compressed data; reading stopped */
    TW_SOURCE_BAD_FILE,     /* an unreadable or partly readable file of a chain */
    TW_SOURCE_HELD_BACK,    /* frames rejected by the filter */
};

/* One per kind. */
struct tw_source_fact {
    enum tw_source_fact_kind kind;
    uint32_t frame; /* last frame read at the first occurrence, or 0 */
    uint64_t count; /* records or frames; TW_SOURCE_DROPPED: packets */
};

struct tw_interface;
struct tw_source;

/*
 * A pcapng block, or a piece of one that is too long: pieces are in order, and the first begins the
 * block.
 */
struct tw_block {
    uint32_t type;
    bool big_endian;
    uint32_t number;       /* frame number of a packet block; else 0 */
    struct tw_bytes bytes; /* borrowed for the call */
};

typedef void tw_block_fn(void *user, const struct tw_block *block);

/* A decryption secrets block of pcapng: its secrets type, and the secrets, borrowed for the call.
 */
typedef void tw_secrets_fn(void *user, uint32_t type, struct tw_bytes secrets);

struct tw_source_options {
    const char *filter;        /* BPF expression or NULL */
    tw_block_fn *on_block;     /* called for every readable pcapng block, or NULL */
    void *user;                /* handed to on_block */
    tw_secrets_fn *on_secrets; /* or NULL */
    void *secrets_user;        /* handed to on_secrets */
    bool follow;      /* the file may grow: the end is temporary, and tw_source_next() may be called
                         again. Not for compressed files. */
    unsigned threads; /* more than one: decompress on another thread */
    struct tw_read_ahead *ahead; /* for large files, or NULL */
};

/* Reason for failure: one sentence without the file name. */
struct tw_source_error {
    int code; /* TCPWHY_ERR_* */
    char text[256];
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
