/* SPDX-License-Identifier: MIT */
#include "form_by_name.h"

#include <string.h>
#include <sys/stat.h>

#include <glib.h>

#include "complain.h"
#include "output.h"

static const struct form {
    const char *suffix;
    enum format format;
    unsigned accepts;
    const char *option;
} forms[] = {
    { ".txt", FORMAT_TEXT, ACCEPT_TEXT, "--text" },
    { ".json", FORMAT_JSON, ACCEPT_JSON, "--json" },
    { ".ndjson", FORMAT_NDJSON, ACCEPT_NDJSON, "--ndjson" },
    { ".jsonl", FORMAT_NDJSON, ACCEPT_NDJSON, NULL },
    { ".csv", FORMAT_CSV, ACCEPT_CSV, "--csv" },
    { ".svg", FORMAT_SVG, ACCEPT_SVG, "--svg" },
    { ".html", FORMAT_HTML, ACCEPT_HTML, "--html" },
    { ".htm", FORMAT_HTML, ACCEPT_HTML, NULL },
    { ".xpl", FORMAT_XPLOT, ACCEPT_GRAPH, "--xplot" },
    { ".har", FORMAT_HAR, ACCEPT_WATERFALL, "--har" },
    { ".folded", FORMAT_FOLDED, ACCEPT_FOLDED, "--folded" },
};

/* Of pcapng files and archives the command itself decides. */
static bool decides_itself(const struct args *args)
{
    return !(args->command->accepts & ACCEPT_OUTPUT) ||
           args->command->accepts & (ACCEPT_ANNOTATE | ACCEPT_BATCH);
}

/* NULL: its name has none, or it is a device or a pipe. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    struct stat st;

    if (!dot || dot == name || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return NULL;
    return dot;
}

static void refuse(const struct args *args)
{
    g_autoptr(GString) suffixes = g_string_new(NULL);
    g_autoptr(GString) options = g_string_new(NULL);

    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (!(forms[i].accepts & args->command->accepts) || !forms[i].option)
            continue;
        g_string_append_printf(suffixes, "%s%s", suffixes->len ? ", " : "", forms[i].suffix);
        g_string_append_printf(options, "%s%s", options->len ? ", " : "", forms[i].option);
    }
    complain("%s: use a suffix that %s writes (%s), or give the format (%s)", args->output->path,
             args->command->name ? args->command->name : "the diagnosis", suffixes->str,
             options->str);
}

bool form_by_name(struct args *args)
{
    const char *path = args->output->path;
    const char *suffix = path ? suffix_of(path) : NULL;

    if (!suffix || args->format_given || decides_itself(args))
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (g_ascii_strcasecmp(suffix, forms[i].suffix) == 0 &&
            forms[i].accepts & args->command->accepts) {
            args->format = forms[i].format;
            return true;
        }
    }
    refuse(args);
    return false;
}
