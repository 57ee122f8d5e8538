/* SPDX-License-Identifier: MIT */
/*
 * Options, one table for parsing and for help. The first name that is a command's is the command;
 * the others are captures ("./streams" is a capture of that name).
 */
#include "args.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "complain.h"
#include "command.h"
#include "completion.h"
#include "nearest.h"
#include "options.h"
#include "values.h"

/* Less does not hold one connection's records; more is no machine's. */
#define MIN_MEMORY   (UINT64_C(16) << 20)
#define MAX_MEMORY   (UINT64_C(1) << 50)
#define MAX_UNPACKED (UINT64_C(1) << 62)

bool args_wrong(const char *option, const char *value, const char *what)
{
    complain("--%s %s: %s", option, value, what);
    return false;
}

static bool set_color(struct args *args, const char *value)
{
    if (strcmp(value, "auto") != 0 && strcmp(value, "always") != 0 && strcmp(value, "never") != 0)
        return args_wrong("color", value, "give auto, always or never");
    args->color = value;
    return true;
}

static bool set_side(struct args *args, const char *value)
{
    if (strcmp(value, "client") != 0 && strcmp(value, "server") != 0)
        return args_wrong("side", value, "give client or server");
    args->side = value;
    return true;
}

/* As the library bounds it. */
static bool set_interval(struct args *args, const char *value)
{
    if (!value_time(value, &args->interval_ns) || args->interval_ns < TCPWHY_MS(1) ||
        args->interval_ns > TCPWHY_S(86400))
        return args_wrong("interval", value, "give seconds from 1ms to 86400");
    return true;
}

/* @return false */
static bool no_such_gate(const char *value)
{
    g_autofree char *name = g_strndup(value, strcspn(value, ":"));
    g_autofree char *names = completion_pages();
    g_autofree char *meant = nearest(name, names);
    g_autofree char *what =
        g_strdup_printf("give CAUSE, CAUSE:MS, CAUSE:N%%, CAUSE:Nx, FAILURE, FAILURE:Nx or "
                        "p99:TIME%s; 'tcpwhy causes' lists the causes with findings",
                        meant);

    return args_wrong("fail-on", value, what);
}

static bool set_fail_on(struct args *args, const char *value)
{
    if (args->n_fail_on == MAX_FAIL_ON)
        return args_wrong("fail-on", value, "too many values");
    if (!gate_read(value, &args->fail_on[args->n_fail_on]))
        return no_such_gate(value);
    args->n_fail_on++;
    return true;
}

static bool set_why(struct args *args, const char *frame)
{
    args->why = true;
    return !frame || value_count(frame, 1, UINT32_MAX, &args->why_frame) ||
           args_wrong("why", frame, "give a frame number, as --why=FRAME");
}

/* Options that choose the form of the answer. */
static const struct {
    int code;
    enum format format;
} formats[] = { { OPT_JSON, FORMAT_JSON },     { OPT_NDJSON, FORMAT_NDJSON },
                { OPT_CSV, FORMAT_CSV },       { OPT_RAW, FORMAT_RAW },
                { OPT_HEX, FORMAT_HEX },       { OPT_TEXT, FORMAT_TEXT },
                { OPT_SVG, FORMAT_SVG },       { OPT_XPLOT, FORMAT_XPLOT },
                { OPT_FOLDED, FORMAT_FOLDED }, { OPT_HTML, FORMAT_HTML },
                { OPT_SCRIPT, FORMAT_SCRIPT }, { OPT_HAR, FORMAT_HAR } };

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

static bool set_format(struct args *args, int code)
{
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (formats[i].code == code) {
            args->format = formats[i].format;
            return true;
        }
    }
    return false;
}

static bool set_only(struct args *args, const char *value)
{
    static const struct {
        const char *name;
        enum tcpwhy_flow_only only;
    } kinds[] = { { "data", TCPWHY_FLOW_DATA },
                  { "repair", TCPWHY_FLOW_REPAIR },
                  { "control", TCPWHY_FLOW_CONTROL },
                  { "acks", TCPWHY_FLOW_ACKS } };

    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strcmp(value, kinds[i].name) == 0) {
            args->flow.only = kinds[i].only;
            return true;
        }
    }
    return args_wrong("only", value, "give data, repair, control or acks");
}

static bool set_flow(struct args *args, int code, const char *value)
{
    struct tcpwhy_flow_options *flow = &args->flow;

    switch (code) {
    case OPT_FROM:
        return value_time(value, &flow->from_ns) ||
               args_wrong("from", value, "give seconds, such as 12.5 or 900ms");
    case OPT_TO:
        return value_time(value, &flow->to_ns) ||
               args_wrong("to", value, "give seconds, such as 12.5 or 900ms");
    case OPT_FRAMES:
        return value_range(value, &flow->first_frame, &flow->last_frame) ||
               args_wrong("frames", value, "give N, N-M, N- or -M");
    case OPT_ROWS:
        return value_count(value, 1, 1000000, &flow->max_rows) ||
               args_wrong("rows", value, "give a number from 1 to 1000000");
    case OPT_ONLY:
        return set_only(args, value);
    case OPT_NO_ACKS:
        flow->no_acks = true;
        return true;
    case OPT_SHOW:
        args->show = value;
        return true;
    case OPT_WHOLE:
        flow->whole = true;
        return true;
    case OPT_TOGETHER:
        flow->together = true;
        return true;
    default:
        flow->unfold = true;
        return true;
    }
}

static bool set_limits(struct args *args, int code, const char *value)
{
    if (code == OPT_TIMEOUT)
        return (value_time(value, &args->timeout_ns) && args->timeout_ns >= TCPWHY_MS(1)) ||
               args_wrong("timeout", value, "give seconds, such as 60 or 0.5");
    if (code == OPT_THREADS)
        return value_count(value, 1, 1024, &args->threads) ||
               args_wrong("threads", value, "give a number from 1 to 1024");
    if (code == OPT_UNPACK_LIMIT)
        return value_bytes(value, 1, MAX_UNPACKED, &args->unpack_bytes) ||
               args_wrong("unpack-limit", value, "give a size such as 500M or 10G");
    return value_bytes(value, MIN_MEMORY, MAX_MEMORY, &args->memory_bytes) ||
           args_wrong("memory", value, "give a size of at least 16M, such as 800M or 4G");
}

static bool set_batch(struct args *args, int code, const char *value)
{
    struct batch_options *batch = &args->batch;

    switch (code) {
    case OPT_FILES_FROM:
        batch->files_from = value;
        return true;
    case OPT_GLOB:
        batch->glob = value;
        return true;
    case OPT_NEWER:
        batch->newer = value;
        return true;
    case OPT_PICTURES:
        batch->pictures = true;
        return true;
    case OPT_RESUME:
        batch->resume = true;
        return true;
    case OPT_CHAIN:
        batch->chain = true;
        return true;
    default:
        batch->no_chain = true;
        return true;
    }
}

static bool set_query(struct args *args, int code, const char *value)
{
    enum tcpwhy_cause cause;

    switch (code) {
    case OPT_LIMIT:
        return value_count(value, 1, UINT32_MAX, &args->limit) ||
               args_wrong("limit", value, "give a number of rows");
    case OPT_CAUSE:
        args->query.cause = value;
        return tcpwhy_cause_by_name(value, &cause) ||
               args_wrong("cause", value, "'tcpwhy causes' lists the causes");
    default:
        args->query.date = value;
        return true;
    }
}

static bool set_annotate(struct args *args, int code, const char *value)
{
    switch (code) {
    case OPT_AROUND:
        return value_count(value, 1, 100000, &args->annotate.around) ||
               args_wrong("around", value, "give a number of frames from 1 to 100000");
    case OPT_FINDINGS:
        return value_count(value, 1, 100000, &args->annotate.findings) ||
               args_wrong("findings", value, "give a number from 1 to 100000");
    case OPT_WAITS:
        return value_count(value, 1, 100000, &args->annotate.waits) ||
               args_wrong("waits", value, "give a number from 1 to 100000");
    default:
        args->annotate.evidence = true;
        return true;
    }
}

/* Read before the command locks itself in. */
static bool set_keys(struct args *args, const char *value)
{
    g_free(args->keys);
    return g_file_get_contents(value, &args->keys, NULL, NULL) ||
           args_wrong("keys", value, "cannot be read: check the path");
}

bool args_want_operations(const struct args *args)
{
    return args->render.by_operation || args->render.only_protocol || args->render.only_operation ||
           args->render.only_status;
}

/* Selection of requests, and of their columns. @return false: it is another option. */
static bool set_selection(struct args *args, int code, const char *value)
{
    switch (code) {
    case OPT_PROTOCOL:
        args->render.only_protocol = value;
        return true;
    case OPT_OPERATION:
        args->render.only_operation = value;
        return true;
    case OPT_STATUS:
        args->render.only_status = value;
        return true;
    case OPT_OPERATIONS:
        args->render.by_operation = true;
        return true;
    case OPT_VALUES:
        args->values = true;
        return true;
    case 'n':
        args->numeric = true;
        return true;
    case OPT_DECRYPTED:
        args->decrypted = true;
        return true;
    case OPT_WATERFALL:
        args->waterfall = true;
        return true;
    default:
        return false;
    }
}

static bool set_option(struct args *args, int code, const char *value)
{
    if (set_format(args, code) || set_selection(args, code, value))
        return true;
    switch (code) {
    case 'f':
        args->filter = value;
        return true;
    case 's':
        args->streams = value;
        return value_streams(value) ||
               args_wrong("stream", value, "give stream numbers, such as 3 or 0,4-7");
    case OPT_KEYS:
        return set_keys(args, value);
    case 'o':
        args->output_path = value;
        return true;
    case OPT_EVIDENCE:
    case OPT_AROUND:
    case OPT_FINDINGS:
    case OPT_WAITS:
        return set_annotate(args, code, value);
    case 'i':
    case OPT_FOLLOW:
    case OPT_USER:
    case OPT_SNAPLEN:
    case OPT_BUFFER:
    case OPT_IMMEDIATE:
    case OPT_NO_PROMISCUOUS:
    case OPT_EVERY:
    case OPT_DURATION:
    case OPT_COUNT:
        return args_set_live(&args->live, code, value);
    case OPT_SIDE:
        return set_side(args, value);
    case OPT_SLOWER:
        return (value_time(value, &args->render.slower_ns) && args->render.slower_ns > 0) ||
               args_wrong("slower", value, "give seconds, such as 2 or 500ms");
    case OPT_LINK:
        return value_rate(value, &args->render.link_bits_per_s) ||
               args_wrong("link", value, "give bits a second, such as 100M or 2.5G");
    case OPT_INTERVAL:
        return set_interval(args, value);
    case OPT_WHY:
        return set_why(args, value);
    case OPT_FAIL_ON:
        return set_fail_on(args, value);
    case OPT_COLOR:
        return set_color(args, value);
    case OPT_ASCII:
        args->render.ascii = true;
        return true;
    case OPT_WIDTH:
        args->wants_width = true;
        return value_count(value, 60, 400, &args->render.columns) ||
               args_wrong("width", value, "give a number from 60 to 400");
    case 'h':
        args->wants_help = true;
        return true;
    case OPT_VERSION:
        args->wants_version = true;
        return true;
    case OPT_DATE:
    case OPT_CAUSE:
    case OPT_LIMIT:
        return set_query(args, code, value);
    case OPT_MEMORY:
    case OPT_UNPACK_LIMIT:
    case OPT_THREADS:
    case OPT_TIMEOUT:
        return set_limits(args, code, value);
    case OPT_PICTURES:
    case OPT_FILES_FROM:
    case OPT_GLOB:
    case OPT_NEWER:
    case OPT_RESUME:
    case OPT_CHAIN:
    case OPT_NO_CHAIN:
        return set_batch(args, code, value);
    default:
        return set_flow(args, code, value);
    }
}

static int row_of(int code)
{
    int i = 0;

    while (options_table[i].code != code)
        i++;
    return i;
}

/* Options of tcpdump and tshark that are habits. */
static const struct {
    char letter;
    const char *instead;
} habits[] = {
    { 'r', "name the capture without it: tcpwhy CAPTURE" },
    { 'w', "-o FILE writes the answer to a file" },
    { 'Y', "-s N chooses a stream, -f 'host A and port B' what is analysed" },
    { 'R', "-s N chooses a stream, -f 'host A and port B' what is analysed" },
    { 'T', "--json, --csv and others choose the form of the answer" },
    { 'V', "tcpwhy explain CAPTURE -s N tells a stream in detail" },
    { 'v', "tcpwhy explain CAPTURE -s N tells a stream in detail" },
    { 'z', "tcpwhy help lists what can be asked" },
    { 'q', "the first lines of 'tcpwhy CAPTURE' are the answer" },
};

static const char *habit_of(const char *option)
{
    if (option[0] != '-' || option[1] == '-')
        return NULL;
    for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++)
        if (habits[i].letter == optopt)
            return habits[i].instead;
    return NULL;
}

static char *option_names(void)
{
    GString *names = g_string_new(NULL);

    for (int i = 0; options_table[i].name; i++)
        g_string_append_printf(names, "%s--%s", i > 0 ? " " : "", options_table[i].name);
    return g_string_free(names, FALSE);
}

static bool unknown_option(int code, char **argv, const struct command *command)
{
    const char *option = argv[optind - 1], *instead = habit_of(option);
    char *listed_by =
        g_strdup_printf("tcpwhy %s%s--help", command ? command->name : "", command ? " " : "");

    if (code == ':')
        complain("%s: needs a value; '%s' lists the options", option, listed_by);
    else if (instead)
        complain("%s: no such option; %s", option, instead);
    else
        complain_of_name(option, "option", option_names(), listed_by);
    g_free(listed_by);
    return false;
}

static int argument_of(const struct option_row *row)
{
    return option_argument_is_optional(row) ? optional_argument
           : row->argument                  ? required_argument
                                            : no_argument;
}

/* "--why 92" means "--why=92", unless a capture has that name. @return the number, or NULL. */
static char *number_behind(int argc, char **argv)
{
    char *next = optind < argc ? argv[optind] : NULL;

    if (!next || !*next || strspn(next, "0123456789") != strlen(next) || access(next, F_OK) == 0)
        return NULL;
    optind++;
    return next;
}

/* Read options into args; used tells which rows of the table were given. */
static bool read_options(struct args *args, int argc, char **argv, bool used[MAX_OPTIONS])
{
    struct option options[MAX_OPTIONS] = { { NULL, 0, NULL, 0 } };
    /* the usual place of the command; which it really is, is known after the options only */
    const struct command *command = argc > 1 ? command_by_name(argv[1]) : NULL;
    int code;

    for (int i = 0; options_table[i].name; i++)
        options[i] = (struct option) { options_table[i].name, argument_of(&options_table[i]), NULL,
                                       options_table[i].code };
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":f:s:i:o:hn", options, NULL)) != -1) {
        if (code == '?' || code == ':')
            return unknown_option(code, argv, command);
        if (!set_option(args, code,
                        code == OPT_WHY && !optarg ? number_behind(argc, argv) : optarg))
            return false;
        used[row_of(code)] = true;
    }
    return true;
}

/* The first name is the command when there is one of that name. */
static void take_names(struct args *args, int argc, char **argv)
{
    const struct command *named = optind < argc ? command_by_name(argv[optind]) : NULL;

    args->command = named ? named : commands[0];
    optind += named != NULL;
    args->names = argv + optind;
    args->n_names = argc - optind;
}

static bool names_format(const bool used[MAX_OPTIONS])
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (used[row_of(formats[i].code)])
            return true;
    return false;
}

/* An answer has one form. */
static bool one_form(const bool used[MAX_OPTIONS])
{
    const char *first = NULL;

    for (size_t i = 0; i < N_FORMATS; i++) {
        int row = row_of(formats[i].code);

        if (!used[row])
            continue;
        if (first) {
            complain("--%s and --%s: give only one of them", first, options_table[row].name);
            return false;
        }
        first = options_table[row].name;
    }
    return true;
}

/* A word that is no command is reported at once, and not after the captures behind it. */
static bool is_a_slip(const struct args *args)
{
    const char *name = args->n_names > 0 && !args->command->name ? args->names[0] : "-";

    if (strpbrk(name, "./-") || access(name, F_OK) == 0)
        return false;
    complain_of_name(name, "command or file", command_by_name("help")->words(1), "tcpwhy help");
    return true;
}

static bool fits_command(const struct args *args, const bool used[MAX_OPTIONS])
{
    const struct command *c = args->command;
    const char *name = c->name ? c->name : "the diagnosis";

    for (int i = 0; options_table[i].name; i++) {
        if (used[i] && options_table[i].accepts & ~c->accepts) {
            if (options_table[i].accepts == ACCEPT_LIVE)
                complain("--%s: an option of 'tcpwhy live' only, which captures from an interface",
                         options_table[i].name);
            else
                complain("--%s: not an option of %s; see 'tcpwhy %s%s--help'",
                         options_table[i].name, name, c->name ? c->name : "", c->name ? " " : "");
            return false;
        }
    }
    if (args->flow.to_ns > 0 && args->flow.to_ns <= args->flow.from_ns) {
        complain("--from and --to: the end must be after the start");
        return false;
    }
    if (args->batch.chain && args->batch.no_chain) {
        complain("--chain and --no-chain: give only one of them");
        return false;
    }
    if (args->why && !args->streams) {
        complain("--why: give a stream with -s N");
        return false;
    }
    if (args->n_names == 0 && c->accepts & ACCEPT_STREAMS) {
        complain("no capture given ('-' is standard input); see 'tcpwhy %s%s--help'",
                 c->name ? c->name : "", c->name ? " " : "");
        return false;
    }
    if (c->accepts & ACCEPT_LIVE && args->n_names > 0) {
        complain("%s: use -i %s for an interface, --follow %s for a file", args->names[0],
                 args->names[0], args->names[0]);
        return false;
    }
    if (c->max_captures > 0 && args->n_names > c->max_captures) {
        complain("%s: too many arguments; see 'tcpwhy %s --help'", args->names[c->max_captures],
                 name);
        return false;
    }
    return one_form(used);
}

bool args_parse(struct args *args, int argc, char **argv)
{
    bool used[MAX_OPTIONS] = { false };

    *args = (struct args) { .color = "auto",
                            .render = TCPWHY_RENDER_INIT,
                            .annotate = TCPWHY_ANNOTATE_INIT,
                            .live = { .options = TCPWHY_LIVE_INIT },
                            .flow = { .struct_size = sizeof(struct tcpwhy_flow_options) } };
    if (!read_options(args, argc, argv, used))
        return false;
    take_names(args, argc, argv);
    args->format_given = names_format(used);
    if (args->format == FORMAT_TEXT)
        args->format = args->command->format;
    return args->wants_help || args->wants_version ||
           (fits_command(args, used) && !is_a_slip(args));
}
