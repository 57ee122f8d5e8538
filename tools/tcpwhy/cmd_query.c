/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy query: questions to an archive that "tcpwhy batch" wrote.
 */
#include <limits.h>

#include "batch/find.h"
#include "complain.h"
#include "nearest.h"
#include "output.h"
#include "query/answer.h"
#include "query/ask.h"
#include "query/grid.h"
#include "query/page.h"

#define DEFAULT_LIMIT 20

static enum exit_code list(const struct args *args)
{
    for (const struct question *q = questions; q->name; q++) {
        g_autofree char *line = g_strdup_printf("%-21s  %s\n", q->name, q->what);

        output_text(args->output, line);
    }
    return EXIT_DONE;
}

static bool take_parameters(const struct args *args, const struct question *question,
                            struct parameters *p)
{
    *p = (struct parameters) { .limit = args->limit ? args->limit : DEFAULT_LIMIT,
                               .date_utc_ns = TCPWHY_NS_UNKNOWN,
                               .cause = args->query.cause ? args->query.cause : "" };
    if (args->query.date && !find_time(args->query.date, &p->date_utc_ns)) {
        complain("--date %s: give a date (2026-11-20), a time (2026-11-20T18:00:00) "
                 "or an age (36h, 7d)",
                 args->query.date);
        return false;
    }
    if (question && question_needs_date(question) && !args->query.date) {
        complain("%s: needs a date: --date 2026-11-20", question->name);
        return false;
    }
    if (question && args->query.date && !question_needs_date(question)) {
        complain("--date: not for the question '%s'", question->name);
        return false;
    }
    if (question && args->query.cause && !question_takes_cause(question)) {
        complain("--cause: not for the question '%s'", question->name);
        return false;
    }
    return true;
}

static bool show(const struct args *args, sqlite3_stmt *statement)
{
    switch (args->format) {
    case FORMAT_CSV:
        return answer_csv(statement, args->output);
    case FORMAT_NDJSON:
        return answer_ndjson(statement, args->output);
    default:
        return grid_print(statement, &args->render,
                          args->wants_width || output_is_terminal(args) ? args->render.columns
                                                                        : UINT_MAX,
                          args->output);
    }
}

static bool answer_plainly(const struct args *args, sqlite3 *db, const struct question *question,
                           const struct parameters *parameters)
{
    sqlite3_stmt *statement = ask(db, args->names[0], question, parameters);
    bool done = statement && show(args, statement);

    if (statement && !done)
        complain("%s: %s", args->names[0], ask_error(db));
    sqlite3_finalize(statement);
    return done;
}

static enum exit_code answer(const struct args *args, const struct question *question,
                             const struct parameters *parameters)
{
    const char *path = args->names[0];
    int64_t end_us;
    sqlite3 *db = ask_open(path, args->timeout_ns, &end_us);
    bool done = db && ask_check(db, path, question);

    if (done && args->format == FORMAT_HTML) {
        page_begin(db, path, args->output);
        done = page_answer(db, path, question, parameters, args->output);
        page_end(args->output);
    } else if (done) {
        done = answer_plainly(args, db, question, parameters);
    }
    sqlite3_close(db);
    args->output->dropped = !done;
    return done ? EXIT_DONE : EXIT_CANNOT;
}

/* Every question that needs no more than was given. */
static enum exit_code overview(const struct args *args)
{
    const char *path = args->names[0];
    struct parameters parameters;
    int64_t end_us;
    sqlite3 *db;
    bool done = true;

    if (!take_parameters(args, NULL, &parameters))
        return EXIT_USAGE;
    db = ask_open(path, args->timeout_ns, &end_us);
    if (!db || !ask_check(db, path, NULL)) {
        sqlite3_close(db);
        return EXIT_CANNOT;
    }
    page_begin(db, path, args->output);
    for (const struct question *q = questions; done && q->name; q++)
        if (args->query.date || !question_needs_date(q))
            done = page_answer(db, path, q, &parameters, args->output);
    page_end(args->output);
    sqlite3_close(db);
    args->output->dropped = !done;
    return done ? EXIT_DONE : EXIT_CANNOT;
}

static enum exit_code run(const struct args *args)
{
    const struct question *question;
    struct parameters parameters;

    if (args->n_names == 0)
        return list(args);
    if (args->n_names == 1 && args->format == FORMAT_HTML)
        return overview(args);
    if (args->n_names == 1) {
        complain("%s: no question given; 'tcpwhy query' lists them", args->names[0]);
        return EXIT_USAGE;
    }
    question = question_by_name(args->names[1]);
    if (!question) {
        complain_of_name(args->names[1], "question", args->command->words(2), "tcpwhy query");
        return EXIT_USAGE;
    }
    if (!take_parameters(args, question, &parameters))
        return EXIT_USAGE;
    return answer(args, question, &parameters);
}

static char *words(int position)
{
    GString *names = position == 2 ? g_string_new(NULL) : NULL;

    if (!names)
        return NULL;
    for (const struct question *q = questions; q->name; q++)
        g_string_append_printf(names, "%s%s", names->len ? " " : "", q->name);
    return g_string_free(names, FALSE);
}

const struct command command_query = {
    .name = "query",
    .synopsis = "query [OPTION...] [ARCHIVE QUESTION]",
    .summary = "query an archive: costliest causes, services, first occurrence",
    .about =
        "Answers questions from a SQLite archive written by 'tcpwhy batch'. Without an archive "
        "it\nlists the questions. Each is an SQL file in data/queries/, which also runs with "
        "DuckDB.",
    .examples = "  tcpwhy query                              list of questions\n"
                "  tcpwhy query archive.sqlite lost-by-listener\n"
                "                                            costliest causes by service\n"
                "  tcpwhy query archive.sqlite cause-by-hour --cause nagle_delayed_ack\n"
                "                                            one cause over time\n"
                "  tcpwhy query archive.sqlite before-after --date 2026-11-20T18:00:00\n"
                "                                            did the change help?\n"
                "  tcpwhy query archive.sqlite --html -o overview.html\n"
                "                                            all answers on one page\n",
    .accepts = ACCEPT_CSV | ACCEPT_NDJSON | ACCEPT_OUTPUT | ACCEPT_HTML | ACCEPT_TEXT |
               ACCEPT_QUERY | ACCEPT_MOST | ACCEPT_TIMEOUT,
    .max_captures = 2,
    .run = run,
    .words = words,
};
