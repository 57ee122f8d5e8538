/* SPDX-License-Identifier: MIT */
/* What the files of this folder share: the source itself and what a format has to offer. */
#ifndef TW_SOURCE_INTERNAL_H
#define TW_SOURCE_INTERNAL_H

#include <glib.h>

#include "source/filter.h"
#include "source/interface.h"
#include "source/source.h"
#include "source/window.h"

/* A savefile format: one file, and one line in the table of source.c. */
struct tw_format {
    /* Does a file begin so? The first four bytes, the first of them highest. */
    bool (*probe)(uint32_t magic);
    /* Read the file's header, and on to the first link type where there is one. */
    bool (*open)(struct tw_source *source, struct tw_source_error *error);
    /* As tw_source_next(), without the filter. */
    int (*next)(struct tw_source *source, struct tw_frame *frame);
    /* As many of the next frames as are shown whole already, at most so many; NULL: never any. */
    unsigned (*next_shown)(struct tw_source *source, struct tw_frame *frames, unsigned most);
    void (*close)(struct tw_source *source);
    /* As tw_source_progress(); NULL: the window knows. */
    void (*progress)(const struct tw_source *source, uint64_t *done_bytes, uint64_t *total_bytes);
};

struct tw_source {
    struct tw_window window;
    const struct tw_format *format;
    void *state;              /* the format's own */
    struct tw_filter *filter; /* NULL: every frame passes */
    tw_block_fn *on_block;    /* NULL: nobody wants to see blocks */
    void *user;
    bool follow;       /* the end is not the end */
    uint32_t n_frames; /* records that bear a frame number */
    GArray *facts;     /* struct tw_source_fact, one a kind */
    GString *comment;
    bool done; /* reading stopped */
};

/* Count a fact; its frame is the last one read before the first occurrence. */
void tw_source_add_fact(struct tw_source *source, enum tw_source_fact_kind kind, uint64_t count);

/* Count a fact that another source found. */
void tw_source_merge_fact(struct tw_source *source, const struct tw_source_fact *fact);

bool tw_source_has_fact(const struct tw_source *source, enum tw_source_fact_kind kind);

/* A record that cannot be: stop reading for good, and say so. @return what next() returns. */
int tw_source_stop_at_bad_record(struct tw_source *source);

/*
 * Stop because no more bytes came, with so many left over: none is the proper end, some are a
 * record that was cut short, unless read() failed. @return what the format's next() returns.
 */
int tw_source_end(struct tw_source *source, size_t left_over);

/*
 * A descriptor of the file, or of standard input, which is not to be closed.
 * @return -1 with error filled.
 */
int tw_source_open_path(const char *path, struct tw_source_error *error);

/* What format->next_shown() hands out, and no frame when each has to be asked for by itself. */
unsigned tw_source_next_shown(struct tw_source *source, struct tw_frame *frames, unsigned most);

/* Compile the filter for the first link type. @return false with error filled. */
bool tw_source_check_filter(struct tw_source *source, uint32_t link_type,
                            struct tw_source_error *error);

/* Fill error. @return false, so that a caller can return it. */
G_GNUC_PRINTF(3, 4)
bool tw_source_refuse(struct tw_source_error *error, int code, const char *text, ...);
bool tw_source_refuse_read(const struct tw_source *source, struct tw_source_error *error);

extern const struct tw_format tw_format_pcap;
extern const struct tw_format tw_format_pcapng;

#endif
