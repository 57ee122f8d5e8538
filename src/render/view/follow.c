/* SPDX-License-Identifier: MIT */
/*
 * A followed stream to bytes. Raw and hex are tshark 4.0's layout to the byte: sender by
 * indentation, "Node 0" on the left.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "base/memory.h"
#include "base/short_text.h"
#include "base/options.h"

#define RULE "===================================================================\n"

/* Bytes that become text at once. */
#define PART 2048

/* Bytes on a line of hex. */
#define ROW 16

struct out {
    tcpwhy_write_fn write;
    void *user;
    bool stopped;
};

struct tcpwhy_follow {
    struct tcpwhy_follow_options options;
    struct tcpwhy_endpoint endpoint[2];
    struct out out;
    bool begun, chunks;
    bool busy;              /* inside a call that may call back */
    enum tcpwhy_side node0; /* whom tshark calls so */
    uint64_t offset[2];
};

static void put(struct out *out, const char *text, size_t len)
{
    if (!out->stopped && len > 0 && !out->write(out->user, text, len))
        out->stopped = true;
}

static void put_text(struct out *out, const char *text)
{
    put(out, text, strlen(text));
}

G_GNUC_PRINTF(2, 3)
static void put_format(struct out *out, const char *format, ...)
{
    char text[256];
    va_list args;
    int n;

    va_start(args, format);
    n = g_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put(out, text, MIN((size_t)n, sizeof text - 1));
}

static const char *side_name(enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? "client" : "server";
}

static enum tcpwhy_side other(enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
}

/* Without payload tshark prints an empty address and port 0. */
static void put_node(struct out *out, const struct tcpwhy_follow *view, int node)
{
    const struct tcpwhy_endpoint *e = &view->endpoint[node ? other(view->node0) : view->node0];
    const char *form = !view->begun      ? "Node %d: :0\n"
                       : e->port > 0     ? "Node %d: %s\n"
                       : e->version == 6 ? "Node %d: [%s]:0\n"
                                         : "Node %d: %s:0\n";

    put_format(out, form, node, tw_endpoint(e).text);
}

static void put_head(struct out *out, const struct tcpwhy_follow *view)
{
    const struct tw_short_text client = tw_endpoint(&view->endpoint[TCPWHY_CLIENT]);
    const struct tw_short_text server = tw_endpoint(&view->endpoint[TCPWHY_SERVER]);

    switch (view->options.format) {
    case TCPWHY_FOLLOW_RAW:
    case TCPWHY_FOLLOW_HEX:
        put_format(out, "\n" RULE "Follow: tcp,%s\nFilter: tcp.stream eq %" PRIu32 "\n",
                   view->options.format == TCPWHY_FOLLOW_RAW ? "raw" : "hex", view->options.stream);
        put_node(out, view, 0);
        put_node(out, view, 1);
        break;
    case TCPWHY_FOLLOW_TEXT:
        put_format(out, "stream %" PRIu32 ": client %s, server %s\n", view->options.stream,
                   client.text, server.text);
        break;
    case TCPWHY_FOLLOW_JSON:
        put_format(out,
                   "{\"schema\":\"tcpwhy/1\",\"command\":\"follow\",\"follow\":{\"stream\":%" PRIu32
                   ",\"client\":\"%s\",\"server\":\"%s\",\"chunks\":[",
                   view->options.stream, client.text, server.text);
        break;
    }
}

static void put_hex_digits(struct out *out, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * PART];

    for (size_t at = 0; at < len; at += PART) {
        size_t n = MIN(len - at, PART);

        for (size_t i = 0; i < n; i++) {
            text[2 * i] = digits[bytes[at + i] >> 4];
            text[2 * i + 1] = digits[bytes[at + i] & 15];
        }
        put(out, text, 2 * n);
    }
}

static char printable(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x7f ? (char)byte : '.';
}

/* "00000010  48 54 54 50 2f 31 2e 31  20 32 30 30 20 4f 4b 0d  HTTP/1.1  200 OK." */
static void put_row(struct out *out, uint64_t offset, const uint8_t *bytes, size_t len)
{
    char digits[3 * ROW + 3], text[ROW + 2];
    size_t d = 0, t = 0;

    for (size_t i = 0; i < ROW; i++) {
        if (i == ROW / 2) {
            digits[d++] = ' ';
            if (i <= len)
                text[t++] = ' ';
        }
        if (i < len) {
            g_snprintf(digits + d, 4, "%02x ", bytes[i]);
            text[t++] = printable(bytes[i]);
        } else {
            memcpy(digits + d, "   ", 3);
        }
        d += 3;
    }
    /* tshark takes one blank off the end of a line, be it its own or the data's. */
    if (t > 0 && text[t - 1] == ' ')
        t--;
    put_format(out, "%08" PRIX64 "  %.*s %.*s\n", offset, (int)d, digits, (int)t, text);
}

static void put_rows(struct out *out, struct tcpwhy_follow *view, enum tcpwhy_side from,
                     const uint8_t *bytes, size_t len)
{
    for (size_t at = 0; at < len; at += ROW) {
        size_t n = MIN(len - at, ROW);

        if (from != view->node0)
            put_text(out, "\t");
        put_row(out, view->offset[from], bytes + at, n);
        view->offset[from] += n;
    }
}

/* Lines and tabs as they are, everything else that a terminal might obey as a dot. */
static void put_printable(struct out *out, const uint8_t *bytes, size_t len)
{
    char text[PART];

    for (size_t at = 0; at < len; at += PART) {
        size_t n = MIN(len - at, PART), kept = 0;

        for (size_t i = 0; i < n; i++) {
            uint8_t byte = bytes[at + i];

            if (byte == '\n' || byte == '\t')
                text[kept++] = (char)byte;
            else if (byte != '\r')
                text[kept++] = printable(byte);
        }
        put(out, text, kept);
    }
    if (bytes[len - 1] != '\n')
        put_text(out, "\n");
}

static void put_chunk(struct out *out, struct tcpwhy_follow *view, enum tcpwhy_side from,
                      uint32_t frame, const uint8_t *bytes, size_t len)
{
    switch (view->options.format) {
    case TCPWHY_FOLLOW_RAW:
        if (from != view->node0)
            put_text(out, "\t");
        put_hex_digits(out, bytes, len);
        put_text(out, "\n");
        break;
    case TCPWHY_FOLLOW_HEX:
        put_rows(out, view, from, bytes, len);
        break;
    case TCPWHY_FOLLOW_TEXT:
        put_format(out, "--- %s, frame %" PRIu32 ", %zu bytes\n", side_name(from), frame, len);
        put_printable(out, bytes, len);
        break;
    case TCPWHY_FOLLOW_JSON:
        put_format(out, "%s\n{\"from\":\"%s\",\"frame\":%" PRIu32 ",\"bytes\":\"",
                   view->chunks ? "," : "", side_name(from), frame);
        put_hex_digits(out, bytes, len);
        put_text(out, "\"}");
        break;
    }
    view->chunks = true;
}

/* Can a function be called for it? Not from within its own callback. */
static bool is_ready(const tcpwhy_follow *follow)
{
    return follow && !follow->busy;
}

int tcpwhy_follow_new(const struct tcpwhy_follow_options *given, tcpwhy_write_fn write, void *user,
                      tcpwhy_follow **out)
{
    struct tcpwhy_follow_options options;
    struct tw_guard guard;

    if (!write || !out)
        return TCPWHY_ERR_USAGE;
    if (!tw_options_copy(&options, sizeof options, given) ||
        (unsigned)options.format > TCPWHY_FOLLOW_JSON)
        return TCPWHY_ERR_ARGUMENT;
    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    *out = tw_new0(struct tcpwhy_follow, 1);
    tw_call_end(&guard);
    (*out)->options = options;
    (*out)->out = (struct out) { .write = write, .user = user };
    return 0;
}

int tcpwhy_follow_ends(tcpwhy_follow *follow, const struct tcpwhy_endpoint *client,
                       const struct tcpwhy_endpoint *server)
{
    if (!is_ready(follow) || !client || !server)
        return TCPWHY_ERR_USAGE;
    follow->endpoint[TCPWHY_CLIENT] = *client;
    follow->endpoint[TCPWHY_SERVER] = *server;
    return 0;
}

int tcpwhy_follow_bytes(tcpwhy_follow *follow, enum tcpwhy_side from, uint32_t frame,
                        const uint8_t *bytes, size_t len)
{
    struct out *out;

    if (!is_ready(follow) || (!bytes && len > 0))
        return TCPWHY_ERR_USAGE;
    if ((unsigned)from > TCPWHY_SERVER)
        return TCPWHY_ERR_ARGUMENT;
    out = &follow->out;
    follow->busy = true;
    if (!follow->begun) {
        follow->begun = true;
        follow->node0 = from;
        put_head(out, follow);
    }
    if (len > 0 && !follow->options.hide[from])
        put_chunk(out, follow, from, frame, bytes, len);
    follow->busy = false;
    return out->stopped ? TCPWHY_ERR_STOPPED : 0;
}

int tcpwhy_follow_end(tcpwhy_follow *follow)
{
    struct out *out;

    if (!is_ready(follow))
        return TCPWHY_ERR_USAGE;
    out = &follow->out;
    follow->busy = true;
    if (!follow->begun)
        put_head(out, follow);
    if (follow->options.format == TCPWHY_FOLLOW_JSON)
        put_text(out, follow->chunks ? "\n]}}\n" : "]}}\n");
    else if (follow->options.format != TCPWHY_FOLLOW_TEXT)
        put_text(out, RULE);
    follow->busy = false;
    return out->stopped ? TCPWHY_ERR_STOPPED : 0;
}

int tcpwhy_follow_free(tcpwhy_follow *follow)
{
    if (follow && follow->busy)
        return TCPWHY_ERR_USAGE;
    tw_free(follow);
    return 0;
}
