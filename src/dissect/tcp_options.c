/* SPDX-License-Identifier: MIT */
/*
 * TCP options (RFC 9293 section 3.1). An option with a wrong length for its kind is skipped, as
 * hosts do; one that exceeds the header ends parsing.
 */
#include "dissect/tcp_options.h"

#define END            0
#define NO_OPERATION   1
#define MSS            2
#define WINDOW_SCALE   3
#define SACK_PERMITTED 4
#define SACK           5
#define TIMESTAMP      8
#define MD5            19
#define AO             29
#define MPTCP          30
#define FAST_OPEN      34
#define EXPERIMENT_1   253
#define EXPERIMENT_2   254

/* RFC 7413 section 4.1.1: experimental TCP Fast Open option. */
#define EXPERIMENT_FAST_OPEN 0xf989

/* NOP, NOP, timestamp: the options of most segments. */
#define ALIGNED_TIMESTAMP 0x0101080au

static void take_sack(struct tw_bytes option, struct tw_segment *s)
{
    s->options |= TW_OPT_SACK;
    for (size_t at = 2; at + 8 <= option.len && s->n_sack < TW_MAX_SACK; at += 8) {
        s->sack[s->n_sack][0] = tw_be32(option, at);
        s->sack[s->n_sack][1] = tw_be32(option, at + 4);
        s->n_sack++;
    }
}

static void take_timestamp(struct tw_bytes option, struct tw_segment *s)
{
    s->options |= TW_OPT_TIMESTAMP;
    s->tsval = tw_be32(option, 2);
    s->tsecr = tw_be32(option, 6);
}

/* Lengths allowed by the RFCs. */
static bool length_fits(uint8_t kind, size_t len)
{
    switch (kind) {
    case MSS:
        return len == 4;
    case WINDOW_SCALE:
        return len == 3;
    case SACK_PERMITTED:
        return len == 2;
    case SACK:
        return (len - 2) % 8 == 0;
    case TIMESTAMP:
        return len == 10;
    case MD5:
        return len == 18;
    default:
        return true;
    }
}

static void take(struct tw_bytes option, struct tw_segment *s)
{
    switch (tw_u8(option, 0)) {
    case MSS:
        s->options |= TW_OPT_MSS;
        s->mss = tw_be16(option, 2);
        break;
    case WINDOW_SCALE:
        s->options |= TW_OPT_WSCALE;
        s->wscale = tw_u8(option, 2);
        break;
    case SACK_PERMITTED:
        s->options |= TW_OPT_SACK_PERMITTED;
        break;
    case SACK:
        take_sack(option, s);
        break;
    case TIMESTAMP:
        take_timestamp(option, s);
        break;
    case FAST_OPEN:
        s->options |= TW_OPT_FAST_OPEN;
        break;
    case EXPERIMENT_1:
    case EXPERIMENT_2:
        if (option.len >= 4 && tw_be16(option, 2) == EXPERIMENT_FAST_OPEN)
            s->options |= TW_OPT_FAST_OPEN;
        break;
    case MD5:
        s->options |= TW_OPT_MD5;
        break;
    case AO:
        s->options |= TW_OPT_AO;
        break;
    case MPTCP:
        s->options |= TW_OPT_MPTCP;
        break;
    default:
        break;
    }
}

void tw_tcp_options(struct tw_bytes options, struct tw_segment *s)
{
    size_t at = 0;

    if (options.len == 12 && tw_be32(options, 0) == ALIGNED_TIMESTAMP) {
        take_timestamp(tw_bytes_from(options, 2), s);
        return;
    }
    while (at < options.len) {
        uint8_t kind = tw_u8(options, at);

        if (kind == END)
            return;
        if (kind == NO_OPERATION) {
            at++;
            continue;
        }

        uint8_t len = tw_u8(options, at + 1);

        if (len < 2 || !tw_bytes_has(options, at, len)) {
            /* At the end of a truncated header the length may be right. */
            if (!(s->facts & TW_SEG_HEADER_CUT))
                s->options |= TW_OPT_BAD;
            else if (kind == SACK && length_fits(kind, len))
                take_sack(tw_bytes_from(options, at), s);
            return;
        }
        if (length_fits(kind, len))
            take(tw_bytes_first(tw_bytes_from(options, at), len), s);
        else
            s->options |= TW_OPT_BAD;
        at += len;
    }
}
