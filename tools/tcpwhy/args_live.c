/* SPDX-License-Identifier: MIT */
/*
 * The options of 'live'.
 */
#include "args.h"

#include "options.h"
#include "values.h"

#define LONGEST_S 31622400 /* a year */

static bool set_time(tcpwhy_ns *to, const char *option, const char *value)
{
    return (value_time(value, to) && *to >= TCPWHY_MS(100) && *to <= TCPWHY_S(LONGEST_S)) ||
           args_wrong(option, value, "give seconds from 0.1 to a year");
}

static bool set_count(uint64_t *to, const char *value)
{
    uint32_t n;

    if (!value_count(value, 1, UINT32_MAX, &n))
        return args_wrong("count", value, "give a number of packets");
    *to = n;
    return true;
}

/* libpcap has an int for it. */
static bool set_buffer(struct tcpwhy_live_options *options, const char *value)
{
    uint64_t bytes;

    if (!value_bytes(value, 65536, INT32_MAX, &bytes))
        return args_wrong("buffer", value, "give a size from 64K to 2047M");
    options->buffer_bytes = (uint32_t)bytes;
    return true;
}

/* Options of the capture. */
static bool set_capture(struct tcpwhy_live_options *options, int code, const char *value)
{
    switch (code) {
    case OPT_SNAPLEN:
        return value_count(value, 64, 262144, &options->snap_len) ||
               args_wrong("snaplen", value, "give a number of bytes from 64 to 262144");
    case OPT_BUFFER:
        return set_buffer(options, value);
    case OPT_IMMEDIATE:
        options->immediate = true;
        return true;
    default:
        options->not_promiscuous = true;
        return true;
    }
}

bool args_set_live(struct live_args *live, int code, const char *value)
{
    switch (code) {
    case 'i':
        live->interface_name = value;
        return true;
    case OPT_FOLLOW:
        live->follow = value;
        return true;
    case OPT_USER:
        live->user = value;
        return true;
    case OPT_EVERY:
        return set_time(&live->every_ns, "every", value);
    case OPT_DURATION:
        return set_time(&live->duration_ns, "duration", value);
    case OPT_COUNT:
        return set_count(&live->count, value);
    default:
        return set_capture(&live->options, code, value);
    }
}
