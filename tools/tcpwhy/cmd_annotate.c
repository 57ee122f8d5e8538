/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy annotate: the capture again, with the findings as comments on its frames.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "document.h"
#include "output.h"
#include "replacement.h"

struct writing {
    const char *path;
    struct replacement to; /* opened with the first bytes, when the analysis is done */
    int error;             /* errno of what failed */
};

static bool write_file(void *user, const char *bytes, size_t len)
{
    struct writing *w = user;

    if (!w->to.file && !replacement_open(&w->to, w->path)) {
        w->error = errno;
        return false;
    }
    if (fwrite(bytes, 1, len, w->to.file) == len)
        return true;
    w->error = errno;
    return false;
}

static void print_count(struct output *output, uint64_t n, const char *one, const char *many)
{
    char text[64];

    snprintf(text, sizeof(text), "%" PRIu64 " %s", n, n == 1 ? one : many);
    output_text(output, text);
}

static void tell(const struct args *args, const struct tcpwhy_annotated *done)
{
    output_text(args->output, args->output_path);
    output_text(args->output, ": ");
    print_count(args->output, done->findings, "finding, ", "findings, ");
    print_count(args->output, done->comments, "comment on ", "comments on ");
    if (done->written < done->frames)
        print_count(args->output, done->written, "frame out of ", "frames out of ");
    print_count(args->output, done->frames, "frame\n", "frames\n");
}

static enum exit_code annotate_to_file(const struct args *args)
{
    struct tcpwhy_options options = document_options(args);
    struct writing w = { .path = args->output_path };
    struct tcpwhy_annotated done = TCPWHY_ANNOTATED_INIT;
    char error[TCPWHY_ERROR_TEXT];
    int status = tcpwhy_annotate_file(args->names[0], &options, &args->annotate, write_file, &w,
                                      &done, error, sizeof error);

    if (w.to.file && !replacement_close(&w.to, status == 0) && w.error == 0)
        w.error = errno;
    if (w.error != 0)
        complain("%s: %s", args->output_path, strerror(w.error));
    else if (status < 0)
        document_complain(error);
    if (w.error != 0 || status < 0)
        return EXIT_CANNOT;
    tell(args, &done);
    return EXIT_DONE;
}

static enum exit_code annotate_to_stdout(const struct args *args)
{
    struct tcpwhy_options options = document_options(args);
    char error[TCPWHY_ERROR_TEXT];
    int status = tcpwhy_annotate_file(args->names[0], &options, &args->annotate, output_write,
                                      args->output, NULL, error, sizeof error);

    if (status == 0 || status == TCPWHY_ERR_STOPPED)
        return EXIT_DONE; /* failed output is reported at the end */
    document_complain(error);
    return EXIT_CANNOT;
}

static enum exit_code run(const struct args *args)
{
    bool to_stdout = args->output_path && strcmp(args->output_path, "-") == 0;

    if (!args->output_path) {
        complain("annotate: give the output file with -o FILE ('-' is standard output)");
        return EXIT_USAGE;
    }
    if (args->annotate.around > 0 && !args->annotate.evidence) {
        complain("--around: without --evidence every frame is written");
        return EXIT_USAGE;
    }
    if (to_stdout && isatty(STDOUT_FILENO)) {
        complain("standard output: not writing a capture to a terminal: give a file with -o FILE");
        return EXIT_USAGE;
    }
    args->output->path = NULL; /* what is said of it does not go into it */
    return to_stdout ? annotate_to_stdout(args) : annotate_to_file(args);
}

const struct command command_annotate = {
    .name = "annotate",
    .synopsis = "annotate [OPTION...] -o OUT.pcapng CAPTURE",
    .summary = "copy of the capture with the findings as comments for Wireshark",
    .about = "Writes the capture as pcapng with a comment on each frame that proves a finding, and "
             "the\ndiagnosis as the file comment. Everything else is unchanged. Wireshark shows "
             "the comments;\nthe display filter  frame.comment contains \"tcpwhy\"  finds "
             "them.\nWith --evidence the file holds only the start of each stream with findings "
             "and the frames\naround the proof: small enough to send by mail.",
    .examples = "  tcpwhy annotate slow.pcap -o slow.pcapng\n"
                "  tcpwhy annotate --evidence big.pcap.zst -o proof.pcapng\n"
                "  tcpwhy annotate --evidence --around 100 -s 4 slow.pcap -o proof.pcapng\n"
                "  tshark -r slow.pcapng -Y 'frame.comment contains \"zero_window\"'\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_ANNOTATE,
    .max_captures = 1,
    .run = run,
};
