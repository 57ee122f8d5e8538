/* SPDX-License-Identifier: MIT */
/*
 * The public doors: a whole file, a buffer, or packet by packet.
 */
#include <string.h>

#include <glib.h>

#include "engine/engine.h"

struct tcpwhy_session {
    struct tw_engine *engine;
    uint32_t frames;
};

static void say(char *error, const char *file, const char *text)
{
    if (error)
        g_snprintf(error, TCPWHY_ERROR_TEXT, "%s%s%s", file, *file ? ": " : "", text);
}

static int read_all(struct tw_engine *engine, struct tw_source *source, const char *file,
                    char *error)
{
    struct tw_frame frame;
    int more;

    while ((more = tw_source_next(source, &frame)) > 0)
        if (!tw_engine_push(engine, &frame))
            return TCPWHY_ERR_STOPPED;
    if (more < 0)
        say(error, file, "the operating system refused to read on: check the disk or the pipe");
    return more;
}

/* Run the opened source to its end; the source is closed here. */
static int analyze(struct tw_source *source, const char *file, const struct tcpwhy_options *options,
                   tcpwhy_report **out, char *error)
{
    struct tw_engine *engine = tw_engine_new(options, error);
    int status = TCPWHY_ERR_ARGUMENT;

    if (engine) {
        status = read_all(engine, source, file, error);
        if (status == 0)
            *out = tw_engine_finish(engine, file, source);
        else if (status == TCPWHY_ERR_STOPPED)
            say(error, file, "stopped by the caller");
    }
    tw_engine_free(engine);
    tw_source_close(source);
    return status;
}

static struct tw_source_options source_options(const struct tcpwhy_options *options)
{
    return (struct tw_source_options) { .filter = options ? options->filter : NULL };
}

int tcpwhy_analyze_file(const char *path, const struct tcpwhy_options *options, tcpwhy_report **out,
                        char *error)
{
    struct tw_source_error why = { 0 };
    struct tw_source_options how = source_options(options);
    struct tw_source *source = tw_source_open(path, &how, &why);

    if (!source) {
        say(error, path, why.text);
        return why.code;
    }
    return analyze(source, path, options, out, error);
}

int tcpwhy_analyze_memory(const uint8_t *bytes, size_t len, const struct tcpwhy_options *options,
                          tcpwhy_report **out, char *error)
{
    struct tw_source_error why = { 0 };
    struct tw_source_options how = source_options(options);
    struct tw_source *source = tw_source_open_memory(tw_bytes(bytes, len), &how, &why);

    if (!source) {
        say(error, "", why.text);
        return why.code;
    }
    return analyze(source, "", options, out, error);
}

int tcpwhy_session_new(const struct tcpwhy_options *options, tcpwhy_session **out, char *error)
{
    struct tw_engine *engine;

    if (options && options->filter) {
        say(error, "", "a session takes no filter: push only the packets you want");
        return TCPWHY_ERR_ARGUMENT;
    }
    engine = tw_engine_new(options, error);
    if (!engine)
        return TCPWHY_ERR_ARGUMENT;
    *out = g_new0(tcpwhy_session, 1);
    (*out)->engine = engine;
    return 0;
}

int tcpwhy_session_push(tcpwhy_session *session, const struct tcpwhy_packet *packet)
{
    struct tw_frame frame = {
        .number = ++session->frames,
        .link_type = packet->link_type,
        .time_ns = packet->time_ns,
        .original_len = packet->original_len,
        .bytes = tw_bytes(packet->bytes, packet->captured_len),
    };

    return tw_engine_push(session->engine, &frame) ? 0 : TCPWHY_ERR_STOPPED;
}

int tcpwhy_session_finish(tcpwhy_session *session, tcpwhy_report **out)
{
    *out = tw_engine_finish(session->engine, "", NULL);
    tcpwhy_session_free(session);
    return 0;
}

void tcpwhy_session_free(tcpwhy_session *session)
{
    if (!session)
        return;
    tw_engine_free(session->engine);
    g_free(session);
}

const char *tcpwhy_version(void)
{
    return TCPWHY_VERSION;
}
