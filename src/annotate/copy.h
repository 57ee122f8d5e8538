/* SPDX-License-Identifier: MIT */
/*
 * Copies a capture as pcapng with comments: blocks of a pcapng file are unchanged, frames of a pcap
 * file become enhanced packet blocks.
 */
#ifndef TW_ANNOTATE_COPY_H
#define TW_ANNOTATE_COPY_H

#include <tcpwhy/annotate.h>

#include "annotate/excerpt.h"
#include "annotate/notes.h"
#include "source/source.h"

struct tw_copy {
    const struct tw_notes *notes;
    const struct tw_excerpt *excerpt; /* NULL: every frame */
    const char *summary;              /* comment of the first section */
    tcpwhy_write_fn write;
    void *user;
};

/*
 * Copy fd from its current offset to the end. done counts frames and comments. @return 0,
 * TCPWHY_ERR_STOPPED if write stopped it, or another TCPWHY_ERR_ with why filled.
 */
int tw_copy_run(const struct tw_copy *copy, int fd, struct tcpwhy_annotated *done,
                struct tw_source_error *why);

#endif
