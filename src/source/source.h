/* SPDX-License-Identifier: MIT */
/*
 * The door of src/source: where frames come from. Savefiles (pcap, pcapng), standard input and
 * memory, compressed or not, are read block by block by our own code; libpcap is met here only, to
 * compile filters.
 */
#ifndef TW_SOURCE_H
#define TW_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "source/read_ahead.h"

/* One captured frame. The bytes are borrowed: they are gone at the next tw_source_next(). */
struct tw_frame {
    uint32_t number;       /* 1-based, as Wireshark counts */
    uint32_t link_type;    /* LINKTYPE_ value, after libpcap's mapping of savefile numbers */
    int64_t time_ns;       /* since the epoch, UTC; INT64_MIN when the record carries no time */
    uint32_t original_len; /* length on the wire */
    struct tw_bytes bytes; /* captured bytes */
};

/* A thing to know of the capture itself, never an error: cut short, unreadable record ... */
enum tw_source_fact_kind {
    TW_SOURCE_CUT_SHORT,    /* the file ends inside a record or block */
    TW_SOURCE_BAD_RECORD,   /* a length or version no record can have; reading stopped there */
    TW_SOURCE_NO_TIME,      /* records without a timestamp (simple packet blocks) */
    TW_SOURCE_DROPPED,      /* drops reported by the capturing system (interface statistics) */
    TW_SOURCE_LEN_MISMATCH, /* captured length larger than the original length or the snap length */
    TW_SOURCE_NO_INTERFACE, /* pcapng frames of an interface that is not described; held back */
    TW_SOURCE_NOT_FILTERED, /* frames of a link type that the filter makes no sense on; held back */
    TW_SOURCE_BAD_OPTION,   /* pcapng options that run over their block; the rest was used */
    TW_SOURCE_BAD_ARCHIVE,  /* compressed data that does not decompress; reading stopped there */
    TW_SOURCE_BAD_FILE,     /* a file of a chain that could not be read, or not to its end */
    TW_SOURCE_HELD_BACK,    /* frames that the filter did not let pass */
};

/* One a kind. */
struct tw_source_fact {
    enum tw_source_fact_kind kind;
    uint32_t frame; /* the last frame read when it was first met, 0 when none */
    uint64_t count; /* records or frames; TW_SOURCE_DROPPED: packets */
};

struct tw_interface;
struct tw_source;

/*
 * A block of a pcapng file as it stands there, or a piece of one that is too long to be shown
 * whole: pieces come in their order, the first begins the block.
 */
struct tw_block {
    uint32_t type;
    bool big_endian;
    uint32_t number;       /* of its frame, for a block that bears one; else 0 */
    struct tw_bytes bytes; /* borrowed for the call */
};

typedef void tw_block_fn(void *user, const struct tw_block *block);

struct tw_source_options {
    const char *filter;    /* BPF expression or NULL */
    tw_block_fn *on_block; /* told of every block of a pcapng file that could be read, or NULL */
    void *user;            /* handed to on_block */
    bool follow; /* the file still grows: at its end there is nothing for now, and tw_source_next()
                    may be called again. Compressed files do not grow. */
    unsigned threads;            /* with more than one, what is compressed is unpacked by another */
    struct tw_read_ahead *ahead; /* through which large files are read, or NULL */
};

/* Why a source could not be opened: one sentence without the file's name. */
struct tw_source_error {
    int code; /* TCPWHY_ERR_* */
    char text[256];
};

/*
 * Open a capture by path ("-" is standard input), or in memory (borrowed until close).
 * @return the source, or NULL with *error filled.
 */
struct tw_source *tw_source_open(const char *path, const struct tw_source_options *options,
                                 struct tw_source_error *error);
struct tw_source *tw_source_open_memory(struct tw_bytes bytes,
                                        const struct tw_source_options *options,
                                        struct tw_source_error *error);

/*
 * Likewise an open file, read from where it stands; fd stays the caller's, and is not to be moved
 * while the source lives.
 */
struct tw_source *tw_source_open_fd(int fd, const struct tw_source_options *options,
                                    struct tw_source_error *error);

/* Does a file that begins so (four bytes or more) look like one that we read? */
bool tw_source_knows(struct tw_bytes start);

/*
 * A descriptor of a capture that can be read again from its beginning: the file itself, or, of
 * standard input and pipes, a copy without a name in the folder for temporary files. The caller
 * closes it. @return -1 with *error filled.
 */
int tw_source_spool(const char *path, struct tw_source_error *error);

/* What a pcap file's header says of all its frames; NULL when it is another format. */
const struct tw_interface *tw_source_pcap_interface(const struct tw_source *source);

/*
 * Open several files, in this order, as one: rotated captures of one sensor. Frame numbers go on
 * over the boundary. Fails when none of them can be opened.
 */
struct tw_source *tw_source_open_chain(const char *const *paths, size_t n,
                                       const struct tw_source_options *options,
                                       struct tw_source_error *error);

/* A file of a chain. */
struct tw_part {
    char *path;
    char *error;          /* NULL: it was read; else why not, or not to its end */
    uint32_t first_frame; /* number of its first frame; 0: it was not opened */
    uint32_t frames;
};

/* The files of a chain; none for any other source. As long as the source; known at its end. */
const struct tw_part *tw_source_parts(const struct tw_source *source, size_t *n);

/*
 * The next frame that the filter lets pass; frames it holds back still count in the number.
 * @return 1 with *frame filled, 0 at the end (see the facts for why), negative TCPWHY_ERR_* when
 * the operating system refused to read on.
 */
int tw_source_next(struct tw_source *source, struct tw_frame *frame);

/*
 * The next frame, and those behind it that are in memory already, at most so many together: the
 * bytes of all of them stay where they are until the next call.
 * @return how many, or what tw_source_next() returns instead.
 */
int tw_source_next_some(struct tw_source *source, struct tw_frame *frames, unsigned most);

/* Facts so far; the array lives as long as the source. */
const struct tw_source_fact *tw_source_facts(const struct tw_source *source, size_t *n);

/* Section comments, hardware, OS and application texts of pcapng; "" when there are none. */
const char *tw_source_comment(const struct tw_source *source);

/* Bytes of the file that were taken, and how many it has; 0 when nobody knows. */
void tw_source_progress(const struct tw_source *source, uint64_t *done_bytes,
                        uint64_t *total_bytes);

void tw_source_close(struct tw_source *source);

#endif
