/* SPDX-License-Identifier: MIT */
/* Shared by this folder: the source itself and the interface of a format. */
#ifndef TW_SOURCE_INTERNAL_H
#define TW_SOURCE_INTERNAL_H

#include <glib.h>

#include "base/array.h"
#include "base/text.h"
#include "source/error.h"
#include "source/fact.h"
#include "source/filter.h"
#include "source/frame.h"
#include "source/interface.h"
#include "source/window.h"

struct tw_source;

/* A savefile format: one file, and one line in the table of formats.c. */
struct tw_format {
    /* Does a file have this signature? At least four bytes. NULL: the format has none. */
    bool (*probe)(struct tw_bytes start);
    /* Without a signature: do its first records look like this format? */
    bool (*guess)(struct tw_bytes start);
    /* Read the file header, up to the first link type if there is one. */
    bool (*open)(struct tw_source *source, struct tw_source_error *error);
    /* Like tw_source_next(), without the filter. */
    int (*next)(struct tw_source *source, struct tw_frame *frame);
    /* The next frames that are completely buffered, at most that many; NULL: not supported. */
    unsigned (*next_shown)(struct tw_source *source, struct tw_frame *frames, unsigned most);
    void (*close)(struct tw_source *source); /* or NULL */
    /* Like tw_source_progress(); NULL: use the window. */
    void (*progress)(const struct tw_source *source, uint64_t *done_bytes, uint64_t *total_bytes);
    bool seeks; /* moves in the file, which must not be read ahead */
};

struct tw_source {
    struct tw_window window;
    const struct tw_format *format;
    void *state;              /* of the format */
    struct tw_filter *filter; /* NULL: no filter */
    tw_block_fn *on_block;    /* NULL: no block callback */
    tw_secrets_fn *on_secrets;
    void *secrets_user;
    tw_rejected_fn *on_rejected;
    void *rejected_user;
    void *user;
    bool follow;       /* the file may grow */
    uint32_t n_frames; /* records with a frame number */
    tw_array *facts;   /* struct tw_source_fact, one per kind */
    tw_string *comment;
    bool done; /* reading has stopped */
    int fd;    /* its own, which a failure closes */
    struct tw_undo undo;
};

/* Count a fact, with the last frame read before its first occurrence. */
void tw_source_add_fact(struct tw_source *source, enum tw_source_fact_kind kind, uint64_t count);

/* Add the count of a fact from another source. */
void tw_source_merge_fact(struct tw_source *source, const struct tw_source_fact *fact);

bool tw_source_has_fact(const struct tw_source *source, enum tw_source_fact_kind kind);

/* Impossible record: record the fact and stop reading. @return the result for next(). */
int tw_source_stop_at_bad_record(struct tw_source *source);

/*
 * No more bytes: a proper end if none are left over, otherwise a truncated record, unless read()
 * failed. @return the result for the format's next().
 */
int tw_source_end(struct tw_source *source, size_t left_over);

/*
 * Descriptor of the file, or of standard input, which must not be closed. @return -1 with error
 * filled.
 */
int tw_source_open_path(const char *path, struct tw_source_error *error);

/* Frames from format->next_shown(), 0 if each must be read individually. */
unsigned tw_source_next_shown(struct tw_source *source, struct tw_frame *frames, unsigned most);

/* Compile the filter for the first link type. @return false with error filled. */
bool tw_source_check_filter(struct tw_source *source, uint32_t link_type,
                            struct tw_source_error *error);

bool tw_source_refuse_read(const struct tw_source *source, struct tw_source_error *error);

/* The format of a file, decompressed; NULL if unknown. */
const struct tw_format *tw_format_of(struct tw_window *window);

extern const struct tw_format tw_format_commview;
extern const struct tw_format tw_format_commview_ncfx;
extern const struct tw_format tw_format_erf;
extern const struct tw_format tw_format_five_view;
extern const struct tw_format tw_format_iptrace;
extern const struct tw_format tw_format_lanalyzer;
extern const struct tw_format tw_format_netmon;
extern const struct tw_format tw_format_nettl;
extern const struct tw_format tw_format_netxray;
extern const struct tw_format tw_format_observer;
extern const struct tw_format tw_format_pcap;
extern const struct tw_format tw_format_pcapng;
extern const struct tw_format tw_format_peek;
extern const struct tw_format tw_format_sniffer;
extern const struct tw_format tw_format_snoop;
extern const struct tw_format tw_format_visual;

#endif
