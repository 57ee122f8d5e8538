/* SPDX-License-Identifier: MIT */
/*
 * Option structs of programs that were built with an older or a newer header: every door that takes
 * one is tried with the fields that the program does not know, and with those that we do not know.
 */
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "base/options.h"

#define CAPTURE TESTS_FOLDER "/../../pcaps/healthy_lan/client.pcap"

/* A struct of options and what a later version has appended. */
union given {
    size_t struct_size;
    struct tcpwhy_render_options render;
    struct tcpwhy_flow_options flow;
    struct tcpwhy_graph_options graph;
    struct tcpwhy_table_options table;
    struct tcpwhy_follow_options follow;
    struct tcpwhy_packet packet;
    uint8_t bytes[512];
};

static bool ignore(void *user, const char *bytes, size_t len)
{
    (void)user;
    (void)bytes;
    (void)len;
    return true;
}

static int text(tcpwhy_report *report, union given *given)
{
    return tcpwhy_render(report, TCPWHY_DOC_STREAMS, TCPWHY_FORMAT_TEXT, &given->render, ignore,
                         NULL);
}

static int flow(tcpwhy_report *report, union given *given)
{
    const struct tcpwhy_render_options options = { .struct_size = sizeof options,
                                                   .flow_options = &given->flow };

    return tcpwhy_render(report, TCPWHY_DOC_FLOW, TCPWHY_FORMAT_SVG, &options, ignore, NULL);
}

static int flow_view(tcpwhy_report *report, union given *given)
{
    struct tcpwhy_flow *flow = NULL;
    int status = tcpwhy_flow_new(report, 0, &given->flow, &flow);

    tcpwhy_flow_free(flow);
    return status;
}

static int graph(tcpwhy_report *report, union given *given)
{
    const struct tcpwhy_render_options options = { .struct_size = sizeof options,
                                                   .graph = TCPWHY_GRAPH_RTT,
                                                   .graph_options = &given->graph };

    return tcpwhy_render(report, TCPWHY_DOC_GRAPH, TCPWHY_FORMAT_CSV, &options, ignore, NULL);
}

static int series_view(tcpwhy_report *report, union given *given)
{
    struct tcpwhy_series *series = NULL;
    int status = tcpwhy_series_new(report, TCPWHY_GRAPH_RTT, &given->graph, &series);

    tcpwhy_series_free(series);
    return status;
}

static int table(tcpwhy_report *report, union given *given)
{
    struct ArrowArrayStream stream = { 0 };
    int status = tcpwhy_table_stream(report, TCPWHY_TABLE_LEDGER, &given->table, &stream);

    if (stream.release)
        stream.release(&stream);
    return status;
}

static int follow(tcpwhy_report *report, union given *given)
{
    tcpwhy_follow *out = NULL;
    int status = tcpwhy_follow_new(&given->follow, ignore, NULL, &out);

    (void)report;
    tcpwhy_follow_free(out);
    return status;
}

/* An older program does not know the bytes of a larger struct. */
static int push(tcpwhy_report *report, union given *given)
{
    tcpwhy_session *session;
    int status;

    (void)report;
    assert_int_equal(tcpwhy_session_new(NULL, &session, NULL, 0), 0);
    status = tcpwhy_session_push(session, &given->packet);
    tcpwhy_session_free(session);
    return status;
}

/* Each door, and the size of the struct that it takes now. */
static const struct {
    int (*call)(tcpwhy_report *report, union given *given);
    size_t size;
} doors[] = {
    { text, sizeof(struct tcpwhy_render_options) },
    { flow, sizeof(struct tcpwhy_flow_options) },
    { flow_view, sizeof(struct tcpwhy_flow_options) },
    { graph, sizeof(struct tcpwhy_graph_options) },
    { series_view, sizeof(struct tcpwhy_graph_options) },
    { table, sizeof(struct tcpwhy_table_options) },
    { follow, sizeof(struct tcpwhy_follow_options) },
    { push, sizeof(struct tcpwhy_packet) },
};

#define N_DOORS (sizeof doors / sizeof doors[0])

static int read_capture(void **state)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_report *report;

    options.keep_spans = true;
    options.streams = "0";
    if (tcpwhy_analyze_file(CAPTURE, &options, &report, NULL, 0) < 0)
        return -1;
    *state = report;
    return 0;
}

static int forget_capture(void **state)
{
    tcpwhy_report_free(*state);
    return 0;
}

static void fields_that_an_older_program_does_not_know_are_not_read(void **state)
{
    for (size_t i = 0; i < N_DOORS; i++) {
        union given given;

        memset(&given, 0xff, sizeof given);
        given.struct_size = sizeof given.struct_size;
        assert_int_equal(doors[i].call(*state, &given), 0);
    }
}

static void a_newer_program_that_sets_nothing_new_is_served(void **state)
{
    for (size_t i = 0; i < N_DOORS; i++) {
        union given given = { .bytes = { 0 } };

        given.struct_size = doors[i].size + 8;
        assert_int_equal(doors[i].call(*state, &given), 0);
    }
}

static void unknown_options_of_a_newer_program_are_refused(void **state)
{
    for (size_t i = 0; i < N_DOORS; i++) {
        union given given = { .bytes = { 0 } };

        given.struct_size = doors[i].size + 8;
        given.bytes[doors[i].size + 7] = 1;
        assert_int_equal(doors[i].call(*state, &given), TCPWHY_ERR_ARGUMENT);
    }
}

static void a_size_that_was_never_set_is_refused(void **state)
{
    for (size_t i = 0; i < N_DOORS; i++) {
        union given given = { .bytes = { 0 } };

        assert_int_equal(doors[i].call(*state, &given), TCPWHY_ERR_ARGUMENT);
        given.struct_size = SIZE_MAX;
        assert_int_equal(doors[i].call(*state, &given), TCPWHY_ERR_ARGUMENT);
    }
}

/* A result struct as an older or newer program knows it. */
struct result {
    size_t struct_size;
    uint64_t first, second;
};

static void a_result_is_filled_as_far_as_a_program_knows_it(void **state)
{
    const struct result own = { .first = 1, .second = 2 };
    struct result old = { offsetof(struct result, second), 7, 8 };

    (void)state;
    tw_result_copy(&old, &own, sizeof own);
    assert_int_equal(old.struct_size, offsetof(struct result, second));
    assert_int_equal(old.first, 1);
    assert_int_equal(old.second, 8);
}

static void what_a_newer_program_knows_of_a_result_and_we_lack_is_0(void **state)
{
    const struct result own = { .first = 1, .second = 2 };
    struct result given = { sizeof given, 7, 8 };

    (void)state;
    tw_result_copy(&given, &own, offsetof(struct result, second));
    assert_int_equal(given.struct_size, sizeof given);
    assert_int_equal(given.first, 1);
    assert_int_equal(given.second, 0);
}

static void a_result_whose_size_was_never_set_is_refused(void **state)
{
    struct tcpwhy_annotated annotated = { 0 };
    char error[TCPWHY_ERROR_TEXT] = "";

    (void)state;
    assert_int_equal(
        tcpwhy_annotate_file(CAPTURE, NULL, NULL, ignore, NULL, &annotated, error, sizeof error),
        TCPWHY_ERR_ARGUMENT);
    assert_non_null(strstr(error, "struct_size"));
    annotated.struct_size = sizeof annotated;
    assert_int_equal(
        tcpwhy_annotate_file(CAPTURE, NULL, NULL, ignore, NULL, &annotated, error, sizeof error),
        0);
    assert_int_equal(annotated.struct_size, sizeof annotated);
    assert_true(annotated.frames > 0);
}

static void the_initialisers_set_the_size_and_no_more(void **state)
{
    const struct tcpwhy_render_options options = TCPWHY_RENDER_INIT;
    const struct tcpwhy_flow_options flow_options = TCPWHY_FLOW_INIT;
    const struct tcpwhy_graph_options graph_options = TCPWHY_GRAPH_INIT;
    const struct tcpwhy_table_options table_options = TCPWHY_TABLE_INIT;

    (void)state;
    assert_int_equal(options.struct_size, sizeof options);
    assert_int_equal(options.columns, 0);
    assert_int_equal(flow_options.struct_size, sizeof flow_options);
    assert_int_equal(flow_options.max_rows, 0);
    assert_int_equal(graph_options.struct_size, sizeof graph_options);
    assert_int_equal(graph_options.stream, 0);
    assert_int_equal(table_options.struct_size, sizeof table_options);
    assert_null(table_options.path);
}

#define check_function(function, type, macro)                                                      \
    do {                                                                                           \
        const struct type want = macro;                                                            \
        struct type have;                                                                          \
                                                                                                   \
        memset(&have, '#', sizeof have);                                                           \
        assert_int_equal(function(&have, sizeof have), 0);                                         \
        assert_int_equal(have.struct_size, sizeof have);                                           \
        assert_memory_equal(&have, &want, sizeof have);                                            \
        assert_int_equal(function(NULL, sizeof have), TCPWHY_ERR_USAGE);                           \
        assert_int_equal(function(&have, 0), TCPWHY_ERR_USAGE);                                    \
    } while (0)

static void functions_initialise_as_the_macros_do(void **state)
{
    (void)state;
    check_function(tcpwhy_annotate_init, tcpwhy_annotate_options, TCPWHY_ANNOTATE_INIT);
    check_function(tcpwhy_annotated_init, tcpwhy_annotated, TCPWHY_ANNOTATED_INIT);
    check_function(tcpwhy_callbacks_init, tcpwhy_callbacks, TCPWHY_CALLBACKS_INIT);
    check_function(tcpwhy_file_init, tcpwhy_file, TCPWHY_FILE_INIT);
    check_function(tcpwhy_flow_init, tcpwhy_flow_options, TCPWHY_FLOW_INIT);
    check_function(tcpwhy_follow_init, tcpwhy_follow_options, TCPWHY_FOLLOW_INIT);
    check_function(tcpwhy_graph_init, tcpwhy_graph_options, TCPWHY_GRAPH_INIT);
    check_function(tcpwhy_live_init, tcpwhy_live_options, TCPWHY_LIVE_INIT);
    check_function(tcpwhy_live_counts_init, tcpwhy_live_counts, TCPWHY_LIVE_COUNTS_INIT);
    check_function(tcpwhy_options_init, tcpwhy_options, TCPWHY_OPTIONS_INIT);
    check_function(tcpwhy_packet_init, tcpwhy_packet, TCPWHY_PACKET_INIT);
    check_function(tcpwhy_render_init, tcpwhy_render_options, TCPWHY_RENDER_INIT);
    check_function(tcpwhy_table_init, tcpwhy_table_options, TCPWHY_TABLE_INIT);
}

static void the_headers_version_is_that_of_the_library(void **state)
{
    (void)state;
    assert_string_equal(tcpwhy_version(), TCPWHY_VERSION);
    assert_true(TCPWHY_VERSION_CHECK(0, 1, 9));
    assert_true(
        TCPWHY_VERSION_CHECK(TCPWHY_VERSION_MAJOR, TCPWHY_VERSION_MINOR, TCPWHY_VERSION_PATCH));
    assert_false(
        TCPWHY_VERSION_CHECK(TCPWHY_VERSION_MAJOR, TCPWHY_VERSION_MINOR, TCPWHY_VERSION_PATCH + 1));
    assert_false(TCPWHY_VERSION_CHECK(TCPWHY_VERSION_MAJOR + 1, 0, 0));
}

/* Of the member of that name in the library's layout. */
static size_t offset_of(const char *of, const char *name)
{
    for (size_t i = 0; i < tcpwhy_layout_count(); i++)
        if (strcmp(tcpwhy_layout(i)->of, of) == 0 && strcmp(tcpwhy_layout(i)->name, name) == 0)
            return tcpwhy_layout(i)->offset;
    fail_msg("no %s.%s", of, name);
    return 0;
}

static void the_layout_has_every_member_of_a_struct(void **state)
{
    (void)state;
    assert_int_equal(offset_of("tcpwhy_options", "struct_size"), 0);
    assert_int_equal(offset_of("tcpwhy_wait", "frames"), offsetof(struct tcpwhy_wait, frames));
    assert_int_equal(offset_of("tcpwhy_segment", "sack"), offsetof(struct tcpwhy_segment, sack));
    assert_null(tcpwhy_layout(tcpwhy_layout_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_that_an_older_program_does_not_know_are_not_read),
        cmocka_unit_test(a_newer_program_that_sets_nothing_new_is_served),
        cmocka_unit_test(unknown_options_of_a_newer_program_are_refused),
        cmocka_unit_test(a_size_that_was_never_set_is_refused),
        cmocka_unit_test(a_result_is_filled_as_far_as_a_program_knows_it),
        cmocka_unit_test(what_a_newer_program_knows_of_a_result_and_we_lack_is_0),
        cmocka_unit_test(a_result_whose_size_was_never_set_is_refused),
        cmocka_unit_test(the_initialisers_set_the_size_and_no_more),
        cmocka_unit_test(functions_initialise_as_the_macros_do),
        cmocka_unit_test(the_headers_version_is_that_of_the_library),
        cmocka_unit_test(the_layout_has_every_member_of_a_struct),
    };

    return cmocka_run_group_tests(tests, read_capture, forget_capture);
}
