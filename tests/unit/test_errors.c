/* SPDX-License-Identifier: MIT */
/*
 * When an analysis cannot be: a code, one line that names the file, what is wrong and what to do,
 * and nothing that the caller would have to release.
 */
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#define CAPTURE TESTS_FOLDER "/../../pcaps/healthy_lan/client.pcap"

/* The guard behind the text must not be overwritten. */
struct answer {
    char text[TCPWHY_ERROR_TEXT];
    char guard[16];
};

static int analyze(const char *path, const struct tcpwhy_options *options, struct answer *answer)
{
    tcpwhy_report *const untouched = (tcpwhy_report *)answer;
    tcpwhy_report *report = untouched;
    int status, silent;

    memset(answer, '#', sizeof *answer);
    status = tcpwhy_analyze_file(path, options, &report, answer->text, sizeof answer->text);
    silent = tcpwhy_analyze_file(path, options, &report, NULL, 0);
    assert_int_equal(status, silent);
    assert_ptr_equal(report, untouched);
    assert_non_null(memchr(answer->text, '\0', sizeof answer->text));
    assert_null(strchr(answer->text, '\n'));
    assert_memory_equal(answer->guard, "################", sizeof answer->guard);
    return status;
}

static void assert_says(const struct answer *answer, const char *words)
{
    if (!strstr(answer->text, words))
        fail_msg("\"%s\" does not say \"%s\"", answer->text, words);
}

TEST(a_file_that_is_not_there_is_named)
{
    struct answer answer;

    assert_int_equal(analyze("/no/such/capture.pcap", NULL, &answer), TCPWHY_ERR_OPEN);
    assert_says(&answer, "/no/such/capture.pcap: ");
    assert_int_equal(analyze(TESTS_FOLDER, NULL, &answer), TCPWHY_ERR_OPEN);
    assert_says(&answer, TESTS_FOLDER ": ");
}

TEST(a_path_longer_than_the_text_fits)
{
    char path[3 * TCPWHY_ERROR_TEXT];
    struct answer answer;

    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(analyze(path, NULL, &answer), TCPWHY_ERR_OPEN);
}

TEST(a_file_that_is_no_capture_says_so)
{
    struct answer answer;

    assert_int_equal(analyze(TESTS_FOLDER "/meson.build", NULL, &answer), TCPWHY_ERR_FORMAT);
    assert_says(&answer, "meson.build: ");
    assert_says(&answer, "pcap");
}

TEST(a_filter_that_does_not_compile_says_where_to_look)
{
    const struct tcpwhy_options options = { .struct_size = sizeof options, .filter = "port port" };
    struct answer answer;

    assert_int_equal(analyze(CAPTURE, &options, &answer), TCPWHY_ERR_FILTER);
    assert_says(&answer, "pcap-filter(7)");
}

TEST(a_list_of_streams_that_is_none_is_quoted)
{
    const struct tcpwhy_options options = { .struct_size = sizeof options, .streams = "4-3" };
    struct answer answer;

    assert_int_equal(analyze(CAPTURE, &options, &answer), TCPWHY_ERR_ARGUMENT);
    assert_says(&answer, "\"4-3\"");
}

static bool stop(void *user, const struct tcpwhy_segment *segment)
{
    (void)user;
    (void)segment;
    return false;
}

TEST(an_analysis_that_was_stopped_says_so)
{
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_segment = stop };
    const struct tcpwhy_options options = { .struct_size = sizeof options,
                                            .callbacks = &callbacks };
    struct answer answer;

    assert_int_equal(analyze(CAPTURE, &options, &answer), TCPWHY_ERR_STOPPED);
    assert_says(&answer, "stopped");
}

TEST(memory_that_is_no_capture_says_so)
{
    static const uint8_t bytes[] = "no capture";
    tcpwhy_report *report = NULL;
    struct answer answer;

    assert_int_equal(
        tcpwhy_analyze_memory(bytes, sizeof bytes, NULL, &report, answer.text, sizeof answer.text),
        TCPWHY_ERR_FORMAT);
    assert_says(&answer, "pcap");
    assert_int_equal(tcpwhy_analyze_memory(NULL, 0, NULL, &report, answer.text, sizeof answer.text),
                     TCPWHY_ERR_FORMAT);
    assert_null(report);
}

TEST(a_session_takes_no_filter)
{
    const struct tcpwhy_options options = { .struct_size = sizeof options, .filter = "tcp" };
    tcpwhy_session *session = NULL;
    struct answer answer;

    assert_int_equal(tcpwhy_session_new(&options, &session, answer.text, sizeof answer.text),
                     TCPWHY_ERR_ARGUMENT);
    assert_says(&answer, "filter");
    assert_null(session);
}
