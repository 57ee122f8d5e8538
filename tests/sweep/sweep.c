/* SPDX-License-Identifier: MIT */
/*
 * sweep VARIANTS < CAPTURES: explains each connection of each capture as it is, and once more for
 * each variant, a line "THRESHOLD FACTOR" of the file VARIANTS. Prints "VARIANT verdict CAPTURE"
 * where a stream's cause or confidence differs, "VARIANT ledger CAPTURE" where only an entry of a
 * ledger does, by more than a millisecond, and ". - CAPTURE" when a capture is done.
 *
 * A capture is read once, and a variant whose threshold was not read for a connection is skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "engine/connection_job.h"
#include "explain/thresholds.h"

#define MOST_VARIANTS 1024
#define MOST_LINES    64

void __real_tw_connection_job_run(struct tw_connection_job *job,
                                  const struct tcpwhy_options *options,
                                  struct tw_connection_findings *alone);
void __wrap_tw_connection_job_run(struct tw_connection_job *job,
                                  const struct tcpwhy_options *options,
                                  struct tw_connection_findings *alone);

enum moved { NOTHING, LEDGER, VERDICT };

static struct variant {
    char name[128];
    double factor;
    struct tw_sweep *sweep;
    bool asked;
    enum moved moved; /* in this capture */
} variants[MOST_VARIANTS];
static size_t n_variants;

struct outcome {
    struct tcpwhy_verdict verdict;
    struct tcpwhy_ledger_entry line[MOST_LINES];
    size_t n;
};

static void take_outcome(const struct tw_connection_job *job, struct outcome *out)
{
    const struct tw_stream_row *s = &job->told.stream;

    out->verdict = s->verdict;
    out->n = MIN(s->n_ledger, MOST_LINES);
    if (out->n)
        memcpy(out->line, s->ledger, out->n * sizeof *out->line);
}

/* What a ledger charges to the cause and the sender of a line. */
static tcpwhy_ns charged(const struct outcome *x, const struct tcpwhy_ledger_entry *line)
{
    tcpwhy_ns ns = 0;

    for (size_t i = 0; i < x->n; i++)
        if (x->line[i].cause == line->cause && x->line[i].from == line->from)
            ns += x->line[i].ns;
    return ns;
}

static bool ledgers_differ(const struct outcome *a, const struct outcome *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (llabs(charged(a, &a->line[i]) - charged(b, &a->line[i])) > TCPWHY_MS(1))
            return true;
    return false;
}

static enum moved compare(const struct outcome *before, const struct outcome *now)
{
    if (before->verdict.cause != now->verdict.cause ||
        before->verdict.confidence != now->verdict.confidence)
        return VERDICT;
    return ledgers_differ(before, now) || ledgers_differ(now, before) ? LEDGER : NOTHING;
}

static enum moved try(const struct tw_connection_job *job, const struct tcpwhy_options *options,
                      struct variant *v, const struct outcome *before)
{
    static struct tw_connection_findings *alone;
    struct tw_connection_job again = { .ended = job->ended };
    struct outcome now;

    if (!alone)
        alone = tw_connection_findings_new(true);
    v->sweep->factor = v->factor;
    __real_tw_connection_job_run(&again, options, alone);
    v->sweep->factor = 1;
    take_outcome(&again, &now);
    tw_connection_job_clear(&again);
    return compare(before, &now);
}

/* Stands in for the library's own function (ld --wrap). */
void __wrap_tw_connection_job_run(struct tw_connection_job *job,
                                  const struct tcpwhy_options *options,
                                  struct tw_connection_findings *alone)
{
    struct outcome before;

    for (size_t i = 0; i < n_variants; i++)
        variants[i].sweep->was_read = false;
    __real_tw_connection_job_run(job, options, alone);
    take_outcome(job, &before);
    for (size_t i = 0; i < n_variants; i++)
        variants[i].asked = variants[i].sweep->was_read && variants[i].moved != VERDICT;
    for (size_t i = 0; i < n_variants; i++)
        if (variants[i].asked)
            variants[i].moved = MAX(variants[i].moved, try(job, options, &variants[i], &before));
}

static bool read_variants(const char *path)
{
    FILE *file = fopen(path, "r");
    char factor[32];

    if (!file)
        return false;
    while (n_variants < MOST_VARIANTS &&
           fscanf(file, "%127s %31s", variants[n_variants].name, factor) == 2) {
        struct variant *v = &variants[n_variants++];

        v->factor = strtod(factor, NULL);
        v->sweep = tw_sweep_of(v->name);
    }
    fclose(file);
    return n_variants > 0;
}

static void look_at(const char *path)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_report *report = NULL;

    options.threads = 1;
    for (size_t i = 0; i < n_variants; i++)
        variants[i].moved = NOTHING;
    if (tcpwhy_analyze_file(path, &options, &report, NULL, 0) == 0)
        tcpwhy_report_free(report);
    for (size_t i = 0; i < n_variants; i++)
        if (variants[i].moved != NOTHING)
            printf("%zu %s %s\n", i, variants[i].moved == VERDICT ? "verdict" : "ledger", path);
    printf(". - %s\n", path);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char path[4096];

    if (argc != 2 || !read_variants(argv[1]))
        return fprintf(stderr, "usage: sweep VARIANTS < CAPTURES\n"), 2;
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        look_at(path);
    }
    return 0;
}
