/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy batch: many captures into one archive of tables.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "batch/chains.h"
#include "batch/find.h"
#include "batch/pictures.h"
#include "batch/work.h"
#include "command.h"
#include "complain.h"
#include "sandbox.h"

/* Enough for the connections that are open at once in most captures. */
#define MEMORY_PER_WORKER (UINT64_C(512) << 20)

static volatile sig_atomic_t stop;

/* A file system that does not answer, or a step of an analysis that takes long, is waited for no
 * longer: whole captures are in the archive whenever the process ends. */
#define STOP_SECONDS 2

static void give_up(int signal_number)
{
    (void)signal_number;
    complain_at_once("tcpwhy: interrupted: give --resume to go on\n");
    _exit(EXIT_CANNOT);
}

/* Whole captures are kept; a second signal ends the process as usual. */
static void ask_to_stop(int signal_number)
{
    (void)signal_number;
    stop = 1;
    alarm(STOP_SECONDS);
}

static void catch_signals(void)
{
    struct sigaction action = { .sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND };

    signal(SIGALRM, give_up);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool choose_form(const struct args *args, enum archive_form *form)
{
    *form = archive_form_of(args->output_path);
    if (g_str_has_suffix(args->output_path, ".parquet")) {
        complain("%s: Parquet is written by 'python3 -m tcpwhy batch'", args->output_path);
        return false;
    }
    if (args->format == FORMAT_CSV || args->format == FORMAT_NDJSON)
        *form = args->format == FORMAT_CSV ? ARCHIVE_CSV : ARCHIVE_NDJSON;
    if (*form == ARCHIVE_UNKNOWN)
        complain("%s: use the suffix .sqlite, .csv or .ndjson, or give --csv or --ndjson",
                 args->output_path);
    return *form != ARCHIVE_UNKNOWN;
}

static enum tcpwhy_chaining chaining(const struct args *args)
{
    if (args->batch.no_chain)
        return TCPWHY_CHAIN_NONE;
    return args->batch.chain ? TCPWHY_CHAIN_ALL : TCPWHY_CHAIN_FOUND;
}

static bool find(const struct args *args, GPtrArray **files, struct left_out *left_out)
{
    struct find how = { .names = args->names,
                        .n_names = args->n_names,
                        .files_from = args->batch.files_from,
                        .glob = args->batch.glob,
                        .newer_ns = INT64_MIN };

    if (args->batch.newer && !find_time(args->batch.newer, &how.newer_ns)) {
        complain("--newer %s: give a date (2026-11-20), an age (36h, 7d) or a file",
                 args->batch.newer);
        return false;
    }
    *files = find_files(&how, left_out);
    return *files != NULL;
}

/* Do the rules of the folders hold for the file, too? Where a link leads they do not. */
static bool is_covered(const GPtrArray *folders, const char *path)
{
    for (guint i = 0; i < folders->len; i++) {
        const char *folder = g_ptr_array_index(folders, i);

        if (g_str_has_prefix(path, folder) && path[strlen(folder)] == '/')
            return !g_file_test(path, G_FILE_TEST_IS_SYMLINK);
    }
    return false;
}

/* A rule for each named folder, and for each file outside of them. */
static void let_read_all(struct sandbox *sandbox, const struct args *args, const GPtrArray *files)
{
    g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);

    for (int i = 0; i < args->n_names; i++) {
        if (!g_file_test(args->names[i], G_FILE_TEST_IS_DIR))
            continue;
        sandbox_let_read(sandbox, args->names[i]);
        g_ptr_array_add(folders, g_canonicalize_filename(args->names[i], NULL));
    }
    for (guint i = 0; i < files->len; i++) {
        const struct file *file = g_ptr_array_index(files, i);

        if (!is_covered(folders, file->path))
            sandbox_let_read(sandbox, file->path);
    }
}

/* The files are known, and the archive's place is taken: no more than that is needed. */
static void lock_in(const struct args *args, const GPtrArray *files, enum archive_form form,
                    const char *pictures)
{
    struct sandbox sandbox;

    sandbox_begin(&sandbox);
    let_read_all(&sandbox, args, files);
    /* SQLite keeps a log beside its file. */
    if (form == ARCHIVE_SQLITE)
        sandbox_let_write(&sandbox, args->output_path);
    else
        sandbox_let_move(&sandbox, args->output_path);
    if (pictures)
        sandbox_let_fill(&sandbox, pictures);
    sandbox_let_filter(&sandbox, args->filter);
    sandbox_enter(&sandbox);
}

static gint by_size(gconstpointer a, gconstpointer b)
{
    const struct job *const *x = a, *const *y = b;

    if ((*x)->size_bytes != (*y)->size_bytes)
        return (*x)->size_bytes < (*y)->size_bytes ? 1 : -1;
    return strcmp((*x)->id, (*y)->id);
}

/* Drop finished captures; the largest come first, so that none is waited for at the end. */
static guint64 drop_done(const struct archive *archive, GPtrArray *jobs)
{
    guint64 bytes = 0;

    for (guint i = jobs->len; i-- > 0;) {
        const struct job *job = g_ptr_array_index(jobs, i);

        if (archive_has(archive, job))
            g_ptr_array_remove_index_fast(jobs, i);
        else
            bytes += (guint64)job->size_bytes;
    }
    g_ptr_array_sort(jobs, by_size);
    for (guint i = 0; i < jobs->len; i++)
        ((struct job *)g_ptr_array_index(jobs, i))->place = i;
    return bytes;
}

static void summarise(const struct args *args, const struct progress *progress, guint skipped,
                      guint other)
{
    char bytes[32], time[32];
    g_autoptr(GString) text = g_string_new(NULL);
    double seconds = (double)(g_get_monotonic_time() - progress->begun_us) / 1e6;

    g_string_append_printf(text, "%s: %u %s, %s in %s", args->output_path, progress->done,
                           progress->done == 1 ? "capture" : "captures",
                           progress_bytes((double)progress->done_bytes, bytes),
                           progress_time(seconds, time));
    if (skipped)
        g_string_append_printf(text, "; %u already present", skipped);
    if (progress->failed)
        g_string_append_printf(text, "; %u could not be read (see captures.error)",
                               progress->failed);
    if (other)
        g_string_append_printf(text, "; %u other %s skipped (--glob '*' takes all)", other,
                               other == 1 ? "file" : "files");
    g_string_append(text, "\n");
    /* Not into OUT, which is no text. */
    fputs(text->str, stdout);
}

/* Their captures stay with them until the process ends. */
static void leave_workers(struct archive *archive, enum exit_code code)
{
    if (!archive_close(archive) || fflush(stdout) != 0)
        code = EXIT_CANNOT;
    _exit((int)code);
}

static enum exit_code work(const struct args *args, struct archive *archive, GPtrArray *jobs,
                           guint other, const char *pictures)
{
    guint n = jobs->len;
    struct progress progress;
    struct work work = { .archive = archive,
                         .progress = &progress,
                         .jobs = jobs,
                         .filter = args->filter,
                         .keys = args->keys,
                         .pictures = pictures,
                         .workers = args->threads ? args->threads : g_get_num_processors(),
                         .most_us = args->timeout_ns / 1000,
                         .unpack_bytes = args->unpack_bytes,
                         .stop = &stop };
    guint64 bytes = drop_done(archive, jobs);
    enum exit_code code;
    bool done;

    if (!archive_forget(archive, jobs))
        return EXIT_CANNOT;
    work.memory_bytes = args->memory_bytes ? args->memory_bytes : work.workers * MEMORY_PER_WORKER;
    catch_signals();
    progress_begin(&progress, jobs->len, bytes, args->render.columns, args->render.ascii);
    done = work_run(&work);
    progress_end(&progress);
    if (done)
        summarise(args, &progress, n - jobs->len, other);
    else if (stop)
        complain("%s: interrupted after %u captures: continue with --resume", args->output_path,
                 progress.done);
    /* When nothing at all could be read, something is wrong with the run. */
    code = done && n > progress.failed ? EXIT_DONE : EXIT_CANNOT;
    if (work.abandoned > 0)
        leave_workers(archive, code);
    return code;
}

static bool fits(const struct args *args)
{
    if (!args->output_path)
        complain("batch: give the output: -o archive.sqlite");
    else if (args->n_names == 0 && !args->batch.files_from)
        complain("no capture given; see 'tcpwhy batch --help'");
    else
        return true;
    return false;
}

static enum exit_code nothing_to_do(const struct args *args, const struct left_out *left_out)
{
    if (left_out->older == 0) {
        complain("no captures found: give some, or a name pattern with --glob");
        return EXIT_CANNOT;
    }
    /* An hour in which a sensor rests. */
    complain("nothing to do: no file is newer than %s (%u are older)", args->batch.newer,
             left_out->older);
    return EXIT_DONE;
}

/* The files are taken over. */
static enum exit_code archive_all(const struct args *args, enum archive_form form, GPtrArray *files,
                                  guint other)
{
    g_autofree char *pictures = NULL;
    struct archive archive;
    enum exit_code code = EXIT_CANNOT;
    GPtrArray *jobs;

    if (args->batch.pictures && !(pictures = pictures_open(args->output_path))) {
        find_free(files);
        return EXIT_CANNOT;
    }
    if (!archive_take(&archive, args->output_path, form, args->batch.resume)) {
        find_free(files);
        return EXIT_CANNOT;
    }
    lock_in(args, files, form, pictures);
    jobs = chains_of(files, chaining(args));
    if (archive_open(&archive)) {
        code = work(args, &archive, jobs, other, pictures);
        if (!archive_close(&archive))
            code = EXIT_CANNOT;
    }
    g_ptr_array_free(jobs, TRUE);
    return code;
}

static enum exit_code run(const struct args *args)
{
    enum archive_form form;
    struct left_out left_out;
    GPtrArray *files;

    if (!fits(args) || !choose_form(args, &form))
        return EXIT_USAGE;
    if (!find(args, &files, &left_out))
        return EXIT_CANNOT;
    if (files->len > 0)
        return archive_all(args, form, files, left_out.other);
    find_free(files);
    return nothing_to_do(args, &left_out);
}

const struct command command_batch = {
    .name = "batch",
    .synopsis = "batch [OPTION...] PATH... -o OUT",
    .summary = "analyse thousands of captures into one archive",
    .about = "Analyses many captures in parallel and writes five tables: captures, "
             "connections,\nexchanges, findings, ledger (see docs/schema.md). PATH is a capture, a "
             "folder (searched\nrecursively), a pattern, or \"-\" for a list on standard "
             "input.\nThe suffix of OUT selects the format: .sqlite or .db a SQLite database, .csv "
             "or .ndjson a\nfolder with one file per table. A capture that cannot be read becomes "
             "a row with its error.\nRotated files of one sensor (x.pcap, x.pcap1 ...; "
             "x_00001_20261120101010.pcapng;\nx-2026-11-20.pcap; x.pcap.1.gz) are read as one "
             "capture if none is missing between them.\nAn interrupted run, even by kill -9, "
             "continues with --resume: nothing is lost or counted\ntwice.",
    .examples = "  tcpwhy batch /captures -o archive.sqlite  all captures in that folder\n"
                "  tcpwhy batch --resume /captures -o archive.sqlite\n"
                "                                            continue, or add new captures\n"
                "  tcpwhy batch --newer 24h -f 'port 443' /captures -o today.sqlite\n"
                "                                            files of the last day, one port\n"
                "  tcpwhy batch --pictures /captures -o archive.sqlite\n"
                "                                            the worst flow graphs, too, in\n"
                "                                            archive.sqlite.pictures\n"
                "  find /captures -name '*.pcap' -size +1M | tcpwhy batch - -o tables.csv\n"
                "                                            files selected by another program\n"
                "  tcpwhy query archive.sqlite verdicts      query the archive\n",
    .accepts = ACCEPT_FILTER | ACCEPT_OUTPUT | ACCEPT_CSV | ACCEPT_NDJSON | ACCEPT_BATCH |
               ACCEPT_LIMITS | ACCEPT_TIMEOUT | ACCEPT_KEYS,
    .confines_itself = true,
    .run = run,
};
