/* SPDX-License-Identifier: MIT */
/*
 * The command line, understood: which command, which captures, how to answer.
 */
#ifndef ARGS_H
#define ARGS_H

#include <tcpwhy/tcpwhy.h>

#include "gate.h"

struct command;
struct output;

/* The library's, and two of followed streams. */
enum format {
    FORMAT_TEXT = TCPWHY_FORMAT_TEXT,
    FORMAT_JSON = TCPWHY_FORMAT_JSON,
    FORMAT_NDJSON = TCPWHY_FORMAT_NDJSON,
    FORMAT_CSV = TCPWHY_FORMAT_CSV,
    FORMAT_HTML = TCPWHY_FORMAT_HTML,
    FORMAT_SVG = TCPWHY_FORMAT_SVG,
    FORMAT_FOLDED = TCPWHY_FORMAT_FOLDED,
    FORMAT_XPLOT = TCPWHY_FORMAT_XPLOT,
    FORMAT_SCRIPT = TCPWHY_FORMAT_SCRIPT,
    FORMAT_HAR = TCPWHY_FORMAT_HAR,
    FORMAT_RAW,
    FORMAT_HEX
};

/* Options that a command takes, beside -f, -s, --color, --ascii, --width and --help. */
#define ACCEPT_STREAMS   0x001u /* -s */
#define ACCEPT_JSON      0x002u
#define ACCEPT_NDJSON    0x004u
#define ACCEPT_CSV       0x008u
#define ACCEPT_BYTES     0x010u /* --raw, --hex */
#define ACCEPT_FLOW      0x020u /* --frames, --whole, --unfold, --rows, --only ... */
#define ACCEPT_FAIL_ON   0x040u
#define ACCEPT_SVG       0x080u
#define ACCEPT_SIDE      0x100u
#define ACCEPT_RANGE     0x200u /* --from, --to */
#define ACCEPT_GRAPH     0x400u /* --xplot */
#define ACCEPT_OUTPUT    0x800u
#define ACCEPT_INTERVAL  0x1000u
#define ACCEPT_FOLDED    0x2000u
#define ACCEPT_PLAIN     0x4000u  /* --decrypted */
#define ACCEPT_ANNOTATE  0x10000u /* --evidence, --around, --waits */
#define ACCEPT_TIMEOUT   0x40000u
#define ACCEPT_LIVE      0x20000u /* where packets come from and for how long; no capture is named */
#define ACCEPT_WATERFALL 0x4000000u /* --waterfall, --har */
#define ACCEPT_LINK      0x8000u    /* --link */

#define ACCEPT_KEYS   0x100000u   /* --keys, --values */
#define ACCEPT_SELECT 0x80000000u /* --protocol, --operation, --status, --operations */
#define ACCEPT_SCRIPT 0x80000u    /* --script */
#define ACCEPT_QUERY  0x8000000u  /* --date, --cause */
#define ACCEPT_WHY    0x200000u   /* --why */
#define ACCEPT_HTML   0x400000u   /* --html */
#define ACCEPT_SLOWER 0x1000000u  /* --slower */
#define ACCEPT_TEXT   0x800000u   /* --text */
#define ACCEPT_FILTER 0x10000000u /* -f */
#define ACCEPT_MOST   0x2000000u  /* --limit */
#define ACCEPT_BATCH  0x20000000u
#define ACCEPT_LIMITS 0x40000000u /* --memory, --threads */
/* It reads a capture. */
#define ACCEPT_CAPTURE                                                                             \
    (ACCEPT_STREAMS | ACCEPT_FILTER | ACCEPT_LIMITS | ACCEPT_TIMEOUT | ACCEPT_KEYS)

#define MAX_FAIL_ON 32

/* The packets that 'live' captures, and for how long. */
struct live_args {
    const char *interface_name, *follow; /* one of them */
    const char *user;                    /* to become; NULL: whoever is fit */
    struct tcpwhy_live_options options;
    tcpwhy_ns every_ns, duration_ns; /* 0: never, for ever */
    uint64_t count;                  /* packets; 0: no limit */
};

/* The files that a batch reads, and how. */
struct batch_options {
    const char *files_from, *glob, *newer;
    bool resume, chain, no_chain, pictures;
};

/* Parameters of a question. */
struct query_options {
    const char *date, *cause;
};

struct args {
    const struct command *command;
    bool wants_help, wants_version, wants_width;
    char **names; /* captures, or what else the command takes */
    int n_names;
    enum format format;
    bool format_given; /* by an option */
    const char *filter, *streams;
    bool decrypted;   /* what TLS carried */
    bool values;      /* requests show them */
    bool numeric;     /* -n */
    char *keys;       /* text of the key log, or NULL; owned */
    const char *side; /* "client", "server", or NULL: both */
    const char *color;
    const char *output_path; /* NULL: standard output */
    tcpwhy_ns interval_ns;
    struct tcpwhy_annotate_options annotate;
    struct live_args live;
    struct gate fail_on[MAX_FAIL_ON];
    int n_fail_on;
    struct tcpwhy_render_options render;
    struct tcpwhy_flow_options flow;
    const char *show; /* BPF of rows, or NULL */
    struct batch_options batch;
    struct query_options query;
    uint32_t limit; /* rows; 0: not given */
    bool waterfall;
    bool why;
    uint32_t why_frame;    /* 0: not given */
    uint64_t memory_bytes; /* 0: not given */
    uint64_t unpack_bytes; /* 0: no limit */
    uint32_t threads;      /* likewise */
    tcpwhy_ns timeout_ns;  /* likewise */
    struct output *output;
};

/* @return false when the line makes no sense; what is wrong has been said on stderr. */
bool args_parse(struct args *args, int argc, char **argv);

/* Are requests selected or grouped (ACCEPT_SELECT)? */
bool args_want_operations(const struct args *args);

/* Say that an option's value makes no sense. @return false. */
bool args_wrong(const char *option, const char *value, const char *what);

/* Take an option of 'live'. @return false when its value makes no sense, which has been said. */
bool args_set_live(struct live_args *live, int code, const char *value);

#endif
