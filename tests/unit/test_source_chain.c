/* SPDX-License-Identifier: MIT */
/* Rotated files as one source: what goes on over the boundary, and what becomes of a bad file. */
#include "base/text.h"
#include "report/report_rows.h"
#include "tests/unit.h"

#include "tests/unit/capture.h"

#include <glib/gstdio.h>

#include <tcpwhy/tcpwhy.h>

#define FILES 3

/* Three files with two frames each; the names of what is there. */
struct rotated {
    char *folder;
    char *path[FILES];
};

static int make_files(void **state)
{
    struct rotated *r = tw_new0(struct rotated, 1);

    r->folder = g_dir_make_tmp("tcpwhy-chain-XXXXXX", NULL);
    for (uint32_t i = 0; i < FILES; i++) {
        struct capture c = capture_new(i == 1);
        tw_autofree char *name = tw_strdup_printf("x.pcap%u", i);

        r->path[i] = g_build_filename(r->folder, name, NULL);
        pcap_header(&c, 0xa1b2c3d4, 1);
        pcap_record(&c, 2 * i, 0, "even");
        pcap_record(&c, 2 * i + 1, 0, "odd");
        g_file_set_contents(r->path[i], (const char *)c.bytes->data, c.bytes->len, NULL);
        capture_free(&c);
    }
    *state = r;
    return 0;
}

static int remove_files(void **state)
{
    struct rotated *r = *state;

    for (int i = 0; i < FILES; i++) {
        g_remove(r->path[i]);
        g_free(r->path[i]);
    }
    g_rmdir(r->folder);
    g_free(r->folder);
    tw_free(r);
    return 0;
}

static void note_secrets(void *user, uint32_t type, struct tw_bytes secrets)
{
    uint32_t *n = user;

    *n += type == 7 && secrets.len == 3;
}

/* A section, an interface, secrets of 3 bytes. */
static void secrets_of_later_files_are_told(void **state)
{
    static const uint8_t ng[] = {
        0x0a, 0x0d, 0x0d, 0x0a, 28,   0,    0,  0, 0x4d, 0x3c, 0x2b, 0x1a, 1,  0, 0,  0, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 28, 0, 0,    0,    10,   0,    0,  0, 24, 0, 0,    0,
        7,    0,    0,    0,    3,    0,    0,  0, 'k',  'e',  'y',  0,    24, 0, 0,  0,
    };
    struct rotated *r = *state;
    struct tw_source_error error = { 0 };
    uint32_t told = 0;
    const struct tw_source_options how = { .on_secrets = note_secrets, .secrets_user = &told };
    g_autofree char *path = g_build_filename(r->folder, "x.pcap3", NULL);
    const char *paths[] = { r->path[0], path };
    struct tw_source *source;
    struct tw_frame frame;

    assert_true(g_file_set_contents(path, (const char *)ng, sizeof ng, NULL));
    source = tw_source_open_chain(paths, 2, &how, &error);
    while (tw_source_next(source, &frame) > 0)
        ;
    tw_source_close(source);
    g_remove(path);
    assert_int_equal(told, 1);
}

static struct tw_source *open_all(struct rotated *r)
{
    struct tw_source_error error = { 0 };

    return tw_source_open_chain((const char *const *)r->path, FILES, NULL, &error);
}

static void frames_are_numbered_on_over_the_boundary(void **state)
{
    struct tw_source *source = open_all(*state);
    const struct tw_part *part;
    uint64_t done, total;
    size_t n;

    for (uint32_t i = 0; i < 2 * FILES; i++)
        expect_frame(source, i + 1, i * INT64_C(1000000000), i % 2 ? "odd" : "even");
    expect_end(source);
    part = tw_source_parts(source, &n);
    assert_int_equal(n, FILES);
    assert_int_equal(part[2].first_frame, 5);
    assert_int_equal(part[2].frames, 2);
    assert_null(part[2].error);
    tw_source_progress(source, &done, &total);
    assert_int_equal(done, total);
    assert_int_equal(total, FILES * (24 + 2 * 16 + 7));
    tw_source_close(source);
}

static void a_file_that_is_no_capture_is_left_out_and_told(void **state)
{
    struct rotated *r = *state;
    const struct tw_part *part;
    struct tw_source *source;
    size_t n;

    g_file_set_contents(r->path[1], "no capture at all", -1, NULL);
    source = open_all(r);
    expect_frame(source, 1, 0, "even");
    expect_frame(source, 2, INT64_C(1000000000), "odd");
    expect_frame(source, 3, INT64_C(4000000000), "even");
    expect_frame(source, 4, INT64_C(5000000000), "odd");
    expect_end(source);
    part = tw_source_parts(source, &n);
    assert_non_null(part[1].error);
    assert_int_equal(part[1].first_frame, 0);
    assert_int_equal(fact_count(source, TW_SOURCE_BAD_FILE), 1);
    tw_source_close(source);
}

static void a_file_that_is_cut_short_is_read_so_far(void **state)
{
    struct rotated *r = *state;
    struct tw_source *source;
    const struct tw_source_fact *fact;
    g_autofree char *bytes = NULL;
    gsize len;
    size_t n;

    g_file_get_contents(r->path[1], &bytes, &len, NULL);
    g_file_set_contents(r->path[1], bytes, (gssize)len - 1, NULL);
    source = open_all(r);
    expect_frame(source, 1, 0, "even");
    expect_frame(source, 2, INT64_C(1000000000), "odd");
    expect_frame(source, 3, INT64_C(2000000000), "even");
    expect_frame(source, 4, INT64_C(4000000000), "even");
    expect_frame(source, 5, INT64_C(5000000000), "odd");
    expect_end(source);
    fact = tw_source_facts(source, &n);
    assert_int_equal(n, 1);
    assert_int_equal(fact->kind, TW_SOURCE_CUT_SHORT);
    assert_int_equal(fact->frame, 3);
    tw_source_close(source);
}

static void a_chain_without_a_readable_file_is_an_error(void **state)
{
    const char *const paths[] = { "/nowhere/x.pcap0", "/nowhere/x.pcap1" };
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_report *report;

    (void)state;
    assert_int_equal(tcpwhy_analyze_files(paths, 2, NULL, &report, error, sizeof error),
                     TCPWHY_ERR_OPEN);
    assert_string_equal(error, "/nowhere/x.pcap1: no such file: check the path");
    assert_int_equal(tcpwhy_analyze_files(paths, 0, NULL, &report, error, sizeof error),
                     TCPWHY_ERR_ARGUMENT);
}

static void the_report_tells_its_files_and_those_it_lacks(void **state)
{
    struct rotated *r = *state;
    const struct tw_capture_row *capture;
    tcpwhy_report *report;

    g_remove(r->path[0]);
    assert_int_equal(
        tcpwhy_analyze_files((const char *const *)r->path, FILES, NULL, &report, NULL, 0), 0);
    capture = tw_report_capture(report);
    assert_int_equal(capture->frames, 4);
    assert_int_equal(capture->n_parts, FILES);
    assert_string_equal(capture->parts[0].file, r->path[0]);
    assert_non_null(capture->parts[0].error);
    assert_int_equal(capture->parts[1].first_frame, 1);
    assert_int_equal(capture->parts[2].first_frame, 3);
    assert_string_equal(capture->quality[0].fact, "file_unreadable");
    tcpwhy_report_free(report);
}

#define WITH_FILES(test) cmocka_unit_test_setup_teardown(test, make_files, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILES(frames_are_numbered_on_over_the_boundary),
        WITH_FILES(a_file_that_is_no_capture_is_left_out_and_told),
        WITH_FILES(a_file_that_is_cut_short_is_read_so_far),
        cmocka_unit_test_setup_teardown(secrets_of_later_files_are_told, make_files, remove_files),
        cmocka_unit_test(a_chain_without_a_readable_file_is_an_error),
        WITH_FILES(the_report_tells_its_files_and_those_it_lacks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
