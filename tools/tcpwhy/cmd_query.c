/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy query: questions to an archive that "tcpwhy batch" wrote.
 */
#include "batch/find.h"
#include "complain.h"
#include "output.h"
#include "query/answer.h"
#include "query/ask.h"

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
    *p = (struct parameters) { .limit = args->query.limit ? args->query.limit : DEFAULT_LIMIT,
                               .date_utc_ns = TCPWHY_NS_UNKNOWN,
                               .cause = args->query.cause ? args->query.cause : "" };
    if (args->query.date && !find_time(args->query.date, &p->date_utc_ns)) {
        complain("--date %s: give a date (2026-11-20), a time (2026-11-20T18:00:00) "
                 "or an age (36h, 7d)",
                 args->query.date);
        return false;
    }
    if (question_needs_date(question) && !args->query.date) {
        complain("%s: say when: --date 2026-11-20", question->name);
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
        return answer_text(statement, &args->style, args->output);
    }
}

static enum exit_code answer(const struct args *args, const struct question *question,
                             const struct parameters *parameters)
{
    const char *path = args->names[0];
    sqlite3 *db = ask_open(path);
    sqlite3_stmt *statement = db ? ask(db, path, question, parameters) : NULL;
    bool done = statement && show(args, statement);

    if (statement && !done)
        complain("%s: %s", path, sqlite3_errmsg(db));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return done ? EXIT_DONE : EXIT_CANNOT;
}

static enum exit_code run(const struct args *args)
{
    const struct question *question;
    struct parameters parameters;

    if (args->n_names < 2)
        return list(args);
    question = question_by_name(args->names[1]);
    if (!question) {
        complain("%s: there is no such question; 'tcpwhy query' lists them", args->names[1]);
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
    .summary = "ask an archive: who loses most to what, since when, where first",
    .about =
        "Answers questions from a SQLite archive that 'tcpwhy batch' wrote. Without a question "
        "it\n"
        "lists them. Each is a file of SQL in queries/, which runs with DuckDB, too.",
    .examples =
        "  tcpwhy query                              which questions there are\n"
        "  tcpwhy query archive.sqlite lost-by-listener\n"
        "                                            which services lose most to what\n"
        "  tcpwhy query archive.sqlite cause-by-hour --cause nagle_delayed_ack --limit 100\n"
        "                                            one cause over time\n"
        "  tcpwhy query archive.sqlite before-after --date 2026-11-20T18:00:00\n"
        "                                            did the change help?\n",
    .accepts = ACCEPT_CSV | ACCEPT_NDJSON | ACCEPT_OUTPUT | ACCEPT_QUERY,
    .max_captures = 2,
    .run = run,
    .words = words,
};
