/* SPDX-License-Identifier: MIT */
#include "pictures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "../complain.h"

/* Of a capture's name, which may be as long as a file name. */
#define MOST_NAME 120

char *pictures_open(const char *archive)
{
    char *folder = g_strconcat(archive, ".pictures", NULL);

    if (g_mkdir(folder, 0777) == 0 || (errno == EEXIST && g_file_test(folder, G_FILE_TEST_IS_DIR)))
        return folder;
    complain("%s: %s", folder, g_strerror(errno));
    g_free(folder);
    return NULL;
}

static bool write_file(void *file, const char *bytes, size_t len)
{
    return fwrite(bytes, 1, len, file) == len;
}

/* Captures of two folders may have the same name; the identity makes them distinct. */
static char *path_of(const char *folder, const struct job *job)
{
    g_autofree char *name = g_path_get_basename(job_file(job, 0)->path);

    g_strdelimit(name, "\n\r\t", '_');
    return g_strdup_printf("%s/%.*s-%s.svg", folder, MOST_NAME, name, job->id);
}

/* It is there whole or not at all. */
static bool render(const tcpwhy_report *report, const char *path)
{
    g_autofree char *part = g_strconcat(path, ".part", NULL);
    FILE *file = fopen(part, "wb");
    bool whole;

    if (!file) {
        complain("%s: %s", part, g_strerror(errno));
        return false;
    }
    whole = tcpwhy_render(report, TCPWHY_DOC_FLOW, TCPWHY_FORMAT_SVG, NULL, write_file, file) == 0;
    whole = fclose(file) == 0 && whole;
    if (whole && rename(part, path) == 0)
        return true;
    complain("%s: %s", path, g_strerror(errno));
    remove(part);
    return false;
}

static int analyze(const struct job *job, const struct tcpwhy_options *options,
                   tcpwhy_report **report)
{
    const GPtrArray *files = job->files;
    const char **paths = g_new(const char *, files->len);
    int code;

    for (guint i = 0; i < files->len; i++)
        paths[i] = job_file(job, i)->path;
    if (files->len == 1)
        code = tcpwhy_analyze_file(paths[0], options, report, NULL, 0);
    else
        code = tcpwhy_analyze_files(paths, files->len, options, report, NULL, 0);
    g_free(paths);
    return code;
}

bool pictures_draw(const char *folder, const struct job *job, const tcpwhy_report *report,
                   const struct tcpwhy_options *given)
{
    const struct tcpwhy_finding *worst = tcpwhy_report_finding_count(report) > 0
                                             ? check_row(tcpwhy_report_finding(report, 0))
                                             : NULL;
    struct tcpwhy_options options = *given;
    g_autofree char *path = NULL;
    tcpwhy_report *drawn = NULL;
    char stream[16];
    bool done;

    if (!worst || worst->cost_ns <= 0)
        return true;
    /* Spans and logs are large: only those of one stream are kept. */
    g_snprintf(stream, sizeof stream, "%u", worst->stream);
    options.streams = stream;
    options.keep_spans = true;
    options.keep_exchanges = true;
    if (analyze(job, &options, &drawn) != 0)
        return true;
    path = path_of(folder, job);
    done = render(drawn, path);
    tcpwhy_report_free(drawn);
    return done;
}
