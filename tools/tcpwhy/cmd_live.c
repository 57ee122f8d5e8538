/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy live: the diagnosis while it happens. Signals, clocks and privileges are known here and
 * not in the library.
 */
#include <inttypes.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include "complain.h"
#include "document.h"
#include "harmless.h"
#include "live_tell.h"
#include "output.h"
#include "privileges.h"
#include "sandbox.h"

/* At most this long without a look at the clock and at signals. */
#define WAIT_MS 100

/* Open connections are looked at not more often than this, and so seldom
 * that looking takes no more than a twentieth of the time. */
#define LOOK_NS    TCPWHY_S(1)
#define LOOK_PAUSE 20

struct live {
    const struct args *args;
    struct live_tell tell;
    tcpwhy_live *source;
    tcpwhy_session *session;
    struct news *news;
    struct tcpwhy_live_counts counts;
    tcpwhy_ns began_ns, next_look_ns, next_summary_ns;
    tcpwhy_ns down_ns, down_since_ns; /* of the interface; down_since_ns counts while it is down */
    uint64_t packets, looked_at;      /* looked_at: packets at the last look */
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

/* The first one ends the capture, a second one the program. */
static void catch_signals(void)
{
    struct sigaction action = { .sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND };

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static tcpwhy_ns now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return TCPWHY_S(t.tv_sec) + t.tv_nsec;
}

static void on_retracted(void *user, const struct news_told *told,
                         const struct tcpwhy_finding *instead)
{
    const struct live *l = user;

    live_tell_retracted(&l->tell, told, instead, instead ? news_id(l->news, instead) : 0);
}

/* A link that was down for a moment only is reported, too. */
static void tell_link(struct live *l, const struct tcpwhy_live_counts *before)
{
    bool went_down = l->counts.went_down > before->went_down;
    tcpwhy_ns time = now();

    if (went_down) {
        live_tell_link(&l->tell, true, 0);
        l->down_since_ns = time;
    }
    if ((went_down || before->is_down) && !l->counts.is_down) {
        live_tell_link(&l->tell, false, time - l->down_since_ns);
        l->down_ns += time - l->down_since_ns;
    }
}

static tcpwhy_ns down_so_far(const struct live *l)
{
    return l->down_ns + (l->counts.is_down ? now() - l->down_since_ns : 0);
}

static void take_counts(struct live *l)
{
    struct tcpwhy_live_counts before = l->counts;

    tcpwhy_live_counts(l->source, &l->counts);
    tell_link(l, &before);
    tcpwhy_session_dropped(l->session, l->counts.dropped);
    if (l->counts.dropped == before.dropped)
        return;
    complain("%s: %" PRIu64 " packets dropped: raise --buffer, or narrow -f or --snaplen",
             l->tell.name, l->counts.dropped);
}

/* Report sums over all connections: a single finding does not say how bad it is. */
static void tell_news(struct live *l, const tcpwhy_report *report)
{
    for (size_t i = 0; i < tcpwhy_report_finding_count(report); i++) {
        const struct tcpwhy_finding *f = check_row(tcpwhy_report_finding(report, i));
        tcpwhy_ns before_ns = 0;

        if (news_is(l->news, f, &before_ns))
            live_tell_finding(&l->tell, report, f, news_id(l->news, f), before_ns);
    }
    news_retract(l->news, report, on_retracted, l);
}

/* Are there findings in the connections so far? */
static void look(struct live *l)
{
    tcpwhy_ns begin = now();
    tcpwhy_report *report;

    take_counts(l);
    l->next_look_ns = begin + LOOK_NS;
    if (l->packets == l->looked_at ||
        check_memory(tcpwhy_session_snapshot(l->session, &report)) < 0)
        return;
    l->looked_at = l->packets;
    tell_news(l, report);
    tcpwhy_report_free(report);
    l->next_look_ns += LOOK_PAUSE * (now() - begin);
}

static void summarize(struct live *l)
{
    tcpwhy_report *report;

    take_counts(l);
    l->next_summary_ns += l->args->live.every_ns;
    if (check_memory(tcpwhy_session_snapshot(l->session, &report)) < 0)
        return;
    live_tell_summary(&l->tell, report, &l->counts, now() - l->began_ns, down_so_far(l));
    live_tell_pause(&l->tell);
    tcpwhy_report_free(report);
}

static bool is_over(const struct live *l, tcpwhy_ns time)
{
    const struct live_args *how = &l->args->live;

    return interrupted || l->args->output->error || (how->count > 0 && l->packets >= how->count) ||
           (how->duration_ns > 0 && time - l->began_ns >= how->duration_ns);
}

/* @return false when the source failed, which has been said. */
static bool listen_on(struct live *l)
{
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_ns time = now();

    while (!is_over(l, time)) {
        struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
        int got = tcpwhy_live_next(l->source, WAIT_MS, &packet, error, sizeof error);

        if (got < 0) {
            document_complain(error);
            return false;
        }
        if (got > 0) {
            tcpwhy_session_push(l->session, &packet);
            l->packets++;
        } else {
            take_counts(l);
        }
        time = now();
        if (time >= l->next_look_ns)
            look(l);
        if (l->args->live.every_ns > 0 && time >= l->next_summary_ns)
            summarize(l);
    }
    return true;
}

static enum exit_code run_session(struct live *l)
{
    enum exit_code code;
    tcpwhy_report *report;

    l->began_ns = now();
    l->next_look_ns = l->began_ns + LOOK_NS;
    l->next_summary_ns = l->began_ns + l->args->live.every_ns;
    code = listen_on(l) ? EXIT_DONE : EXIT_CANNOT;
    take_counts(l);
    if (tcpwhy_session_finish(l->session, &report) == 0) {
        tell_news(l, report);
        live_tell_summary(&l->tell, report, &l->counts, now() - l->began_ns, down_so_far(l));
        if (code == EXIT_DONE && gate_fails(l->args->fail_on, l->args->n_fail_on, report))
            code = EXIT_FOUND;
        tcpwhy_report_free(report);
    }
    return code;
}

static enum exit_code start(struct live *l)
{
    struct tcpwhy_options options = document_options(l->args);
    char error[TCPWHY_ERROR_TEXT];
    enum exit_code code;

    options.filter = NULL; /* the source has it */
    if (tcpwhy_session_new(&options, &l->session, error, sizeof error) < 0) {
        document_complain(error);
        return EXIT_CANNOT;
    }
    l->news = news_new();
    /* an error for scripts, too: a mistyped name would be waited for without end */
    if (l->args->live.follow && access(l->args->live.follow, F_OK) != 0)
        complain("%s: does not exist yet: waiting", l->tell.name);
    if (isatty(STDERR_FILENO))
        complain("%s: capturing; stop with Ctrl-C", l->tell.name);
    code = l->news ? run_session(l) : EXIT_CANNOT;
    news_free(l->news);
    return code;
}

/* Open what is to be looked at, with root's rights if need be, and go on without them. */
static bool open_source(struct live *l)
{
    const struct live_args *how = &l->args->live;
    struct tcpwhy_live_options options = how->options;
    char error[TCPWHY_ERROR_TEXT];
    int status;

    options.filter = l->args->filter;
    status = how->follow
                 ? tcpwhy_live_follow(how->follow, &options, &l->source, error, sizeof error)
                 : tcpwhy_live_open(how->interface_name, &options, &l->source, error, sizeof error);
    if (status < 0) {
        document_complain(error);
        return false;
    }
    /* The next of a folder's files may be root's alone. */
    return (how->follow && !how->user) || privileges_drop(how->user);
}

/* After the source is open, which needs rights that nothing later does. */
static void lock_in(const struct live *l)
{
    const struct live_args *how = &l->args->live;
    struct sandbox sandbox;

    sandbox_begin(&sandbox);
    if (how->follow) {
        sandbox_let_read(&sandbox, how->follow);
        /* A file may come later, and another take its place. */
        sandbox_let_read_beside(&sandbox, how->follow);
        sandbox_let_filter(&sandbox, l->args->filter);
    } else {
        /* libpcap reads there what the card itself lost. */
        g_autofree char *card = g_build_filename("/sys/class/net", how->interface_name, NULL);

        sandbox_let_read(&sandbox, card);
    }
    sandbox_enter(&sandbox);
}

static enum exit_code refuse_usage(void)
{
    struct if_nameindex *all = if_nameindex();
    GString *names = g_string_new(NULL);

    for (const struct if_nameindex *i = all; i && i->if_index != 0; i++)
        g_string_append_printf(names, ", %s", i->if_name);
    complain("live: give an interface with -i, or files with --follow; interfaces: any%s",
             names->str);
    g_string_free(names, TRUE);
    if_freenameindex(all);
    return EXIT_USAGE;
}

static enum exit_code run(const struct args *args)
{
    const struct live_args *how = &args->live;
    const char *given = how->follow ? how->follow : how->interface_name;
    struct live l = { .args = args, .counts = TCPWHY_LIVE_COUNTS_INIT };
    enum exit_code code;
    GString *name;

    if (!how->follow == !how->interface_name)
        return refuse_usage();
    name = g_string_new(NULL);
    append_harmless(name, given, (gssize)strlen(given), false);
    l.tell = (struct live_tell) { args, name->str };
    catch_signals();
    code = EXIT_CANNOT;
    if (open_source(&l)) {
        lock_in(&l);
        code = start(&l);
    }
    tcpwhy_live_close(l.source);
    g_string_free(name, TRUE);
    return code;
}

const struct command command_live = {
    .name = "live",
    .synopsis = "live [OPTION...] -i INTERFACE\n       tcpwhy live [OPTION...] --follow PATH",
    .summary = "live findings from an interface or growing files",
    .about =
        "Prints each finding when it appears and when its cost has doubled, retracts it if "
        "later\npackets show another cause, and prints the diagnosis at the end (Ctrl-C, "
        "--duration, --count)\nor with --every periodically.\nRoot privileges are "
        "dropped after the interface is open. PATH is a capture that another\nprogram is writing, "
        "or a folder of its rotated files (dumpcap -b, tcpdump -C, -G).",
    .examples = "  sudo tcpwhy live -i eth0                  until Ctrl-C\n"
                "  sudo tcpwhy live -i any -f 'port 8080' --every 10\n"
                "  sudo tcpwhy live -i eth0 --duration 60 --ndjson | jq .finding.cause\n"
                "  tcpwhy live --follow /var/captures        the newest of rotated files\n",
    .accepts = ACCEPT_FILTER | ACCEPT_LIVE | ACCEPT_NDJSON | ACCEPT_FAIL_ON | ACCEPT_LIMITS,
    .confines_itself = true,
    .run = run,
};
