/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy follow: the bytes of a stream, in order, written while the capture is read.
 */
#include <string.h>

#include "complain.h"
#include "document.h"
#include "output.h"
#include "values.h"

struct following {
    struct tcpwhy_follow_options options;
    tcpwhy_follow *view;
    bool begun; /* the stream is there */
    bool spoke; /* it has bytes */
};

/* The first frame of the stream shows which side is the client. */
static bool note_ends(void *user, const struct tcpwhy_segment *segment)
{
    struct following *f = user;
    bool client = segment->from == TCPWHY_CLIENT;

    if (!f->begun)
        tcpwhy_follow_ends(f->view, client ? &segment->source : &segment->destination,
                           client ? &segment->destination : &segment->source);
    f->begun = true;
    return true;
}

static bool take_bytes(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                       const uint8_t *bytes, size_t len)
{
    struct following *f = user;

    (void)stream;
    f->spoke |= len > 0;
    return tcpwhy_follow_bytes(f->view, from, frame, bytes, len) == 0;
}

static enum tcpwhy_follow_format format_of(enum format format)
{
    switch (format) {
    case FORMAT_RAW:
        return TCPWHY_FOLLOW_RAW;
    case FORMAT_HEX:
        return TCPWHY_FOLLOW_HEX;
    case FORMAT_JSON:
        return TCPWHY_FOLLOW_JSON;
    default:
        return TCPWHY_FOLLOW_TEXT;
    }
}

/* For a missing stream tshark prints an empty frame, and so do its imitations. */
static bool as_tshark(enum format format)
{
    return format == FORMAT_RAW || format == FORMAT_HEX;
}

static enum exit_code end(const struct args *args, struct following *f, const tcpwhy_report *report)
{
    if (args->decrypted && f->begun && !f->spoke) {
        complain("%s: nothing of stream %s is decrypted: it is not TLS, or its keys are not in the "
                 "capture or in --keys",
                 args->names[0], args->streams);
        return EXIT_CANNOT;
    }
    if (!f->begun && !as_tshark(args->format)) {
        complain("%s: no stream %s; 'tcpwhy streams' lists them", args->names[0], args->streams);
        return EXIT_CANNOT;
    }
    tcpwhy_follow_end(f->view);
    if (f->options.format == TCPWHY_FOLLOW_TEXT)
        document_names(args, report, UINT32_MAX);
    return EXIT_DONE;
}

static enum exit_code follow(const struct args *args, struct following *f)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = document_options(args);
    tcpwhy_report *report;
    enum exit_code code;

    callbacks.on_segment = note_ends;
    callbacks.on_follow = take_bytes;
    options.follow_decrypted = args->decrypted;
    callbacks.user = f;
    options.callbacks = &callbacks;
    report = document_read(args, &options, &code);
    if (!report)
        return code;
    code = end(args, f, report);
    tcpwhy_report_free(report);
    return code;
}

static enum exit_code run(const struct args *args)
{
    struct following f = { .options = TCPWHY_FOLLOW_INIT };
    enum exit_code code;

    f.options.format = format_of(args->format);
    if (!args->streams || !value_count(args->streams, 0, UINT32_MAX, &f.options.stream)) {
        complain("follow: give one stream with -s N; 'tcpwhy streams' lists them");
        return EXIT_USAGE;
    }
    if (args->side)
        f.options.hide[strcmp(args->side, "client") == 0 ? TCPWHY_SERVER : TCPWHY_CLIENT] = true;
    check_memory(tcpwhy_follow_new(&f.options, output_write, args->output, &f.view));
    code = follow(args, &f);
    tcpwhy_follow_free(f.view);
    return code;
}

const struct command command_follow = {
    .name = "follow",
    .synopsis = "follow [OPTION...] -s N CAPTURE",
    .summary = "the payload of a stream, in order, by side",
    .about =
        "Prints the payload of both sides of a connection, in order and without retransmissions: "
        "as\ntext, as a hex dump, or byte for byte like tshark -q -z follow,tcp,raw,N.",
    .examples = "  tcpwhy follow -s 4 slow.pcap              both sides as text\n"
                "  tcpwhy follow -s 4 --side server slow.pcap\n"
                "                                            only what the server sent\n"
                "  tcpwhy follow -s 4 --hex slow.pcap | less\n"
                "  tcpwhy follow -s 4 --decrypted --keys keys.log slow.pcap\n"
                "                                            the decrypted data of TLS\n"
                "  tcpwhy follow -s 4 --raw slow.pcap        for scripts written for tshark\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_BYTES | ACCEPT_TEXT | ACCEPT_OUTPUT |
               ACCEPT_SIDE | ACCEPT_PLAIN,
    .max_captures = 1,
    .run = run,
};
