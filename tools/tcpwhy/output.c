/* SPDX-License-Identifier: MIT */
/*
 * The terminal's abilities, and output that cannot be written.
 */
#include "output.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"
#include "values.h"

#define DEFAULT_COLUMNS 80
#define MIN_COLUMNS     60
#define MAX_COLUMNS     200 /* wider lines are hard to follow; --width may ask for more */

bool output_is_terminal(const struct args *args)
{
    return !args->output->path && isatty(STDOUT_FILENO);
}

static bool has_color(const struct args *args)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

    if (strcmp(args->color, "auto") != 0)
        return strcmp(args->color, "always") == 0;
    return output_is_terminal(args) && !(no_color && no_color[0]) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static unsigned columns(void)
{
    const char *told = getenv("COLUMNS");
    struct winsize size;
    uint32_t n = DEFAULT_COLUMNS;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        n = size.ws_col;
    else if (told)
        value_count(told, 1, UINT32_MAX, &n);
    return n < MIN_COLUMNS ? MIN_COLUMNS : n > MAX_COLUMNS ? MAX_COLUMNS : n;
}

void output_prepare(struct args *args)
{
    /* Only which characters there are: numbers and times stay as they are everywhere. */
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        args->render.ascii = true;
    if (args->output_path && strcmp(args->output_path, "-") != 0)
        args->output->path = args->output_path;
    args->render.color = has_color(args);
    if (args->render.columns == 0)
        args->render.columns = columns();
}

bool output_suits_terminal(const struct args *args)
{
    bool page = args->format == FORMAT_HTML;

    if ((!page && args->format != FORMAT_SVG) || args->output_path || !isatty(STDOUT_FILENO))
        return true;
    complain("standard output: not writing a %s to a terminal: give a file with -o FILE.%s",
             page ? "page" : "picture", page ? "html" : "svg");
    return false;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    bool known = (strcmp(a, "-") == 0 ? fstat(STDIN_FILENO, &x) : stat(a, &x)) == 0;

    return known && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool output_spares_captures(const struct args *args)
{
    for (int i = 0; args->output->path && i < args->n_names; i++)
        if (same_file(args->names[i], args->output->path)) {
            complain("%s: this is the capture itself: give another file with -o",
                     args->output->path);
            return false;
        }
    return true;
}

/* Not before there is something to write: a capture that cannot be read leaves the file. */
static void open_output(struct output *output)
{
    if (!output->path)
        output->file = stdout;
    else if (replacement_open(&output->to, output->path))
        output->file = output->to.file;
}

bool output_write(void *user, const char *bytes, size_t len)
{
    struct output *output = user;

    if (output->error)
        return false;
    if (!output->file)
        open_output(output);
    if (output->file && fwrite(bytes, 1, len, output->file) == len)
        return true;
    output->error = errno;
    return false;
}

bool output_text(struct output *output, const char *text)
{
    return output_write(output, text, strlen(text));
}

void output_flush(struct output *output)
{
    if (output->file && !output->error && fflush(output->file) != 0)
        output->error = errno;
}

/* @return errno of what failed, or 0. */
static int close_output(struct output *output)
{
    bool whole = output->error == 0 && !output->dropped;

    if (output->file && output->path)
        return replacement_close(&output->to, whole) ? 0 : errno;
    return fflush(stdout) == 0 ? 0 : errno;
}

enum exit_code output_finish(struct output *output, enum exit_code code)
{
    int closed = close_output(output), error = output->error ? output->error : closed;

    output->file = NULL;
    /* "tcpwhy ... | head": the reader has what it wanted. */
    if (error == 0 || error == EPIPE)
        return code;
    complain("%s: %s", output->path ? output->path : "standard output", strerror(error));
    return EXIT_CANNOT;
}
