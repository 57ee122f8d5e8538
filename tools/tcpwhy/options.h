/* SPDX-License-Identifier: MIT */
/*
 * Every option of every command, once: for parsing and for help.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

/* Values of getopt_long(); a printable one is the short option too. */
enum option_code {
    OPT_JSON = 256,
    OPT_NDJSON,
    OPT_CSV,
    OPT_SCRIPT,
    OPT_SVG,
    OPT_XPLOT,
    OPT_FOLDED,
    OPT_HAR,
    OPT_RAW,
    OPT_HEX,
    OPT_TEXT,
    OPT_SIDE,
    OPT_DECRYPTED,
    OPT_FROM,
    OPT_TO,
    OPT_FRAMES,
    OPT_WHOLE,
    OPT_UNFOLD,
    OPT_TOGETHER,
    OPT_ROWS,
    OPT_ONLY,
    OPT_NO_ACKS,
    OPT_SHOW,
    OPT_VALUES,
    OPT_PROTOCOL,
    OPT_OPERATION,
    OPT_STATUS,
    OPT_OPERATIONS,
    OPT_SLOWER,
    OPT_WATERFALL,
    OPT_LINK,
    OPT_INTERVAL,
    OPT_EVIDENCE,
    OPT_AROUND,
    OPT_FINDINGS,
    OPT_WAITS,
    OPT_FOLLOW,
    OPT_EVERY,
    OPT_DURATION,
    OPT_COUNT,
    OPT_SNAPLEN,
    OPT_BUFFER,
    OPT_IMMEDIATE,
    OPT_NO_PROMISCUOUS,
    OPT_USER,
    OPT_FAIL_ON,
    OPT_WHY,
    OPT_HTML,
    OPT_DATE,
    OPT_CAUSE,
    OPT_LIMIT,
    OPT_PICTURES,
    OPT_RESUME,
    OPT_CHAIN,
    OPT_NO_CHAIN,
    OPT_NEWER,
    OPT_GLOB,
    OPT_FILES_FROM,
    OPT_MEMORY,
    OPT_UNPACK_LIMIT,
    OPT_THREADS,
    OPT_KEYS,
    OPT_TIMEOUT,
    OPT_COLOR,
    OPT_ASCII,
    OPT_WIDTH,
    OPT_VERSION,
};

struct option_row {
    int code;
    const char *name;
    const char
        *argument; /* NULL: takes none; "[NAME]": may be left out, and is given as --name=NAME */
    const char *help;
    unsigned accepts; /* the ACCEPT_* bit a command must have; 0: every command takes it */
};

/* May its argument be left out? */
static inline bool option_argument_is_optional(const struct option_row *row)
{
    return row->argument && row->argument[0] == '[';
}

/* Ended by a row without a name. */
#define MAX_OPTIONS 96
extern const struct option_row options_table[];

#endif
