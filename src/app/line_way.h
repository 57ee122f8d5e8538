/* SPDX-License-Identifier: MIT */
/*
 * One direction of a protocol of lines: its complete lines, with what is counted instead of read
 * in between. After a gap a piece is taken to begin a line; of a line that the snap length cuts the
 * start is told.
 */
#ifndef TW_APP_LINE_WAY_H
#define TW_APP_LINE_WAY_H

#include "app/lines.h"
#include "app/stream.h"

/* Zero-initialised. */
struct tw_line_way {
    struct tw_lines lines;
    int64_t from;       /* of the current line */
    int64_t literal_to; /* bytes before it are no lines; set by the receiver of a line */
};

/* A line [from, to) without its end. @return false to stop: the rest is not its protocol's. */
typedef bool (*tw_line_fn)(void *user, struct tw_bytes line, int64_t from, int64_t to);

void tw_line_way_take(struct tw_line_way *way, tw_line_fn fn, void *user,
                      const struct tw_piece *piece);

/* Both directions of a connection. */
void tw_line_ways_clear(struct tw_line_way way[2]);

/* The first word of a line, and the rest behind one blank. */
struct tw_bytes tw_line_word(struct tw_bytes *line);

/* Without regard to case. */
bool tw_line_is(struct tw_bytes word, const char *text);
bool tw_line_begins(struct tw_bytes line, const char *text);

/* Is it one of the words of a list, which are separated by blanks? */
bool tw_line_is_one_of(struct tw_bytes word, const char *list);

/* "Service not available, closing transmission channel", or control connection. */
#define TW_REPLY_CLOSING 421

/* Code of a reply as in FTP and SMTP (RFC 959, 4.2; RFC 5321, 4.2); 0: none. *last: no more lines
 * of it follow. */
uint16_t tw_line_reply(struct tw_bytes line, bool *last);

#endif
